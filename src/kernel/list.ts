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
