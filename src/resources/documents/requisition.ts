import { byName } from '../../kernel/fields.ts'
import type { World } from '../../world/world.ts'
import { FASTING } from '../catalogue/schema.ts'
import { insurances } from '../insurance/table.ts'
import { labAccounts } from '../lab-accounts/table.ts'
import { type OrderMetadata, type OrderRow, orderMetadata } from '../orders/table.ts'
import { expectedOf, laboratoryOf } from '../results/service.ts'
import { LEFT, type Letter, newLetter, type PdfPage, RIGHT, WIDTH } from './paper.ts'

type Answers = NonNullable<OrderMetadata['aoe_answers']>

/** The requisition form of an order. */
export async function requisitionDocument(world: World, order: OrderRow): Promise<Uint8Array> {
  const createdAt = reachedAt(order, 'requisition_created') ?? order.created_at
  const metadata = world.db.find(orderMetadata, order.id)
  const account = metadata?.lab_account_id ? world.db.find(labAccounts, metadata.lab_account_id) : undefined
  const letter = await newLetter({
    title: `Laboratory requisition ${order.sample_id ?? ''}`,
    subject: `Order ${order.id}`,
    at: Date.parse(createdAt),
    lab: laboratoryOf(world, order),
    kind: 'LABORATORY REQUISITION',
    mark: order.priority ? 'STAT' : 'ROUTINE',
    barcode: order.sample_id,
  })
  letter.facts(2, [
    ['Order', order.id],
    ['Account', [account?.provider_account_id, account?.account_name].filter(Boolean).join(' · ')],
  ])
  letter.facts(4, [
    ['Requisition / specimen', order.sample_id],
    ['Created', moment(order, createdAt)],
    ['Bill to', inWords(order.billing_type)],
    ['Collection', inWords(order.lab_test.method)],
  ])
  writePeople(letter, order)
  writeInsurance(letter, world, order)
  writeTests(letter, world, order)
  writeAnswers(letter, world, metadata?.aoe_answers ?? [])
  writeCollection(letter, order)
  return letter.finish()
}

function writePeople(letter: Letter, order: OrderRow): void {
  const { patient_details: patient, physician } = order
  letter.heading('Patient')
  letter.facts(3, [
    ['Name', patientName(order)],
    ['Date of birth', dateFor(order, patient?.dob)],
    ['Sex', patient && inWords(patient.gender)],
    ['Address', addressLines(order)],
    ['Telephone', patient?.phone_number],
    ['E-mail', patient?.email],
  ])
  letter.heading('Ordering physician')
  letter.facts(3, [
    ['Name', physicianName(order)],
    ['NPI', physician?.npi],
    ['Signature', physician && 'Signed electronically'],
  ])
}

/** Who pays, where insurance does. */
function writeInsurance(letter: Letter, world: World, { health_insurance_id: id }: OrderRow): void {
  const insurance = id ? world.db.find(insurances, id) : undefined
  if (!insurance) return
  const { company, payor_code, member_id, group_id, relationship, insured } = insurance
  letter.heading('Insurance')
  letter.facts(3, [
    ['Payor', `${company.name} (${payor_code})`],
    ['Member', member_id],
    ['Group', group_id],
    ['Insured', `${insured.first_name} ${insured.last_name}`],
    ['Relationship to insured', relationship],
  ])
}

/** The tubes of a draw by analyte, or else by category; the others need a serum tube. */
const tubes = byName<string>({
  coagulation: 'Light blue top (citrate)',
  blood_count: 'Lavender top (EDTA)',
  'hemoglobin-a1c': 'Lavender top (EDTA)',
  urine: 'Urine cup',
})
const SERUM_TUBE = 'Gold top (SST)'

function tubesOf(world: World, order: OrderRow): string {
  const { method, sample_type } = order.lab_test
  if (method === 'testkit' || sample_type !== 'serum') return inWords(sample_type)
  const needed = expectedOf(world.services.catalogue, order).map(
    ({ result: { analyte } }) => tubes[analyte.slug] ?? tubes[analyte.category] ?? SERUM_TUBE,
  )
  return [...new Set(needed)].sort().join(', ') || SERUM_TUBE
}

/** What is known of the patient's fast, or else what the tests need. */
function fastingOf(world: World, { id, lab_test }: OrderRow): string {
  const said = world.db.find(orderMetadata, id)?.draw?.is_fasting
  if (said !== undefined) return said ? 'Yes' : 'No'
  return lab_test.fasting ? 'Required' : 'Not required'
}

function writeTests(letter: Letter, world: World, order: OrderRow): void {
  const markers = order.lab_test.markers ?? []
  letter.heading(`Tests ordered (${markers.length})`)
  for (const { provider_id, name, type } of markers) {
    const { page, y } = letter.room(15)
    page.square(LEFT, y + 3, 8)
    page.text(LEFT + 1.6, y + 9.6, 'x', { size: 8, bold: true })
    page.text(LEFT + 16, y + 10, provider_id ?? '', { bold: true })
    page.text(LEFT + 90, y + 10, name)
    page.text(RIGHT, y + 10, type ?? '', { size: 8, colour: 'grey', align: 'right' })
    page.line(LEFT, y + 14, RIGHT, 'shade')
  }
  letter.skip(4)
  letter.facts(3, [
    ['Diagnosis (ICD-10)', order.icd_codes?.join(', ')],
    ['Fasting', fastingOf(world, order)],
    ['Specimen', tubesOf(world, order)],
  ])
  if (order.clinical_notes) {
    letter.heading('Clinical notes')
    letter.paragraph(order.clinical_notes)
  }
}

