import { Latest } from '../../../src/kernel/kept.ts'

export { Latest }

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

/** `remembered` of the kernel, on the `perOwner` above. */
export function remembered<Given extends readonly unknown[], Value>(
  most: number,
  make: (...given: Given) => Value,
  keyOf: (...given: Given) => unknown = (...[key]) => key,
): (...given: Given) => Value {
  const valuesOf = perOwner<object, Latest<unknown, Value>>(() => new Latest(most))
  return (...given) => {
    const [values, key] = [valuesOf(make), keyOf(...given)]
    const value = values.get(key) ?? make(...given)
    if (value !== undefined) values.set(key, value)
    return value
  }
}

/** `kept` of the kernel, on both. */
export function kept<Owner extends object, Key, Value>(
  most: number,
  make: (owner: Owner, key: Key) => Value,
): (owner: Owner, key: Key) => Value {
  const valuesOf = perOwner((owner: Owner) => remembered(most, (key: Key) => make(owner, key)))
  return (owner, key) => valuesOf(owner)(key)
}
