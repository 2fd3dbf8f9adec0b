import type { World } from '../../world/world.ts'
import { labAccounts } from '../lab-accounts/table.ts'
import { type OrderMetadata, type OrderRow, orderMetadata } from '../orders/table.ts'
import {
  addressLines,
  inWords,
  labOf,
  letterheadOf,
  moment,
  patientName,
  physicianName,
  reachedAt,
} from './about-order.ts'
import { LEFT, type Letter, newLetter, RIGHT, WIDTH } from './letter.ts'

type Answers = NonNullable<OrderMetadata['aoe_answers']>

/** The requisition form of an order. */
export async function requisitionDocument(world: World, order: OrderRow): Promise<Uint8Array> {
  const createdAt = reachedAt(order, 'requisition_created') ?? order.created_at
  const metadata = world.db.find(orderMetadata, order.id)
  const account = metadata?.lab_account_id ? world.db.find(labAccounts, metadata.lab_account_id) : undefined
  const lab = labOf(world, order)
  const letter = await newLetter({
    title: `Laboratory requisition ${order.sample_id ?? ''}`,
    subject: `Order ${order.id}`,
    at: Date.parse(createdAt),
    sender: lab?.name ?? 'Laboratory',
    under: letterheadOf(lab),
    kind: 'LABORATORY REQUISITION',
    mark: order.priority ? 'STAT' : 'ROUTINE',
    barcode: order.sample_id,
    foot: `Order ${order.id}`,
  })
  letter.facts(2, [
    ['Order', order.id],
    ['Account', [account?.provider_account_id, account?.account_name].filter(Boolean).join(' · ')],
  ])
  letter.facts(4, [
    ['Requisition / specimen', order.sample_id],
    ['Created', moment(createdAt)],
    ['Bill to', inWords(order.billing_type)],
    ['Collection', inWords(order.lab_test.method)],
  ])
  writePeople(letter, order)
  writeTests(letter, order)
  writeAnswers(letter, world, metadata?.aoe_answers ?? [])
  writeCollection(letter, order)
  return letter.finish()
}

function writePeople(letter: Letter, order: OrderRow): void {
  const { patient_details: patient, physician } = order
  letter.heading('Patient')
  letter.facts(3, [
    ['Name', patientName(order)],
    ['Date of birth', patient?.dob.slice(0, 10)],
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

function writeTests(letter: Letter, order: OrderRow): void {
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
    ['Fasting', order.lab_test.fasting ? 'Required' : 'Not required'],
    ['Specimen type', inWords(order.lab_test.sample_type)],
  ])
  if (order.clinical_notes) {
    letter.heading('Clinical notes')
    letter.paragraph(order.clinical_notes)
  }
}

/** The AOE questions and answers of the order. */
function writeAnswers(letter: Letter, world: World, answers: Answers): void {
  if (answers.length === 0) return
  const markers = world.parts.catalogue.markers()
  letter.heading('Answers to the laboratory')
  letter.facts(
    3,
    answers.map(({ marker_id, question_id, answer }) => {
      const question = markers.get(marker_id)?.aoe?.questions.find(({ id }) => id === question_id)
      const chosen = question?.answers.find(({ code }) => code === answer)
      return [question?.value ?? String(question_id), chosen?.value ?? answer]
    }),
  )
}

const blanks = ['Date collected', 'Time collected', 'Collected by'] as const

/** Fields that are filled in by hand when the sample is taken. */
function writeCollection(letter: Letter, order: OrderRow): void {
  letter.heading('Collection')
  const width = WIDTH / blanks.length
  const { page, y } = letter.room(44)
  for (const [at, label] of blanks.entries()) {
    const x = LEFT + at * width
    page.line(x, y + 28, x + width - 14, 'ink')
    page.text(x, y + 37, label, { size: 7, colour: 'grey' })
  }
  letter.paragraph(`Write the number ${order.sample_id ?? ''} on every tube or card, or use its labels.`, {
    size: 8,
    colour: 'grey',
  })
}
