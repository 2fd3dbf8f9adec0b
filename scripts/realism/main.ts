import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { labSections } from './labs.ts'
import type { Size } from './people.ts'
import { personaSections } from './personas.ts'
import { parts, type Result, type Section } from './section.ts'
import { wearableSections } from './wearables.ts'

export const sections: readonly Section[] = [...labSections, ...wearableSections, ...personaSections]

const usual: Size = { people: 400, days: 90 }
const MAX_DAYS = 300

/** Runs the report with the arguments of the command line, and writes the page if asked for. */
export async function runReport(args: readonly string[], page: URL): Promise<void> {
  const { size, only, writes } = read(args)
  const found = new Map<string, Result[]>()
  let [holding, all] = [0, 0]
  for (const one of sections) {
    const names = new Set(one.names.filter((name) => isWanted(one, name, only)))
    if (names.size === 0) continue
    const start = performance.now()
    const results = await one.run(size, names)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${one.title} (${seconds} s)\n${results.map(textOf).join('\n')}\n`)
    found.set(one.title, [...(found.get(one.title) ?? []), ...results])
    holding += results.filter(holds).length
    all += results.length
  }
  if (all === 0) throw new Error(`No row has "${only}" in its name. Parts: ${parts.join(', ')}.`)
  const outcome = `${holding} of ${all} hold: ${size.people} people, ${size.days} days.`
  console.log(outcome)
  if (!writes) return
  await writeFile(page, `${INTRODUCTION}\n${outcome}\n\n${[...found].map(pageOf).join('\n')}`)
}

function read(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      people: { type: 'string', default: String(usual.people) },
      days: { type: 'string', default: String(usual.days) },
      only: { type: 'string', default: '' },
      write: { type: 'boolean', default: false },
    },
  })
  const size = {
    people: numberOf('people', values.people, 10_000),
    days: numberOf('days', values.days, MAX_DAYS),
  }
  if (values.write && values.only !== '')
    throw new Error('The page has all rows: --write goes without --only.')
  return { size, only: values.only, writes: values.write }
}

function numberOf(name: string, text: string, most: number): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 2 && number <= most) return number
  throw new Error(`--${name} takes a whole number from 2 to ${most}; it is "${text}".`)
}

const isWanted = ({ part, title }: Section, name: string, only: string): boolean =>
  part === only || `${title} ${name}`.toLowerCase().includes(only.toLowerCase())

const holds = ({ value, low, high }: Result): boolean => value >= low && value <= high

function verdictOf(result: Result): string {
  if (Number.isNaN(result.value)) return 'not measured'
  return holds(result) ? 'holds' : 'misses'
}

const HEADER = '| Claim | Figure | Target | Source |\n|---|---|---|---|'

/** A section of the page. */
const pageOf = ([title, results]: readonly [string, readonly Result[]]): string =>
  `## ${title}\n\n${HEADER}\n${results.map(lineOf).join('\n')}\n`

function lineOf(result: Result): string {
  const figure = holds(result) ? shown(result.value) : `**${shown(result.value)}, missed**`
  return `| ${result.name} | ${figure} | ${bandOf(result)} | ${result.source} |`
}

const textOf = (result: Result): string =>
  `  ${verdictOf(result).padEnd(12)} ${result.name}: ${shown(result.value)} (${bandOf(result)})`

function bandOf({ low, high }: Result): string {
  if (low === -Infinity) return high === 0 ? 'none' : `≤ ${shown(high)}`
  return high === Infinity ? `≥ ${shown(low)}` : `${shown(low)} to ${shown(high)}`
}

/** Three significant digits. */
function shown(value: number): string {
  if (Number.isNaN(value)) return '–'
  return String(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3))).replace('-', '−')
}

const INTRODUCTION = `# Realism

See how near the generated people come to published figures. \`npm run realism -- --write\` writes this page; the same seed
gives the same values. Targets are bands around the published figure. Figures of NHANES 2017–18, LifeSnaps and
Fitness Tracker Data were calculated from their public data.

\`npm run realism -- --only labs --people 60\` measures a part: \`labs\`, \`wearables\`, \`personas\`, \`coherence\`, or rows by name.
`
