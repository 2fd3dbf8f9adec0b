// Measures Petri against its budgets: `npm run bench`, `npm run bench -- --quick`, `npm run bench -- --write`, or some
// parts alone: `npm run bench -- felt`.
// Petri is installed like by a user, and run as installed. Exits with 1 if a gate is missed.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { budgets, isMet } from './budgets.mjs'
import { killAll } from './processes.mjs'
import { measureAdvance } from './rows/advance.mjs'
import { measureDeliveries } from './rows/deliveries.mjs'
import { measureCommands, measureHistories, measureKit, measureStart } from './rows/felt.mjs'
import { measureGrowth } from './rows/growth.mjs'
import { measureHealth } from './rows/health.mjs'
import { install } from './rows/install.mjs'
import { measureProxy } from './rows/proxy.mjs'
import { measureRequests, writeFacts } from './rows/requests.mjs'
import { measureStalls } from './rows/stalls.mjs'
import { readSection, writeSection } from './section.mjs'

const quick = process.argv.includes('--quick')
/** The versions of Node whose figures the page has, each in a column. */
const versions = ['20', '24']
/** What a user waits for first. */
const FELT = ['kit', 'histories', 'start', 'commands']
/** The parts to measure; all when none is named. */
const chosen = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--'))
  .flatMap((name) => (name === 'felt' ? FELT : name))
const folder = mkdtempSync(join(tmpdir(), 'petri-bench-'))
process.exitCode = 1
try {
  const values = await measure()
  const text = `Node ${process.version}, ${describeMachine()}\n\n${table(values)}`
  console.log(`\n${text}\n`)
  const { rates, stalls, deliveryRates } = values
  if (rates) console.log(`Requests a second: ${JSON.stringify(rates)}`)
  if (stalls) console.log(`Longest waits beside heavy calls, in ms: ${JSON.stringify(stalls)}`)
  if (deliveryRates) console.log(`Deliveries a second: ${JSON.stringify(deliveryRates)}`)
  if (process.argv.includes('--write')) {
    const section = ['evidence/benchmarks', 'budgets']
    writeSection(...section, `${describeMachine()}\n\n${pageTable(values, readSection(...section))}`)
  }
  const missed = budgets.filter(
    (budget) =>
      budget.gate && values[budget.value] !== undefined && !isMet(budget, values[budget.value], budget.gate),
  )
  for (const { what } of missed) console.error(`Gate missed: ${what}`)
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  killAll()
  rmSync(folder, { recursive: true, force: true })
}

async function measure() {
  const { main, values } = await told('install', async () => install(folder))
  const facts = await writeFacts(main, folder)
  const given = { main, folder, facts }
  const parts = {
    kit: () => measureKit({ ...given, rounds: quick ? 3 : 15 }),
    histories: () => measureHistories(given),
    start: () => measureStart({ ...given, rounds: quick ? 3 : 15 }),
    commands: () => measureCommands({ ...given, rounds: quick ? 3 : 15 }),
    requests: () => measureRequests({ ...given, rounds: quick ? 3 : 11, orders: quick ? 2000 : 4000 }),
    advance: () => measureAdvance({ ...given, rounds: quick ? 1 : 3 }),
    deliveries: () => measureDeliveries({ ...given, rounds: quick ? 3 : 9 }),
    health: () => measureHealth(given),
    proxy: () => measureProxy({ ...given, rounds: quick ? 3 : 11 }),
    stalls: () => measureStalls({ ...given, orders: quick ? 2000 : 20_000 }),
    growth: () => measureGrowth({ ...given, orders: quick ? 20_000 : 100_000 }),
  }
  const all = [values]
  const unknown = chosen.find((name) => !Object.hasOwn(parts, name))
  if (unknown)
    throw new Error(
      `There is no part ${unknown}; the parts are ${Object.keys(parts).join(', ')}; felt is the first four.`,
    )
  for (const [name, part] of Object.entries(parts))
    if (chosen.length === 0 || chosen.includes(name)) all.push(await told(name, part))
  return Object.assign({}, ...all)
}

async function told(name, part) {
  const start = performance.now()
  const values = await part()
  console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`)
  return values
}

function describeMachine() {
  const [{ model }] = cpus()
  const orders = quick ? ' A quick run: 20 k orders instead of 100 k, and few rounds.' : ''
  return `${cpus().length} cores (${model.trim()}), ${process.platform}; medians of interleaved rounds, 10 keep-alive connections.${orders}`
}

function table(values) {
  const rows = budgets
    .filter(({ value }) => values[value] !== undefined)
    .map((budget) => rowOf(budget, [measured(budget, values[budget.value])]))
  return ['| budget | goal | gate | measured |', '|---|---|---|---|', ...rows].join('\n')
}

/** The table of the page: what was measured now in the column of this Node, and the cells of the earlier table. */
function pageTable(values, earlier) {
  const own = versions.indexOf(process.versions.node.split('.')[0])
  const earlierRows = earlier.split('\n').map((row) => row.split(' | '))
  const rows = budgets.map((budget) => {
    const row = earlierRows.find(([what]) => what === `| ${budget.what}`) ?? []
    const cells = versions.map((_, index) => (row[3 + index] ?? '').replace(/ ?\|$/, ''))
    if (values[budget.value] !== undefined) cells[own] = measured(budget, values[budget.value])
    return rowOf(budget, cells)
  })
  const titles = versions.map((version) => `Node ${version}`).join(' | ')
  return [`| budget | goal | gate | ${titles} |`, '|---|---|---|---|---|', ...rows].join('\n')
}

function rowOf({ what, goal, gate, best }, cells) {
  const sign = best === 'low' ? '≤' : '≥'
  const limits = goal === undefined ? ['', ''] : [`${sign} ${goal}`, `${sign} ${gate}`]
  return `| ${[quick ? what.replace('100 k', '20 k') : what, ...limits, ...cells].join(' | ')} |`
}

function shown(value) {
  return value >= 10 ? value.toFixed(0) : value.toFixed(2)
}

/** The figure, marked where it misses the goal (*) or the gate (**). */
function measured(budget, value) {
  if (budget.goal === undefined || isMet(budget, value, budget.goal)) return shown(value)
  return isMet(budget, value, budget.gate) ? `${shown(value)} *` : `${shown(value)} **missed**`
}
