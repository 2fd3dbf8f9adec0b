type Absent = undefined | null | false

/** The items that are there: `undefined`, null and `false` stand for one that is not. */
export const compact = <T>(items: readonly T[]): Exclude<T, Absent>[] =>
  items.filter((item): item is Exclude<T, Absent> => item !== undefined && item !== null && item !== false)

/** The items by their key, in the order of their first items. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** How often each item occurs, in the order of their first occurrence. */
export function countsOf<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** The largest number of any count of them, or -Infinity; `Math.max(...numbers)` fails where there are many. */
export const largest = (numbers: Iterable<number>): number => {
  let found = Number.NEGATIVE_INFINITY
  for (const each of numbers) found = Math.max(found, each)
  return found
}

/** The smallest number of any count of them, or Infinity; `Math.min(...numbers)` fails where there are many. */
export const smallest = (numbers: Iterable<number>): number => {
  let found = Number.POSITIVE_INFINITY
  for (const each of numbers) found = Math.min(found, each)
  return found
}

export const sumOf = (numbers: Iterable<number>): number => {
  let sum = 0
  for (const each of numbers) sum += each
  return sum
}

/** Adds any count of items to a list; `list.push(...items)` fails where there are many. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}
