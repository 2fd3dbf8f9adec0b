import { closest, distance } from 'fastest-levenshtein'

/** Longer names are not compared, because that takes time in proportion to the length. */
export const MAX_NAME_LENGTH = 200

/** The largest edit distance of a suggestion. */
const looseTolerance = (name: string) => Math.max(3, Math.ceil(name.length / 2))

/** The name with the smallest edit distance from `wrong`; undefined if none is similar enough. */
export function nearest(
  wrong: string,
  names: readonly string[],
  tolerance: (name: string) => number = looseTolerance,
): string | undefined {
  if (names.length === 0 || wrong.length > MAX_NAME_LENGTH) return undefined
  const found = closest(wrong, names)
  return distance(wrong, found) <= tolerance(found) ? found : undefined
}

/** ` Did you mean "x"?`, or an empty text. */
export function didYouMean(wrong: string, names: readonly string[]): string {
  const found = nearest(wrong, names)
  return found ? ` Did you mean "${found}"?` : ''
}
