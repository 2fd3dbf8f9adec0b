/** Orders texts by their code units, and numbers by value; for `sort`. */
export function compare<Value extends string | number>(a: Value, b: Value): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The nearest value to one that is between two bounds; the higher bound if they are in reverse. */
export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value))

/** The number of items at the beginning of a sorted list that come before what is looked for. */
export function countBefore<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(items[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a value is in a list; unlike `includes`, also for values of other types. */
export function isOneOf<Item>(items: readonly Item[], value: unknown): value is Item {
  const all: readonly unknown[] = items
  return all.includes(value)
}
