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
  const edits = distance(wrong, found)
  // With as many edits as letters, nothing of the name is left.
  return edits <= tolerance(found) && edits < wrong.length ? found : undefined
}

/** The shortest name that begins nearly like `wrong`: `happy-path` for `hapy`. */
function nearestBeginning(wrong: string, names: readonly string[]): string | undefined {
  if (wrong.length < 3 || wrong.length > MAX_NAME_LENGTH) return undefined
  const lengths = [wrong.length, wrong.length + 1, wrong.length - 1]
  return names
    .filter((name) => lengths.some((length) => distance(wrong, name.slice(0, length)) <= 1))
    .sort((a, b) => a.length - b.length)[0]
}

/** ` Did you mean "x"?`, or an empty text. */
export function didYouMean(wrong: string, names: readonly string[]): string {
  const found = nearest(wrong, names) ?? nearestBeginning(wrong, names)
  return found ? ` Did you mean "${found}"?` : ''
}
