// Runs steps of .ci/steps.json one after the other, up to the first that fails: see .ci/run. With --list it prints the names as JSON.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { changedFiles } from './changed-files.mjs'

/** A step that takes longer hangs, unless it has `minutes` of its own. */
const LIMIT_MINUTES = 20
/** After this, a push leaves steps of the night to the night. */
const NIGHT_STEPS_MINUTES = 45

const { values: options } = parseArgs({
  options: {
    steps: { type: 'string', default: '.ci/steps.json' },
    all: { type: 'boolean' },
    lane: { type: 'string' },
    only: { type: 'string' },
    list: { type: 'boolean' },
  },
})
const lanes = JSON.parse(readFileSync(options.steps, 'utf8'))
const chosen = chooseSteps()
if (options.list) console.log(JSON.stringify(chosen.map(({ name }) => name)))
else runAll()

function chooseSteps() {
  const all = Object.values(lanes).flat()
  if (options.all) return all
  if (options.only) return named(all)
  if (options.lane) return lanes[options.lane] ?? fail(`There is no lane ${options.lane}.`)
  const files = changedFiles()
  // On the error stream, as --list prints JSON.
  if (!files)
    console.error('The change is unknown without an earlier commit: steps of the night are left out.')
  const guarding = lanes.night.filter((step) => guards(step, files ?? []))
  return [...lanes.push, ...guarding.map((step) => ({ ...step, latestStart: NIGHT_STEPS_MINUTES }))]
}

function named(all) {
  const found = all.filter(({ name }) => name === options.only)
  return found.length > 0 ? found : fail(`There is no step ${options.only}.`)
}

/** Whether a step guards one of these files. */
function guards(step, files) {
  return step.guards.some((path) => files.some((file) => file === path || file.startsWith(`${path}/`)))
}

function runAll() {
  const durations = []
  for (const {
    name,
    run,
    needs,
    minutes = LIMIT_MINUTES,
    latestStart = Number.POSITIVE_INFINITY,
  } of chosen) {
    console.log(`\n== ${name}: ${run}`)
    if (performance.now() > latestStart * 60_000) {
      console.log(`left to the night: ${latestStart} minutes have passed`)
      continue
    }
    if (needs && !isInstalled(needs)) {
      console.log(`left out: there is no ${needs}`)
      continue
    }
    const startedAt = performance.now()
    const { status, signal } = spawnSync('bash', ['-c', run], {
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: minutes * 60_000,
    })
    durations.push({ step: name, seconds: Math.round((performance.now() - startedAt) / 1000) })
    if (status !== 0) return fail(`\n${name} failed: ${signal ?? `exit status ${status}`}`)
  }
  console.table(durations)
  console.log('All is well.')
}

function isInstalled(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

function fail(reason) {
  console.error(reason)
  process.exit(1)
}
