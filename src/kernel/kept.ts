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

/** A function of an owner and a key that keeps the values that were used last, so that they are not computed again. */
export function kept<Owner extends object, Key, Value>(
  most: number,
  make: (owner: Owner, key: Key) => Value,
): (owner: Owner, key: Key) => Value {
  const valuesOf = perOwner((_: Owner) => new QuickLRU<Key, Value>({ maxSize: most }))
  return (owner, key) => {
    const values = valuesOf(owner)
    const known = values.get(key)
    if (known !== undefined) return known
    const value = make(owner, key)
    values.set(key, value)
    return value
  }
}
