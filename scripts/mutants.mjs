// Mutation testing, one area after another: node scripts/mutants.mjs [area...] [file.ts...]. With --changed, the areas of the
// change; with --minutes 60, those that are due, until the time is up. What was not reached is the first of the next time.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { areas } from '../test/mutants/areas.mjs'
import { changedFiles } from './ci/changed-files.mjs'
import { areasWith, dueAreas } from './ci/mutant-areas.mjs'

const cache = 'node_modules/.cache/petri/mutants'
/** When an area was measured last, at which commit, and whether to its end. */
const kept = `${cache}/measured.json`
const stryker = 'node_modules/@stryker-mutator/core/bin/stryker.js'

const { values: options, positionals } = parseArgs({
  options: { changed: { type: 'boolean' }, minutes: { type: 'string' } },
  allowPositionals: true,
})
const files = positionals.filter((argument) => argument.endsWith('.ts'))
const wanted = positionals.filter((argument) => !files.includes(argument))
const unknown = wanted.filter((name) => !(name in areas))
if (unknown.length > 0) {
  console.error(`There is no area ${unknown.join(', ')}; there are ${Object.keys(areas).join(', ')}.`)
  process.exit(2)
}
mkdirSync(cache, { recursive: true })
const measured = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {}
const head = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
const chosen = chooseAreas()
console.log(`Areas: ${chosen.join(', ') || 'none has changed'}`)
const minutes = options.minutes === undefined ? undefined : Number(options.minutes)
const cutOff = chosen.filter((name) => !measure(name))
if (cutOff.length > 0) console.log(`After ${minutes} minutes, these are left: ${cutOff.join(', ')}`)

function chooseAreas() {
  if (wanted.length > 0) return wanted
  if (options.changed) return areasWith(areas, changedFiles() ?? [])
  return options.minutes ? dueAreas(areas, measured, changedFiles) : Object.keys(areas)
}

/** Measures an area; returns false if the time is up before its end. */
function measure(name) {
  const left = minutes === undefined ? undefined : Math.round(minutes * 60_000 - performance.now())
  if (left !== undefined && left <= 0) return false
  const narrowing = files.length > 0 ? ['--mutate', files.join(',')] : []
  const { status, error } = spawnSync(
    process.execPath,
    [stryker, 'run', 'test/mutants/stryker.config.mjs', ...narrowing],
    { env: { ...process.env, MUTATION_AREA: name }, stdio: 'inherit', timeout: left },
  )
  const isWhole = error?.code !== 'ETIMEDOUT'
  if (isWhole && status !== 0) process.exitCode = 1
  if (files.length === 0) {
    measured[name] = { at: Date.now(), commit: head, isWhole }
    writeFileSync(kept, JSON.stringify(measured))
  }
  return isWhole
}
