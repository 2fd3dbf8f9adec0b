import { once as onceEver } from '../../../src/kernel/once.ts'

const made = new Map<() => unknown, () => unknown>()
export const forgetMade = () => made.clear()

/** `once` of the kernel, except that each test makes anew what it needs, schemas above all. */
export const once =
  <Value>(make: () => Value): (() => Value) =>
  () => {
    const known = made.get(make) ?? onceEver(make)
    made.set(make, known)
    return known() as Value
  }
