import * as z from 'zod'
import texts from '../../../seeds/documents/instructions.json' with { type: 'json' }
import { bundledTable } from '../../kernel/seed-table.ts'
import type { World } from '../../world/world.ts'
import type { LabTestSeed } from '../catalogue/schema.ts'
import type { LabTestRow } from '../lab-tests/table.ts'
import type { OrderRow } from '../orders/table.ts'
import { type Letter, newLetter } from './paper.ts'
import { dateFor, inWords, patientName } from './requisition.ts'

/** The lab test of the instructions, from the catalogue or from an order. */
type Test = Pick<LabTestRow, 'id' | 'name' | 'method' | 'sample_type' | 'fasting'>

interface InstructionInput {
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
  const lab = world.services.catalogue.labs().get(input.lab ?? '')
  const { title, needed, before, steps, after } = instructionsFor(test.method, test.sample_type)
  const letter = await newLetter({
    title: `Collection instructions: ${test.name}`,
    subject: order ? `Order ${order.id}` : `Lab test ${test.id}`,
    at,
    lab,
    kind: 'COLLECTION INSTRUCTIONS',
    mark: inWords(test.method).toUpperCase(),
    barcode: order?.sample_id ?? null,
  })
  letter.facts(3, [
    ['Test', test.name],
    ['Specimen', inWords(test.sample_type)],
    ['Fasting', test.fasting ? 'Required' : 'Not required'],
    ...(order
      ? ([
          ['Patient', patientName(order)],
          ['Date of birth', dateFor(order, order.patient_details?.dob)],
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

/** Texts on how to take a sample. */
const instructions = () => {
  const lines = z.array(z.string())
  return z.strictObject({ title: z.string(), needed: lines, before: lines, steps: lines, after: lines })
}

type SampleType = LabTestSeed['sample_type']

const kits = bundledTable('documents/instructions.json', texts.kits, instructions)
const visits = bundledTable('documents/instructions.json', texts.visits, instructions)

/** Source: docs/contract/documents.md. */
const instructionsFor = (method: LabTestSeed['method'], sample: SampleType) =>
  method === 'testkit' ? kits.get(sample) : visits.get(method)

const FASTING = 'Do not eat for ten to twelve hours before; water is fine.'
