import { isObject } from '../../kernel/json.ts'
import { plural } from '../../kernel/readable.ts'
import { escapeLine } from '../../terminal/context.ts'
import { UsageProblem } from '../../terminal/errors.ts'
import { nodesIn } from './description.ts'

/** A difference between two descriptions, or between the replies of two services. */
export interface Difference {
  readonly kind: keyof typeof headings
  /** `added`: only in the newer description or the other service; `gone`: only in Petri. */
  readonly change: 'added' | 'gone' | 'changed'
  /** An operation, an event, or a schema by its name in the newer description. */
  readonly where: string
  /** The path of a field or parameter; empty for the whole schema. */
  readonly path: string
  readonly detail: string
  /** The operations and events it affects. */
  readonly used_by: readonly string[]
}

/** The result of a comparison. */
export interface DriftReport {
  readonly differences: readonly Difference[]
  /** The number of differences that are omitted because they are known. */
  readonly accepted: number
}

/** The title and the subject of a report, in words. */
export interface Wording {
  readonly title: string
  /** Such as `between version 2 and what Petri serves`. */
  readonly between: string
}

/** The kinds of differences in the order of a report, with their headings. */
const headings = {
  operation: 'Operations',
  event: 'Events',
  parameter: 'Parameters',
  status: 'Statuses',
  header: 'Headers',
  field: 'Fields',
  order: 'Order of fields and rows',
  value: 'Values of enums',
  text: 'Texts and other values',
} as const

/** The format of a report: text without either. */
export interface Format {
  readonly json?: boolean
  readonly markdown?: boolean
}

export function assertOneFormat({ json, markdown }: Format): void {
  if (json && markdown)
    throw new UsageProblem('--json and --markdown are two formats; leave out one of them.')
}

/** Identifies a difference in every run, regardless of which operations use the schema. */
export const keyOf = ({ kind, change, where, path, detail }: Omit<Difference, 'used_by'>): string =>
  JSON.stringify([kind, change, where, path, detail])

/** The differences of an earlier report as JSON. */
export const differencesIn = (report: unknown): Difference[] =>
  nodesIn(isObject(report) ? report.differences : undefined).map((each) => each as unknown as Difference)

export function render(report: DriftReport, { json, markdown }: Format, wording: Wording): string {
  if (json) return JSON.stringify(report, null, 2)
  return markdown ? asMarkdown(report, wording) : asText(report, wording)
}

const signs = { added: '+', gone: '-', changed: '~' } as const
/** The maximum number of listed users of a schema. */
const MAX_NAMED = 3

function summaryOf({ differences, accepted }: DriftReport, { between }: Wording): string {
  const count = differences.length === 0 ? 'No differences' : plural(differences.length, 'difference')
  const rest = accepted === 0 ? '' : `; ${plural(accepted, 'known difference')} left out`
  return `${count} ${between}${rest}.`
}

const sections = ({ differences }: DriftReport) =>
  Object.entries(headings)
    .map(([kind, heading]) => ({ heading, found: differences.filter((each) => each.kind === kind) }))
    .filter(({ found }) => found.length > 0)

function asText(report: DriftReport, wording: Wording): string {
  const lines = sections(report).flatMap(({ heading, found }) => [
    heading,
    ...found.map((each) => {
      const detail = each.detail && `: ${shortened(each.detail)}`
      const users = usersOf(each)
      return escapeLine(`  ${signs[each.change]} ${subjectOf(each)}${detail}${users && `  (${users})`}`)
    }),
    '',
  ])
  return [...lines, summaryOf(report, wording)].join('\n')
}

function asMarkdown(report: DriftReport, wording: Wording): string {
  const lines = sections(report).flatMap(({ heading, found }) => [
    `### ${heading}`,
    '',
    '| Change | What | Detail | Used by |',
    '|---|---|---|---|',
    ...found.map(
      (each) =>
        `| ${each.change} | ${code(subjectOf(each))} | ${code(shortened(each.detail))} | ${plainText(usersOf(each))} |`,
    ),
    '',
  ])
  return [`## ${wording.title}`, '', summaryOf(report, wording), '', ...lines].join('\n').trimEnd()
}

/** The maximum number of characters of a detail; a report as JSON has all of them. */
const MAX_DETAIL = 300

const shortened = (detail: string) =>
  detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}...` : detail

const subjectOf = ({ where, path }: Difference) => [where, path].filter(Boolean).join(' ')

/** The users of a schema as text; empty for an operation or event. */
function usersOf({ where, used_by }: Difference): string {
  if (used_by.includes(where)) return ''
  const others = used_by.length - MAX_NAMED
  return used_by.slice(0, MAX_NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '')
}

const plainText = (words: string) => words.replace(/[\\|`<>*_[\]]/g, '\\$&').replace(/\s+/g, ' ')
const code = (words: string) => (words === '' ? '' : `\`${words.replace(/[`|\s]+/g, ' ')}\``)
