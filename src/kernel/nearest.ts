import { closest, distance } from 'fastest-levenshtein'

/** Longer names are not compared, because that takes time in proportion to the length. */
export const MAX_NAME_LENGTH = 200

/** The largest edit distance of a slip, and of any suggestion. */
const closeTolerance = (name: string) => Math.max(2, Math.floor(name.length / 4))
const looseTolerance = (name: string, wrong: string) =>
  Math.max(2, Math.ceil(Math.min(name.length, wrong.length) / 2))

/** The name with the smallest edit distance from `wrong`; undefined if none is similar enough. */
export function nearest(
  wrong: string,
  names: readonly string[],
  tolerance: (name: string, wrong: string) => number = looseTolerance,
): string | undefined {
  if (names.length === 0 || wrong.length > MAX_NAME_LENGTH) return undefined
  const found = closest(wrong, names)
  const edits = distance(wrong, found)
  // With as many edits as letters, nothing of the name is left.
  return edits <= tolerance(found, wrong) && edits < wrong.length ? found : undefined
}

/** The shortest name that begins nearly like `wrong`: `happy-path` for `hapy`. */
function nearestBeginning(wrong: string, names: readonly string[]): string | undefined {
  if (wrong.length < 3 || wrong.length > MAX_NAME_LENGTH) return undefined
  const lengths = [wrong.length, wrong.length + 1, wrong.length - 1]
  return names
    .filter((name) => lengths.some((length) => distance(wrong, name.slice(0, length)) <= 1))
    .sort((a, b) => a.length - b.length)[0]
}

/** The name that shares the most words with `wrong`, the shortest of several: `lost-on-the-way-out` for `lost-kit`. */
function nearestByWord(wrong: string, names: readonly string[]): string | undefined {
  if (wrong.length > MAX_NAME_LENGTH) return undefined
  const words = wordsOf(wrong)
  const isShared = (word: string) => words.some((each) => each.startsWith(word) || word.startsWith(each))
  const [best] = names
    .map((name) => ({ name, shared: wordsOf(name).filter(isShared).length }))
    .sort((a, b) => b.shared - a.shared || a.name.length - b.name.length)
  return best && best.shared > 0 ? best.name : undefined
}

/** The words of a name in any case, without short ones such as `at` and `for`. */
const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 3)

/** ` Did you mean "x"?`, or an empty text for a name that is one of them or like none. A prefix of all is not compared. */
export function didYouMean(given: string, all: readonly string[], prefix = ''): string {
  if (all.includes(given)) return ''
  const wrong = given.slice(prefix.length)
  const names = all.map((name) => name.slice(prefix.length))
  const found =
    nearest(wrong, names, closeTolerance) ??
    nearestBeginning(wrong, names) ??
    nearestByWord(wrong, names) ??
    nearest(wrong, names)
  return found ? ` Did you mean "${prefix}${found}"?` : ''
}
