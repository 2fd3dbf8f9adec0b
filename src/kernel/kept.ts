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

/** A map that forgets what was used least recently. */
export class Latest<Key, Value> extends QuickLRU<Key, Value> {
  constructor(most: number) {
    super({ maxSize: most })
  }
}

/** A function that keeps the values that were used last, by the key of its arguments; by default the first is the key. */
export function remembered<Given extends readonly unknown[], Value>(
  most: number,
  make: (...given: Given) => Value,
  keyOf: (...given: Given) => unknown = (...[key]) => key,
): (...given: Given) => Value {
  const values = new Latest<unknown, Value>(most)
  return (...given) => {
    const key = keyOf(...given)
    const known = values.get(key)
    if (known !== undefined) return known
    const value = make(...given)
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
