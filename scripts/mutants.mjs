// Mutation testing, one area after another: node scripts/mutants.mjs [area...]
import { spawnSync } from 'node:child_process'
import { areas } from '../test/mutants/areas.mjs'

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in areas))
if (unknown.length > 0) {
  console.error(`There is no area ${unknown.join(', ')}; there are ${Object.keys(areas).join(', ')}.`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : Object.keys(areas)) {
  const env = { ...process.env, MUTATION_AREA: name }
  const { status } = spawnSync('npx', ['stryker', 'run', 'test/mutants/stryker.config.mjs'], {
    env,
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
