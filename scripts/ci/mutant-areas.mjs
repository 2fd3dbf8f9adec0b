/** The areas with code or tests among these files. */
export const areasWith = (areas, files) => Object.keys(areas).filter((name) => isIn(areas[name], files))

/**
 * The areas that were not measured to their end, or have changed since, those that nobody has looked at for longest
 * first. `changedSince` returns the files that have changed since a commit; undefined if that is not known.
 */
export function dueAreas(areas, measured, changedSince) {
  const isDue = (name) => {
    const { isWhole, commit } = measured[name] ?? {}
    const files = isWhole && changedSince(commit)
    return !files || isIn(areas[name], files)
  }
  const lookedAt = (name) => measured[name]?.at ?? 0
  return Object.keys(areas)
    .filter(isDue)
    .sort((a, b) => lookedAt(a) - lookedAt(b))
}

function isIn({ mutate, tests }, files) {
  const matches = (globs) => files.filter((file) => globs.some((glob) => patternOf(glob).test(file)))
  const others = matches(mutate.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)))
  const code = matches(mutate.filter((glob) => !glob.startsWith('!')))
  const own = matches(tests.map((test) => `test/${test}.test.ts`))
  return [...code, ...own].some((file) => !others.includes(file))
}

/** A glob of test/mutants/areas.mjs as a regular expression. */
function patternOf(glob) {
  const pattern = glob
    .replaceAll('.', '\\.')
    .replace(/\{([^}]*)\}/g, (_, names) => `(${names.replaceAll(',', '|')})`)
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(.*/)?'))
  return new RegExp(`^${pattern}$`)
}
