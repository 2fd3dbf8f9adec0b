// Mutation testing, one area after another: node scripts/mutants.mjs [area...] [file.ts...]. With --changed, the areas of the change.
import { spawnSync } from 'node:child_process'
import { areas } from '../test/mutants/areas.mjs'
import { changedFiles } from './ci/changed-files.mjs'

const isFile = (argument) => argument.endsWith('.ts')
const isOption = (argument) => argument === '--changed'
const wanted = process.argv.slice(2).filter((argument) => !isFile(argument) && !isOption(argument))
const files = process.argv.slice(2).filter(isFile)
const unknown = wanted.filter((name) => !(name in areas))
if (unknown.length > 0) {
  console.error(`There is no area ${unknown.join(', ')}; there are ${Object.keys(areas).join(', ')}.`)
  process.exit(2)
}
const narrowing = files.length > 0 ? ['--mutate', files.join(',')] : []
const chosen = process.argv.some(isOption) ? changedAreas(changedFiles() ?? []) : Object.keys(areas)
console.log(`Areas: ${(wanted.length > 0 ? wanted : chosen).join(', ') || 'none has changed'}`)
for (const name of wanted.length > 0 ? wanted : chosen) {
  const env = { ...process.env, MUTATION_AREA: name }
  const { status } = spawnSync('npx', ['stryker', 'run', 'test/mutants/stryker.config.mjs', ...narrowing], {
    env,
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}

/** The areas with code or tests among these files. */
function changedAreas(changed) {
  return Object.keys(areas).filter((name) => {
    const { mutate, tests } = areas[name]
    const matches = (globs) => changed.filter((file) => globs.some((glob) => patternOf(glob).test(file)))
    const code = mutate.filter((glob) => !glob.startsWith('!'))
    const leftOut = mutate.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
    const others = matches(leftOut)
    return [...matches(code), ...matches(tests.map((test) => `test/${test}.test.ts`))].some(
      (file) => !others.includes(file),
    )
  })
}

/** A glob of test/mutants/areas.mjs as a regular expression. */
function patternOf(glob) {
  const pattern = glob
    .replaceAll('.', '\\.')
    .replace(/\{([^}]*)\}/g, (_, names) => `(${names.replaceAll(',', '|')})`)
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(.*/)?'))
  return new RegExp(`^${pattern}$`)
}
