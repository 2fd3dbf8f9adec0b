import type { World } from '../../world/world.ts'
import type { LabTestSeed } from '../catalogue/schema.ts'
import type { LabTestRow } from '../lab-tests/table.ts'
import type { OrderRow } from '../orders/table.ts'
import { type Letter, newLetter } from './paper.ts'
import { inWords, letterheadOf, patientName } from './requisition.ts'

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
  const lab = input.lab === undefined ? undefined : world.services.catalogue.labs().get(input.lab)
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

/** Texts on how to take a sample. */
interface Instructions {
  readonly title: string
  readonly needed: readonly string[]
  readonly before: readonly string[]
  readonly steps: readonly string[]
  readonly after: readonly string[]
}

type SampleType = LabTestSeed['sample_type']

const mailBack = [
  'Seal the sample in the plastic bag, and the bag in the return box.',
  'Hand the box to the courier on the label on the day you collect, before a weekend if you can.',
] as const

const finger: Instructions = {
  title: 'Finger-prick sample on a card',
  needed: [
    'Collection card',
    'Two lancets',
    'Gauze, plasters and an alcohol wipe',
    'Return box with its label',
  ],
  before: [
    'Drink a glass of water half an hour before.',
    'Warm your hands, and write name, date of birth and date on the card.',
  ],
  steps: [
    'Wipe the side of a finger and let it dry.',
    'Press the lancet against it until it clicks. Wipe the first drop away.',
    'Let drops fall on the circles without touching the card, until each is filled.',
    'Let the card dry open for thirty minutes, away from heat and sun.',
  ],
  after: mailBack,
}

const arm: Instructions = {
  title: 'Sample with the upper-arm device',
  needed: ['Collection device with its tube', 'Alcohol wipe, gauze and plaster', 'Return box with its label'],
  before: ['Warm your upper arm for two minutes.', 'Write name, date of birth and date on the tube.'],
  steps: [
    'Wipe the outside of the upper arm and let it dry.',
    'Stick the device on and press its button once.',
    'Wait until the tube is filled to the line, for five minutes at most.',
    'Take the device off, close the tube and turn it over ten times.',
  ],
  after: mailBack,
}

const saliva: Instructions = {
  title: 'Saliva sample',
  needed: ['Saliva tube with its funnel', 'Plastic bag', 'Return box with its label'],
  before: [
    'Do not eat, drink, smoke or brush your teeth for thirty minutes.',
    'Write name, date of birth and date on the tube.',
  ],
  steps: [
    'Let saliva gather, and let it run into the funnel.',
    'Go on until it reaches the line; bubbles do not count.',
    'Take the funnel off, close the tube and shake it for five seconds.',
  ],
  after: mailBack,
}

const urine: Instructions = {
  title: 'Urine sample',
  needed: ['Cup with its lid', 'Transfer tube', 'Return box with its label'],
  before: ['Wash your hands, and use the wipe.', 'Write name, date of birth and date on the tube.'],
  steps: [
    'Begin to urinate into the toilet, then fill the cup by half.',
    'Draw the urine into the tube up to the line.',
    'Close the tube, and keep it cool until it leaves.',
  ],
  after: mailBack,
}

const stool: Instructions = {
  title: 'Stool sample',
  needed: ['Collection paper', 'Tube with a spoon in its lid', 'Return box with its label'],
  before: ['Empty your bladder first.', 'Write name, date of birth and date on the tube.'],
  steps: [
    'Lay the paper over the seat.',
    'Take small spoonfuls from several places until the line is reached.',
    'Close the tube and shake it.',
  ],
  after: mailBack,
}

const kits: Readonly<Record<SampleType, Instructions>> = {
  dried_blood_spot: finger,
  arm_collector: arm,
  serum: arm,
  saliva,
  urine,
  stool,
}

const visits: Readonly<Record<Exclude<LabTestSeed['method'], 'testkit'>, Instructions>> = {
  walk_in_test: {
    title: 'Visit to a patient service center',
    needed: [
      'An identity card with your photograph',
      'Your requisition, printed or on your telephone',
      'Your insurance card, if insurance pays',
    ],
    before: ['Drink plenty of water on the day.', 'Wear sleeves that roll up.'],
    steps: [
      'Give your name and requisition at the desk.',
      'Confirm name and date of birth on every tube before it leaves the room.',
      'Press on the place for two minutes afterwards.',
    ],
    after: ['Leave the plaster on for an hour and lift nothing heavy with that arm.'],
  },
  at_home_phlebotomy: {
    title: 'Blood draw at home',
    needed: [
      'A chair with an arm rest, and good light',
      'An identity card with your photograph',
      'The tubes listed on the requisition, which the phlebotomist brings',
    ],
    before: ['Drink plenty of water on the day.', 'Keep pets in another room.'],
    steps: [
      'The phlebotomist checks your name and date of birth against the labels.',
      'Tubes are filled in the order of draw and turned over five to eight times.',
      'Serum tubes stand for thirty minutes and are spun for fifteen.',
      'Tubes marked for it are chilled at once; the others stay at room temperature.',
    ],
    after: ['The phlebotomist takes the tubes to the laboratory the same day.'],
  },
  on_site_collection: {
    title: 'Collection on site',
    needed: [
      'Requisition and labels of this order',
      'Tubes as the requisition lists them',
      'Centrifuge for serum tubes',
    ],
    before: [
      'Check two identifiers of the patient against the requisition.',
      'Ask when the patient last ate.',
    ],
    steps: [
      'Draw in the usual order of draw and turn the tubes over five to eight times.',
      'Label each tube at the patient’s side, with date, time and initials.',
      'Spin serum tubes after thirty minutes, within two hours.',
    ],
    after: [
      'Put the tubes with the requisition in the bag for the next pick-up.',
      'Mark the draw of the order as completed.',
    ],
  },
}

/** Source: docs/contract/documents.md. */
const instructionsFor = (method: LabTestSeed['method'], sample: SampleType): Instructions =>
  method === 'testkit' ? kits[sample] : visits[method]

const FASTING = 'Do not eat for ten to twelve hours before; water is fine.'
