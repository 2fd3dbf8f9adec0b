import type { World } from '../../world/world.ts'
import type { OrderRow } from '../orders/table.ts'
import { labOf, letterheadOf, patientName } from './about-order.ts'
import { LEFT, newLetter, RIGHT } from './letter.ts'

const choices = [
  'I want the tests above, and a claim to be sent to the programme. If it does not pay, I pay, and may appeal.',
  'I want the tests above, and no claim to be sent. I pay for them myself, and there is nothing to appeal.',
  'I do not want the tests above. I owe nothing, and there is nothing to appeal.',
] as const

/** The advance beneficiary notice (ABN). */
export async function abnDocument(world: World, order: OrderRow): Promise<Uint8Array> {
  const lab = labOf(world, order)
  const letter = await newLetter({
    title: `Advance beneficiary notice ${order.sample_id ?? ''}`,
    subject: `Order ${order.id}`,
    at: Date.parse(order.created_at),
    sender: lab?.name ?? 'Laboratory',
    under: letterheadOf(lab),
    kind: 'ADVANCE BENEFICIARY NOTICE',
    mark: 'OF NON-COVERAGE',
    barcode: order.sample_id,
    foot: `Order ${order.id}`,
  })
  letter.facts(3, [
    ['Patient', patientName(order)],
    ['Date of birth', order.patient_details?.dob.slice(0, 10)],
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
  page.line(LEFT, y + 40, LEFT + 300, 'ink')
  page.text(LEFT, y + 50, 'Signature', { size: 7, colour: 'grey' })
  page.line(LEFT + 330, y + 40, RIGHT, 'ink')
  page.text(LEFT + 330, y + 50, 'Date', { size: 7, colour: 'grey' })
  return letter.finish()
}
