let known = new WeakMap<object, WeakMap<object, unknown>>()
export const forgetKept = () => {
  known = new WeakMap()
}

/** `perOwner` of the kernel, except that each test makes anew what it needs: some owners live as long as the process. */
export const perOwner = <Owner extends object, Value>(
  make: (owner: Owner) => Value,
): ((owner: Owner) => Value) => {
  return (owner) => {
    const values = known.get(make) ?? new WeakMap<object, unknown>()
    known.set(make, values)
    const value = values.get(owner) ?? make(owner)
    if (value !== undefined) values.set(owner, value)
    return value as Value
  }
}

/** `kept` of the kernel, on the `perOwner` above. */
export function kept<Owner extends object, Key, Value>(
  most: number,
  make: (owner: Owner, key: Key) => Value,
): (owner: Owner, key: Key) => Value {
  const valuesOf = perOwner<Owner, Map<Key, Value>>(() => new Map())
  return (owner, key) => {
    const values = valuesOf(owner)
    const before = values.get(key)
    if (before !== undefined) return before
    const oldest = values.size < most ? undefined : values.keys().next().value
    if (oldest !== undefined) values.delete(oldest)
    const value = make(owner, key)
    values.set(key, value)
    return value
  }
}
