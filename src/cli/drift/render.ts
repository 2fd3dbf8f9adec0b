import { plural } from '../output.ts'
import type { Difference } from './changes.ts'

export const formats = ['text', 'json', 'markdown'] as const
export type Format = (typeof formats)[number]

/** The result of a comparison. */
export interface Report {
  /** The version the newer description states. */
  readonly version: string
  /** The version of the contract that Petri serves. */
  readonly served: string
  readonly differences: readonly Difference[]
  /** The number of differences that are omitted because they are known. */
  readonly accepted: number
}

export const render = (report: Report, format: Format): string =>
  format === 'json'
    ? JSON.stringify(report, null, 2)
    : format === 'markdown'
      ? markdown(report)
      : text(report)

const headings = [
  ['operation', 'Operations'],
  ['event', 'Events'],
  ['parameter', 'Parameters'],
  ['field', 'Fields'],
  ['value', 'Values of enums'],
] as const

const signs = { added: '+', gone: '-', changed: '~' } as const
/** The maximum number of listed users of a schema. */
const MAX_NAMED = 3

const summaryOf = ({ version, served, differences, accepted }: Report): string => {
  const count = differences.length === 0 ? 'No differences' : plural(differences.length, 'difference')
  const rest = accepted === 0 ? '' : `; ${plural(accepted, 'known difference')} left out`
  return `${count} between version ${version} and what Petri serves (${served})${rest}.`
}

const sections = ({ differences }: Report) =>
  headings
    .map(([kind, heading]) => ({ heading, found: differences.filter((each) => each.kind === kind) }))
    .filter(({ found }) => found.length > 0)

function text(report: Report): string {
  const lines = sections(report).flatMap(({ heading, found }) => [
    heading,
    ...found.map((each) => {
      const users = usersOf(each)
      return `  ${signs[each.change]} ${subjectOf(each)}${each.detail === '' ? '' : `: ${each.detail}`}${users === '' ? '' : `  (${users})`}`
    }),
    '',
  ])
  return [...lines, summaryOf(report)].join('\n')
}

function markdown(report: Report): string {
  const lines = sections(report).flatMap(({ heading, found }) => [
    `### ${heading}`,
    '',
    '| Change | What | Detail | Used by |',
    '|---|---|---|---|',
    ...found.map(
      (each) =>
        `| ${each.change} | ${code(subjectOf(each))} | ${code(each.detail)} | ${plainText(usersOf(each))} |`,
    ),
    '',
  ])
  return ['## Drift', '', summaryOf(report), '', ...lines].join('\n').trimEnd()
}

const subjectOf = ({ where, path }: Difference) => (path === '' ? where : `${where} ${path}`)

/** The users of a schema as text; empty for an operation or event. */
function usersOf({ where, used_by }: Difference): string {
  if (used_by.includes(where)) return ''
  const others = used_by.length - MAX_NAMED
  return used_by.slice(0, MAX_NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '')
}

const plainText = (words: string) => words.replace(/[\\|`<>*_[\]]/g, '\\$&').replace(/\s+/g, ' ')
const code = (words: string) => (words === '' ? '' : `\`${words.replace(/[`|\s]+/g, ' ')}\``)
