import { readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { version } from '../../api/version.ts'
import { isObject } from '../../kernel/json.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { whyUnreadable } from '../../kernel/reason.ts'
import { CommandFailed, UsageProblem } from '../config.ts'
import { print } from '../context.ts'
import { compareDescriptions, type Difference } from '../drift/compare.ts'
import { type Description, nodesIn, readDescription } from '../drift/description.ts'
import { plural } from '../output.ts'
import { exampleText } from '../remote.ts'

const formats = ['text', 'json', 'markdown'] as const
type Format = (typeof formats)[number]

interface DriftOptions {
  readonly format: string
  readonly accept?: string
  readonly all?: boolean
  readonly json?: boolean
}

export function register(program: Command): void {
  program
    .command('drift')
    .argument('<file>', 'an OpenAPI document, JSON or YAML; "-" reads standard input')
    .description(
      'compare a newer description of the service with what Petri serves; exit status 0 without differences, 1 with some, 2 if a file cannot be read',
    )
    .option('--format <format>', formats.join(', '), 'text')
    .option('--accept <file>', 'leave out the differences in this file, an earlier report as JSON')
    .option('--all', 'also show the intended differences, which are left out by default')
    .option('--json', 'same as --format json')
    .addHelpText(
      'after',
      exampleText([
        'petri drift openapi.json',
        'petri drift openapi.json --format markdown >> "$GITHUB_STEP_SUMMARY"',
        'petri drift openapi.json --json > accepted.json    later: petri drift openapi.json --accept accepted.json',
      ]),
    )
    .action(drift)
}

async function drift(file: string, options: DriftOptions): Promise<void> {
  const format = options.json ? 'json' : formatOf(options.format)
  const newer = await describe(file)
  const served = readDescription(JSON.parse(await readFile(inPackage('openapi.json'), 'utf8')))
  const all = withUsageErrors(file, () => compareDescriptions(newer, served))
  assertSameService(file, newer, all)
  const known = new Set([
    ...(options.all ? [] : keysOf(JSON.parse(await readFile(inPackage('known-drift.json'), 'utf8')))),
    ...(options.accept === undefined ? [] : keysOf(await readDocument(options.accept))),
  ])
  const differences = all.filter((each) => !known.has(keyOf(each)))
  const { info } = newer.document
  const report = {
    version: isObject(info) && typeof info.version === 'string' ? info.version : 'unknown',
    served: version.contract,
    differences,
    accepted: all.length - differences.length,
  }
  print(render(report, format))
  if (differences.length > 0) throw new CommandFailed()
}

const inPackage = (name: string) => join(packageFolder('dist'), name)

function formatOf(text: string): Format {
  const format = formats.find((known) => known === text)
  if (format === undefined)
    throw new UsageProblem(`--format should be one of ${formats.join(', ')}; it is "${text}".`)
  return format
}

/** Identifies a difference in every run, regardless of which operations use the schema. */
const keyOf = ({ kind, change, where, path, detail }: Omit<Difference, 'used_by'>): string =>
  JSON.stringify([kind, change, where, path, detail])

const keysOf = (report: unknown): string[] =>
  nodesIn(isObject(report) ? report.differences : undefined).map((each) =>
    keyOf(each as unknown as Difference),
  )

/** The maximum size of a description, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024

const describe = async (file: string): Promise<Description> => {
  const document = await readDocument(file)
  return withUsageErrors(file, () => readDescription(document))
}

async function readDocument(file: string): Promise<unknown> {
  const text = withUsageErrors(file, () => {
    if (file !== '-' && statSync(file).size > MAX_BYTES) throw new Error('is larger than 32 MB')
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  })
  if (text.length > MAX_BYTES) throw new UsageProblem(`${nameOf(file)} is larger than 32 MB.`)
  if (/^\s*\{/.test(text)) return withUsageErrors(file, () => JSON.parse(text))
  const { parse } = await import('yaml')
  return withUsageErrors(file, () => parse(text))
}

function withUsageErrors<Value>(file: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== undefined && /^E[A-Z]+$/.test(code))
      throw new UsageProblem(`${whyUnreadable(nameOf(file), error)}.`)
    const reason = /^is /.test(message) ? message : `cannot be read: ${message.split('\n')[0]}`
    throw new UsageProblem(`${nameOf(file)} ${reason}.`)
  }
}

const nameOf = (file: string) => (file === '-' ? 'Standard input' : file)

function assertSameService(
  file: string,
  { operations }: Description,
  differences: readonly Difference[],
): void {
  const isAdded = (each: Difference) => each.kind === 'operation' && each.change === 'added'
  if (differences.filter(isAdded).length < operations.size) return
  throw new UsageProblem(
    `${nameOf(file)} has no operation that Petri serves. Is it a description of this service?`,
  )
}

/** The result of a comparison. */
interface Report {
  /** The version the newer description states. */
  readonly version: string
  /** The version of the contract that Petri serves. */
  readonly served: string
  readonly differences: readonly Difference[]
  /** The number of differences that are omitted because they are known. */
  readonly accepted: number
}

export function render(report: Report, format: Format): string {
  if (format === 'json') return JSON.stringify(report, null, 2)
  return format === 'markdown' ? markdown(report) : text(report)
}

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

function summaryOf({ version, served, differences, accepted }: Report): string {
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
      const detail = each.detail && `: ${each.detail}`
      const users = usersOf(each)
      return `  ${signs[each.change]} ${subjectOf(each)}${detail}${users && `  (${users})`}`
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