/** The AOE questions and answers of the order: once where several markers ask, without the fast, which has a field of its own. */
function writeAnswers(letter: Letter, world: World, answers: Answers): void {
  const markers = world.services.catalogue.markers()
  const facts = answers.flatMap(({ marker_id, question_id, answer }): (readonly [string, string])[] => {
    const question = markers.get(marker_id)?.aoe?.questions.find(({ id }) => id === question_id)
    const chosen = question?.answers.find(({ code }) => code === answer)
    return question?.code === FASTING
      ? []
      : [[question?.value ?? String(question_id), chosen?.value ?? answer]]
  })
  if (facts.length === 0) return
  letter.heading('Answers to the laboratory')
  letter.facts(3, [...new Map(facts.map((fact) => [fact.join('\n'), fact])).values()])
}

const blanks = ['Date collected', 'Time collected', 'Collected by'] as const

/** A line that is written on, and what for. */
function blank(page: PdfPage, [x, y, toX]: readonly [number, number, number], label: string): void {
  page.line(x, y, toX, 'ink')
  page.text(x, y + 9, label, { size: 7, colour: 'grey' })
}

/** Fields that are filled in manually when the sample is taken. */
function writeCollection(letter: Letter, order: OrderRow): void {
  letter.heading('Collection')
  const width = WIDTH / blanks.length
  const { page, y } = letter.room(44)
  for (const [at, label] of blanks.entries()) {
    const x = LEFT + at * width
    blank(page, [x, y + 28, x + width - 14], label)
  }
  letter.paragraph(`Write the number ${order.sample_id ?? ''} on every tube or card, or use its labels.`, {
    size: 8,
    colour: 'grey',
  })
}

const choices = [
  'I want the tests above, and a claim to be sent to the programme. If it does not pay, I pay, and may appeal.',
  'I want the tests above, and no claim to be sent. I pay for them myself, and there is nothing to appeal.',
  'I do not want the tests above. I owe nothing, and there is nothing to appeal.',
] as const

/** The advance beneficiary notice (ABN). */
export async function abnDocument(world: World, order: OrderRow): Promise<Uint8Array> {
  const letter = await newLetter({
    title: `Advance beneficiary notice ${order.sample_id ?? ''}`,
    subject: `Order ${order.id}`,
    at: Date.parse(order.created_at),
    lab: laboratoryOf(world, order),
    kind: 'ADVANCE BENEFICIARY NOTICE',
    mark: 'OF NON-COVERAGE',
    barcode: order.sample_id,
  })
  letter.facts(3, [
    ['Patient', patientName(order)],
    ['Date of birth', dateFor(order, order.patient_details?.dob)],
    ['Identification', order.sample_id ?? order.id],
  ])
  letter.skip(6)
  letter.paragraph('Your insurance may not pay for the tests listed here. If it does not, you may have to.', {
    size: 10,
  })
  letter.heading('Tests')
  for (const { provider_id, name } of order.lab_test.markers ?? []) {
    const { page, y } = letter.room(14)
    page.text(LEFT, y + 10, provider_id ?? '', { bold: true })
    page.text(LEFT + 74, y + 10, name)
  }
  letter.heading('Why, and how much')
  letter.facts(2, [
    [
      'Why it may not be paid',
      `Not covered for this diagnosis: ${order.icd_codes?.join(', ') || 'none given'}`,
    ],
    ['Estimated cost', `$${order.lab_test.price.toFixed(2)}`],
  ])
  letter.heading('Choose one')
  for (const [at, choice] of choices.entries()) {
    const { page, y } = letter.room(2)
    page.square(LEFT, y + 2, 9)
    letter.paragraph(`${at + 1}. ${choice}`, { indent: 18 })
    letter.skip(6)
  }
  const { page, y } = letter.room(60)
  blank(page, [LEFT, y + 40, LEFT + 300], 'Signature')
  blank(page, [LEFT + 330, y + 40, RIGHT], 'Date')
  return letter.finish()
}

/** The date of an instant or a date, as it is written where the patient lives: `01/05/2026` in the United States. */
export function dateFor(
  { patient_address: address }: OrderRow,
  date: string | undefined,
): string | undefined {
  const [year, month, day] = date?.slice(0, 10).split('-') ?? []
  if (year === undefined) return undefined
  return /^(US|USA|United States\b.*)$/i.test(address?.country ?? 'US')
    ? `${month}/${day}/${year}`
    : `${year}-${month}-${day}`
}

/** `01/05/2026 09:00 UTC`. */
export const moment = (order: OrderRow, instant: string | null | undefined): string | null =>
  instant ? `${dateFor(order, instant)} ${instant.slice(11, 16)} UTC` : null

export const patientName = ({ patient_details: patient }: OrderRow): string =>
  [patient?.first_name, patient?.last_name].filter(Boolean).join(' ')

const physicianName = ({ physician }: OrderRow): string | null =>
  physician && `${physician.first_name} ${physician.last_name}`

/** `on_site_collection` → `On site collection`. */
export const inWords = (code: string): string => {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** An address, one part per line. */
function addressLines({ patient_address: address }: OrderRow): string | null {
  if (!address) return null
  const { first_line, second_line, city, state, zip } = address
  return [first_line, second_line, `${city}, ${state} ${zip}`].filter(Boolean).join(', ')
}

/** When an order first reached a status; wire instant. */
export const reachedAt = ({ events }: OrderRow, low: string): string | undefined =>
  events.find(({ status }) => status.endsWith(`.${low}`))?.created_at
