import { toWire } from '../../kernel/instant.ts'
import { Slices } from '../../kernel/slices.ts'
import type { OrderRow } from '../orders/table.ts'
import { newPaper, type PdfPage } from './paper.ts'
import { dateFor, inWords, moment } from './requisition.ts'

/** 3 by 1.5 inches, a common size of label printers. */
const LABEL = { width: 216, height: 108 } as const
const EDGE = 10

/** The account printed on labels. Source: docs/contract/documents.md. */
const LABEL_ACCOUNT = '1234567890'

export interface LabelInput {
  /** Milliseconds since 1970. */
  readonly collectedAt: number
  readonly count: number
}

/** Specimen labels, one per page. */
export async function labelsDocument(
  order: OrderRow,
  { collectedAt, count }: LabelInput,
): Promise<Uint8Array> {
  const paper = await newPaper({
    title: `Specimen labels ${order.sample_id ?? ''}`,
    subject: `Order ${order.id}`,
    at: collectedAt,
  })
  const collected = `Collected ${moment(order, toWire(collectedAt))}`
  const { last_name, first_name } = order.patient_details ?? {}
  // Capitals follow the letters that are printed.
  const surnameFirst = paper.printable([last_name, first_name].filter(Boolean).join(', ')).toUpperCase()
  const name = paper.wrap(surnameFirst, LABEL.width - 2 * EDGE, { size: 11, bold: true })[0] ?? ''
  const test = paper.wrap(order.lab_test.name, 150, { size: 7 })[0] ?? ''
  const slices = new Slices()
  for (let at = 1; at <= count; at++) {
    if (slices.isOver) await slices.next()
    const page = paper.addPage(LABEL)
    drawLabel(page, order, { name, test, collected, number: `${at} of ${count}` })
  }
  return paper.bytes()
}

interface LabelTexts {
  readonly name: string
  readonly test: string
  readonly collected: string
  readonly number: string
}

function drawLabel(page: PdfPage, order: OrderRow, { name, test, collected, number }: LabelTexts): void {
  const { patient_details: patient, sample_id: sampleId } = order
  page.text(EDGE, 18, name, { size: 11, bold: true })
  page.text(
    EDGE,
    29,
    `DOB ${dateFor(order, patient?.dob) ?? ''}   ${patient ? inWords(patient.gender) : ''}`,
    {
      size: 8,
    },
  )
  if (sampleId) {
    page.barcode(EDGE, 35, sampleId, 26, 1)
    page.text(EDGE, 71, sampleId, { size: 9, bold: true })
  }
  page.text(page.width - EDGE, 71, `Acct ${LABEL_ACCOUNT}`, { size: 8, align: 'right' })
  page.text(EDGE, 83, collected, { size: 8 })
  page.text(EDGE, 97, test, { size: 7, colour: 'grey' })
  page.text(page.width - EDGE, 97, number, { size: 7, colour: 'grey', align: 'right' })
}
