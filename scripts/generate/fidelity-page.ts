import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyOperation } from '../../src/api/operation.ts'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import { assertionsOf, readRecordings, sources } from '../recordings.ts'
import { knownOfProviders } from './providers-page.ts'

const kinds = ['specification', 'published', 'observed', 'in part assumed', 'assumed'] as const
type Kind = (typeof kinds)[number]

/** The latest result of `scripts/compare-walk.mjs` at the live sandbox. */
interface Walked {
  readonly date: string
  readonly result: string
}

/** `docs/evidence/fidelity.md`: what each rule rests on. */
export function fidelityPage(operations: readonly AnyOperation[], walked = readWalked()): string {
  const files = readRecordings()
  const pages = contractPages()
  const all = files.flatMap(({ recordings }) => recordings)
  const rules = pages.flatMap(({ rules: own }) => own)
  const assumed = rules.filter((rule) => ['assumed', 'in part assumed'].includes(kindOf(rule)))
  const assumptions = operations.reduce((sum, { assumes = [] }) => sum + assumes.length, 0)
  return `${[
    "# Sources of Petri's behaviour",
    '',
    'Look up how each behaviour of the live service is known before you rely on it. `npm run generate` writes this page from the',
    '[rules](../contract/README.md) and the [recordings](../../test/contract/recordings).',
    '',
    `- **Observed**: ${all.length} recordings with ${sum(all.map(assertionsOf))} asserted fields. \`npm run fidelity\` makes their calls and`,
    '  compares each field of the replies.',
    `- **Published**: \`/openapi.json\` is compared with the published document. Of ${rules.length} rules in words,`,
    `  ${rules.length - assumed.length} are published, observed, or specified.`,
    `- **Assumed**: ${assumed.length} rules, wholly or in part, and ${assumptions} [notes on single operations](../../SUPPORTED.md#assumed).`,
    `- **Walked**: ${walked ? `on ${walked.date}, ${walked.result}` : 'not yet'}. \`scripts/compare-walk.mjs\` makes random legal sequences of calls`,
    '  here and at the live sandbox, and compares the replies.',
    '',
    'A difference from what you see at the live service is a bug. `petri verify` finds it, and a recording of it is a few lines of YAML.',
    '',
    '## Observed',
    '',
    '| Known by | Recordings |',
    '|---|---|',
    ...Object.entries(sources).map(
      ([source, words]) => `| ${words} | ${all.filter((each) => each.source === source).length} |`,
    ),
    '',
    'If a recording contradicts the specification or the documentation, Petri follows the latter by default. *With a switch* counts the',
    'recordings that need a setting, which the recording names.',
    '',
    '| Recordings | Rules | Recorded live | In all | With a switch |',
    '|---|---|---|---|---|',
    ...files.map(({ file, topic, rules: own, recordings }) => {
      const live = recordings.filter(({ source }) => source === 'recorded').length
      const switched = recordings.filter(({ like, features }) => like || features).length
      const pages = own.map((page) => `[${page}](../contract/${page}.md)`).join(', ')
      return `| [${topic}](../../test/contract/recordings/${file}) | ${pages} | ${live || ''} | ${recordings.length} | ${switched || ''} |`
    }),
    '',
    '## Rules',
    '',
    'No source covers the assumed rules, or not completely. Check them at the live service before you rely on them: the column *Known* of',
    'each page marks them, and the sources of the providers.',
    '',
    `| Page | ${kinds.join(' | ')} |`,
    `|---|${kinds.map(() => '---').join('|')}|`,
    ...pages.map(({ name, title, rules: own }) => {
      const counts = kinds.map((kind) => own.filter((rule) => kindOf(rule) === kind).length || '')
      return `| [${title}](../contract/${name}.md) | ${counts.join(' | ')} |`
    }),
  ].join('\n')}\n`
}

function readWalked(): Walked | undefined {
  const file = join(packageFolder('docs'), '../test/contract/walk.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** How each rule of a page is known, in its words: the last cell of the tables whose last column is `Known`; of providers, their values. */
function contractPages() {
  const folder = join(packageFolder('docs'), 'contract')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => {
      const name = file.replace(/\.md$/, '')
      const lines = readFileSync(join(folder, file), 'utf8').split('\n')
      const rules = name === 'providers' ? knownOfProviders() : [...rulesIn(lines)]
      return { name, title: (lines[0] ?? '').replace(/^# /, ''), rules }
    })
    .filter(({ rules }) => rules.length > 0)
}

function* rulesIn(lines: readonly string[]): Generator<string> {
  let isRule = false
  for (const line of lines) {
    const known = /(?<!\\)\| ([^|]*?) \|$|^\|.*\|(-+)\|$/.exec(line)?.slice(1).find(Boolean)
    if (known === undefined) isRule = false
    else if (known === 'Known') isRule = true
    else if (isRule && !/^-+$/.test(known)) yield known
  }
}

function kindOf(known: string): Kind {
  if (known === 'assumed') return 'assumed'
  if (known.includes('assumed')) return 'in part assumed'
  if (/observed|reported|recorded/.test(known)) return 'observed'
  return known.includes('specification') ? 'specification' : 'published'
}
