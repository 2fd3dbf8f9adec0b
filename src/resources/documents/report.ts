import { entriesOf } from '../../kernel/fields.ts'
import { toLocalIso } from '../../kernel/instant.ts'
import { groupBy } from '../../kernel/list.ts'
import type { World } from '../../world/world.ts'
import type { OrderRow } from '../orders/table.ts'
import { editionOf, laboratoryOf, type Report, type ResultLine } from '../results/service.ts'
import { LEFT, type Letter, newLetter, RIGHT, WIDTH } from './paper.ts'
import { dateFor, inWords, moment } from './requisition.ts'

type MissingLine = NonNullable<Report['missing_results']>[number]

/** Positions of the columns, in points. */
const columns = {
  name: LEFT + 4,
  result: LEFT + 218,
  flag: LEFT + 306,
  unit: LEFT + 376,
  range: LEFT + 446,
} as const
const titles: Readonly<Record<keyof typeof columns, string>> = {
  name: 'Test',
  result: 'Result',
  flag: 'Flag',
  unit: 'Units',
  range: 'Reference interval',
}
const RESULT_WIDTH = columns.flag - columns.result - 6
const NAME_WIDTH = columns.result - columns.name - 8

/** A laboratory's report with the same header, results and missing results as the JSON; the latest order first. */
export async function reportDocument(
  world: World,
  orders: readonly [OrderRow, ...OrderRow[]],
  report: Report,
): Promise<Uint8Array> {
  const [order] = orders
  const { metadata } = report
  const isMerged = orders.length > 1
  const letter = await newLetter({
    title: `Laboratory report ${metadata.specimen_number}`,
    subject: `Order ${order.id}`,
    at: Date.parse(metadata.date_reported),
    lab: laboratoryOf(world, order),
    kind: isMerged ? 'COMBINED LABORATORY REPORT' : 'LABORATORY REPORT',
    mark: markOf(orders, metadata.status),
    barcode: metadata.specimen_number || null,
    foot: isMerged ? `Order transaction ${report.order_transaction?.id}` : `Order ${order.id}`,
  })
  writeHead(letter, orders, report)
  writeTable(letter, report.results)
  if (metadata.status === 'partial') {
    letter.skip(6)
    letter.paragraph('Partial report: further results will follow.', { bold: true })
  }
  writeComments(letter, report.results)
  if (report.missing_results) writeMissing(letter, report.missing_results)
  writeSamples(letter, report)
  return letter.finish()
}

const markOf = (orders: readonly OrderRow[], status: string): string =>
  orders.some((order) => editionOf(order)?.status === 'corrected') ? 'CORRECTED' : status.toUpperCase()

type SampleInformation = NonNullable<Report['sample_information']>[string]

/** A stamp of a sample as the clocks showed it where it was drawn. */
function stampOf(
  order: OrderRow,
  stamp: SampleInformation['date_collected'],
  instant: string | null,
): string | null {
  if (stamp === null || instant === null || typeof stamp === 'string') return moment(order, instant)
  const local = toLocalIso(Date.parse(instant), stamp.timezone_offset)
  return `${dateFor(order, local)} ${local.slice(11, 16)} UTC${local.slice(19)}`
}

function writeHead(
  letter: Letter,
  [order, ...others]: readonly [OrderRow, ...OrderRow[]],
  report: Report,
): void {
  const { metadata, sample_information: samples } = report
  const sample = samples?.[metadata.specimen_number] ?? Object.values(samples ?? {})[0]
  const { gender, dob } = order.patient_details ?? {}
  letter.facts(4, [
    ['Patient', metadata.patient],
    ['Date of birth', dateFor(order, dob)],
    ['Age', metadata.age],
    ['Sex', gender && inWords(gender)],
    ['Specimen', metadata.specimen_number],
    ['Collected', stampOf(order, sample?.date_collected ?? null, metadata.date_collected)],
    ['Received', stampOf(order, sample?.date_received ?? null, metadata.date_received)],
    ['Reported', stampOf(order, sample?.date_reported ?? null, metadata.date_reported)],
    ['Ordering physician', metadata.provider],
    ['NPI', order.physician?.npi],
    ['Account', metadata.account_id],
    ['Interpretation', metadata.interpretation && inWords(metadata.interpretation)],
  ])
  letter.facts(2, [
    ['Test', order.lab_test.name],
    [others.length > 0 ? 'Orders' : 'Order', [order, ...others].map(({ id }) => id).join(' ')],
  ])
  letter.skip(6)
}

