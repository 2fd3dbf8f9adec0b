import type { World } from '../../world/world.ts'
import type { LabTestRow } from '../lab-tests/table.ts'
import type { OrderRow } from '../orders/table.ts'
import { inWords, letterheadOf, patientName } from './about-order.ts'
import { FASTING, instructionsFor } from './instruction-texts.ts'
import { type Letter, newLetter } from './letter.ts'

/** The lab test of the instructions, from the catalogue or from an order. */
type Test = Pick<LabTestRow, 'id' | 'name' | 'method' | 'sample_type' | 'fasting'>

export interface InstructionInput {
  readonly test: Test
  /** Slug of the laboratory. */
  readonly lab: string | undefined
  /** Milliseconds since 1970. */
  readonly at: number
  /** The patient, where the instructions belong to an order. */
  readonly order?: OrderRow
}

/** The collection instructions of a lab test. */
export async function instructionsDocument(world: World, input: InstructionInput): Promise<Uint8Array> {
  const { test, order, at } = input
  const lab = input.lab === undefined ? undefined : world.parts.catalogue.labs().get(input.lab)
  const { title, needed, before, steps, after } = instructionsFor(test.method, test.sample_type)
  const letter = await newLetter({
    title: `Collection instructions: ${test.name}`,
    subject: order ? `Order ${order.id}` : `Lab test ${test.id}`,
    at,
    sender: lab?.name ?? 'Laboratory',
    under: letterheadOf(lab),
    kind: 'COLLECTION INSTRUCTIONS',
    mark: inWords(test.method).toUpperCase(),
    barcode: order?.sample_id ?? null,
    foot: order ? `Order ${order.id}` : `Lab test ${test.id}`,
  })
  letter.facts(3, [
    ['Test', test.name],
    ['Specimen', inWords(test.sample_type)],
    ['Fasting', test.fasting ? 'Required' : 'Not required'],
    ...(order
      ? ([
          ['Patient', patientName(order)],
          ['Date of birth', order.patient_details?.dob.slice(0, 10)],
          ['Specimen number', order.sample_id],
        ] as const)
      : []),
  ])
  letter.skip(8)
  letter.paragraph(title, { size: 15, bold: true })
  writeList(letter, 'You need', needed, '•')
  writeList(letter, 'Before', test.fasting ? [FASTING, ...before] : before, '•')
  writeList(letter, 'Step by step', steps)
  writeList(letter, 'Afterwards', after, '•')
  return letter.finish()
}

/** A list with a mark before each line, or its number. */
function writeList(letter: Letter, heading: string, lines: readonly string[], mark?: string): void {
  letter.heading(heading)
  for (const [at, line] of lines.entries())
    letter.paragraph(`${mark ?? `${at + 1}.`}  ${line}`, { size: 10.5, indent: 4 })
}
