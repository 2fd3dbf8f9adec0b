/** A function of an owner and a key that keeps its latest values, so that they are not computed again. */
export function kept<Owner extends object, Key, Value>(
  most: number,
  make: (owner: Owner, key: Key) => Value,
): (owner: Owner, key: Key) => Value {
  const owners = new WeakMap<Owner, Map<Key, Value>>()
  return (owner, key) => {
    const values = owners.get(owner) ?? new Map<Key, Value>()
    owners.set(owner, values)
    const known = values.get(key)
    if (known !== undefined) return known
    const oldest = values.size < most ? undefined : values.keys().next().value
    if (oldest !== undefined) values.delete(oldest)
    const value = make(owner, key)
    values.set(key, value)
    return value
  }
}