function writeTable(letter: Letter, lines: readonly ResultLine[]): void {
  const { page, y } = letter.room(18)
  page.fill(LEFT, y, WIDTH, 16, 'accent')
  const head = { size: 8, bold: true, colour: 'white' } as const
  for (const [column, title] of entriesOf(titles)) page.text(columns[column], y + 11, title, head)
  const groups = groupsOf(lines)
  const hasPanels = [...groups.values()].some((group) => group.length > 1)
  for (const [name, group] of groups) {
    if (hasPanels) writeGroupName(letter, name)
    for (const line of group) writeLine(letter, line)
  }
}

/** Lines by the marker they were ordered with, in the order of the report. */
const groupsOf = (lines: readonly ResultLine[]): Map<string, ResultLine[]> =>
  groupBy(lines, ({ source_markers }) => source_markers?.[0]?.name ?? 'Other')

function writeGroupName(letter: Letter, name: string): void {
  const { page, y } = letter.room(16)
  page.fill(LEFT, y + 1, WIDTH, 14, 'shade')
  page.text(columns.name, y + 11, name, { size: 8.5, bold: true })
}

/** The flag column: the laboratory's letters and their meaning. */
const flagOf = ({ interpretation, source_interpretation: letters }: ResultLine): string =>
  interpretation === 'normal' ? letters : `${letters} ${inWords(interpretation)}`.trim()

function writeLine(letter: Letter, line: ResultLine): void {
  const { paper } = letter
  const isFlagged = line.interpretation === 'abnormal' || line.interpretation === 'critical'
  const style = isFlagged ? ({ bold: true, colour: 'alarm' } as const) : { bold: false }
  const names = paper.wrap(line.name, NAME_WIDTH)
  const fits = paper.widthOf(line.result, style) <= RESULT_WIDTH
  const below = fits ? [] : paper.wrap(line.result, RIGHT - columns.name - 16, style)
  const { page, y } = letter.room(4 + names.length * 11 + below.length * 11)
  for (const [at, name] of names.entries()) page.text(columns.name, y + 10 + at * 11, name)
  if (fits) page.text(columns.result, y + 10, line.result, style)
  page.text(columns.flag, y + 10, flagOf(line), { ...style, size: 8 })
  page.text(columns.unit, y + 10, line.unit ?? '', { size: 8 })
  page.text(columns.range, y + 10, line.reference_range ?? '', { size: 8 })
  for (const [at, text] of below.entries())
    page.text(columns.name + 12, y + 10 + (names.length + at) * 11, text, style)
  page.line(LEFT, y + 3 + (names.length + below.length) * 11, RIGHT, 'shade')
}

/** The laboratory's comments; a note that repeats its result is none. */
function writeComments(letter: Letter, lines: readonly ResultLine[]): void {
  const commented = lines.filter(({ notes, result }) => notes !== null && notes !== result)
  if (commented.length === 0) return
  letter.heading('Comments')
  for (const note of new Set(commented.map(({ notes }) => String(notes)))) {
    const names = commented.filter(({ notes }) => notes === note).map(({ name }) => name)
    letter.paragraph(names.length === lines.length ? note : `${names.join(', ')}: ${note}`)
  }
}

function writeMissing(letter: Letter, lines: readonly MissingLine[]): void {
  letter.heading('Not reported')
  for (const { name, note, inferred_failure_type } of lines) {
    const { page, y } = letter.room(14)
    page.text(columns.name, y + 10, name)
    page.text(columns.result, y + 10, note ?? '')
    page.text(RIGHT, y + 10, inWords(inferred_failure_type), { size: 8, colour: 'grey', align: 'right' })
  }
}

function writeSamples(letter: Letter, { sample_information }: Report): void {
  letter.heading('Specimens and performing laboratory')
  for (const sample of Object.values(sample_information ?? {})) {
    const [lab] = Object.values(sample.performing_laboratories ?? {})
    letter.facts(4, [
      ['Specimen', sample.sample_id],
      ['Control number', sample.control_number],
      ['Laboratory', lab?.name],
      ['Medical director', lab?.medical_director],
      ['Fasting', sample.clinical_information?.fasting ? 'Yes' : 'No'],
      ['Telephone', lab?.phone_number],
      ['Clinical notes', sample.clinical_information?.notes],
    ])
    if (sample.clinical_information?.information) letter.paragraph(sample.clinical_information.information)
  }
}
