import QuickLRU from 'quick-lru'

/** A function of an owner that makes its value on first use and keeps it as long as the owner lives. */
export function perOwner<Owner extends object, Value>(
  make: (owner: Owner) => Value,
): (owner: Owner) => Value {
  const values = new WeakMap<Owner, Value>()
  return (owner) => {
    const known = values.get(owner)
    if (known !== undefined) return known
    const value = make(owner)
    values.set(owner, value)
    return value
  }
}

/** A function of a key that keeps the values that were used last, so that they are not computed again. */
export function remembered<Key, Value>(most: number, make: (key: Key) => Value): (key: Key) => Value {
  const values = new QuickLRU<Key, Value>({ maxSize: most })
  return (key) => {
    const known = values.get(key)
    if (known !== undefined) return known
    const value = make(key)
    values.set(key, value)
    return value
  }
}

/** The same of an owner and a key; the values live as long as their owner. */
export function kept<Owner extends object, Key, Value>(
  most: number,
  make: (owner: Owner, key: Key) => Value,
): (owner: Owner, key: Key) => Value {
  const valuesOf = perOwner((owner: Owner) => remembered(most, (key: Key) => make(owner, key)))
  return (owner, key) => valuesOf(owner)(key)
}
