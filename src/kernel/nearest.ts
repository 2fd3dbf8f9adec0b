import { closest, distance } from 'fastest-levenshtein'

/** Longer than any name; comparing takes time in proportion to the length. */
const MAX_NAME_LENGTH = 200

/** How many letters of a name may differ from what was meant. */
const looseTolerance = (name: string) => Math.max(3, Math.ceil(name.length / 2))

/** The name most like `wrong`, or undefined when none is near enough to be what was meant. */
export function nearest(
  wrong: string,
  names: readonly string[],
  tolerance: (name: string) => number = looseTolerance,
): string | undefined {
  if (names.length === 0 || wrong.length > MAX_NAME_LENGTH) return undefined
  const found = closest(wrong, names)
  return distance(wrong, found) <= tolerance(found) ? found : undefined
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(wrong: string, names: readonly string[]): string {
  const found = nearest(wrong, names)
  return found ? ` Did you mean "${found}"?` : ''
}
