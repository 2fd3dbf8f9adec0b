// Mutation testing, one area after another: node scripts/mutants.mjs [area...] [file.ts...]
import { spawnSync } from 'node:child_process'
import { areas } from '../test/mutants/areas.mjs'

const isFile = (argument) => argument.endsWith('.ts')
const wanted = process.argv.slice(2).filter((argument) => !isFile(argument))
const files = process.argv.slice(2).filter(isFile)
const unknown = wanted.filter((name) => !(name in areas))
if (unknown.length > 0) {
  console.error(`There is no area ${unknown.join(', ')}; there are ${Object.keys(areas).join(', ')}.`)
  process.exit(2)
}
const narrowing = files.length > 0 ? ['--mutate', files.join(',')] : []
for (const name of wanted.length > 0 ? wanted : Object.keys(areas)) {
  const env = { ...process.env, MUTATION_AREA: name }
  const { status } = spawnSync('npx', ['stryker', 'run', 'test/mutants/stryker.config.mjs', ...narrowing], {
    env,
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
