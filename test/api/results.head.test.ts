import { describe, expect, it } from 'vitest'
import { toWire } from '../../src/kernel/instant.ts'
import { type OrderRow, updateOrderMetadata } from '../../src/resources/orders/table.ts'
import { type Edition, editionOf } from '../../src/resources/results/plan.ts'
import { metadataOf, sampleInformationOf } from '../../src/resources/results/report-header.ts'
import { findReport } from '../../src/resources/results/service.ts'
import { timesOf } from '../../src/resources/results/times.ts'
import { advance, createUser } from '../support/orders.ts'
import { forEachTest, NOBODY } from '../support/petri.ts'
import { FERRITIN, orderMarkers, report, reportOf, storedOrder } from '../support/quest-reports.ts'

const petri = forEachTest()

/** A walk-in order whose results came after three days. */
async function reported({ status = 'completed', details = {} } = {}) {
  const id = await orderMarkers(petri, [FERRITIN], { details })
  await report(petri, id, 'requisition_created')
  await advance(petri, '3d')
  await report(petri, id, status, { values: { ferritin: 60 } })
  return storedOrder(petri, id)
}

const headOf = (order: OrderRow) => metadataOf(petri.world(), order, editionOf(order) as Edition)
const sampleOf = (order: OrderRow, isFasting = true, information: string | null = null) =>
  sampleInformationOf(petri.world(), order, { isFasting, information })

describe('the head of a report', () => {
  it('has what the order says and the times of the sample', async () => {
    const order = await reported()
    const times = timesOf(petri.world(), order)
    expect((await reportOf(petri, order.id)).body.metadata).toEqual({
      age: '36',
      dob: '01/01/1990',
      'clia_#': '05D0000014',
      clia_number: '05D0000014',
      patient: 'Ada Example',
      provider: `${order.physician?.first_name} ${order.physician?.last_name}`,
      laboratory: 'Quest',
      date_reported: toWire(times.reportedAt),
      date_collected: toWire(times.collectedAt),
      specimen_number: order.sample_id,
      date_received: toWire(times.receivedAt),
      status: 'final',
      interpretation: 'normal',
      patient_id: order.user_id,
      account_id: '73900202',
    })
  })

  it.each([
    ['partial_results', 'partial'],
    ['completed', 'final'],
    ['corrected', 'final'],
  ])('of %s is %s', async (status, word) => {
    expect(headOf(await reported({ status })).status).toBe(word)
  })

  it('has the day before the month, and one name where there is one', async () => {
    const order = await reported({ details: { dob: '1989-11-07', gender: 'male' } })
    const details = order.patient_details
    expect(headOf(order)).toMatchObject({ dob: '07/11/1989', age: '36' })
    if (!details) throw new Error('The order has no patient.')
    expect(headOf({ ...order, patient_details: { ...details, last_name: '' } }).patient).toBe('Ada')
  })

  it('has empty texts and nulls for what an order does not have', async () => {
    const order = await reported()
    const bare: OrderRow = {
      ...order,
      patient_details: null,
      physician: null,
      sample_id: null,
      interpretation: null,
      lab_test: { ...order.lab_test, lab: null },
    }
    expect(headOf(bare)).toMatchObject({
      age: '',
      dob: '',
      patient: '',
      provider: null,
      laboratory: null,
      'clia_#': null,
      clia_number: null,
      specimen_number: '',
      interpretation: 'normal',
    })
    expect(headOf({ ...order, interpretation: 'critical' }).interpretation).toBe('critical')
  })

  it('names the account at the laboratory', async () => {
    const order = await reported()
    const [account] = (await petri.read('/v3/lab_test/lab_account')).data
    updateOrderMetadata(petri.world(), order.id, { lab_account_id: account.id })
    expect(headOf(order).account_id).toBe(account.provider_account_id)
    updateOrderMetadata(petri.world(), order.id, { lab_account_id: order.id })
    expect(headOf(order).account_id).toBeNull()
  })

  it('does not say when a sample was taken that has no such time', async () => {
    const order = await reported()
    updateOrderMetadata(petri.world(), order.id, { is_undated: true })
    expect(headOf(order)).toMatchObject({ date_collected: null, date_received: null })
    expect(headOf(order).date_reported).toMatch(/^2026-01-08T/)
    const [sample] = Object.values(sampleOf(order))
    expect(sample).toMatchObject({ date_collected: null, date_received: null })
    expect(sample?.date_reported).toMatchObject({ timestamp: headOf(order).date_reported })
  })
})

describe('the data about a sample', () => {
  it('are its times where it was drawn, its laboratory and its condition', async () => {
    const order = { ...(await reported()), clinical_notes: 'Shy of needles.' }
    const { collectedAt, receivedAt, reportedAt } = timesOf(petri.world(), order)
    const stamp = (instant: number) => ({ timestamp: toWire(instant), timezone_offset: -7 * 3600 })
    const { lab } = order.lab_test
    const sample = sampleOf(order, false, 'Sample hemolyzed')
    expect(sample).toEqual({
      [order.sample_id ?? '']: {
        sample_id: order.sample_id,
        control_number: expect.stringMatching(/^\d{11}$/),
        date_collected: stamp(collectedAt),
        date_received: stamp(receivedAt),
        date_reported: stamp(reportedAt),
        performing_laboratories: {
          '01': {
            name: 'Quest',
            phone_number: `+18005550${100 + (lab?.id ?? 0)}`,
            medical_director: expect.stringMatching(/^\S+ \S+, MD$/),
            address: {
              first_line: lab?.first_line_address,
              second_line: null,
              country: 'US',
              zip: lab?.zipcode,
              city: lab?.city,
              state: 'CA',
              access_notes: null,
            },
          },
        },
        clinical_information: {
          fasting: false,
          notes: 'Shy of needles.',
          information: 'Sample hemolyzed',
          total_volume: null,
        },
      },
    })
    expect(sampleOf(order)).not.toEqual(sample)
  })

  it('differ in the number of the sample alone between orders of a laboratory', async () => {
    const [one, other] = [await reported(), await reported()].map(
      (order) => Object.values(sampleOf(order))[0],
    )
    expect(one?.control_number).not.toBe(other?.control_number)
    expect(one?.performing_laboratories).toEqual(other?.performing_laboratories)
  })

  it('have a director for each laboratory', async () => {
    const order = await reported()
    const [quest, other] = [...petri.world().services.catalogue.labs().values()].slice(-2)
    const directorOf = (lab: object | undefined) => {
      const lab_test = { ...order.lab_test, lab } as OrderRow['lab_test']
      const [sample] = Object.values(sampleOf({ ...order, lab_test }))
      return sample?.performing_laboratories?.['01']?.medical_director
    }
    expect(directorOf(quest)).toMatch(/, MD$/)
    expect(directorOf(other)).not.toBe(directorOf(quest))
  })

  it('are there for an order of which nothing else is stored', async () => {
    const order = { ...(await reported()), id: NOBODY }
    expect(headOf(order)).toMatchObject({ account_id: null, date_collected: expect.any(String) })
    const [sample] = Object.values(sampleOf(order))
    expect(sample?.date_received).toMatchObject({ timestamp: headOf(order).date_received })
  })

  it('are by the order where the sample has no id, and name no laboratory where none is known', async () => {
    const order = await reported()
    const sample = sampleOf({ ...order, sample_id: null, lab_test: { ...order.lab_test, lab: null } })
    expect(sample[order.id]).toMatchObject({ sample_id: null, performing_laboratories: null })
  })
})

describe('whether a patient had fasted', () => {
  /** The report of an order whose draw was at this hour of the clock, with this chance. */
  async function isFasting({ minute, chance, fasting = false, said }: Draw) {
    const id = await orderMarkers(petri, [FERRITIN])
    await advance(petri, '9d')
    const draw = said === undefined ? { minute } : { minute, is_fasting: said }
    updateOrderMetadata(petri.world(), id, { draw })
    await report(petri, id, 'completed', { values: { ferritin: 60 } })
    const order = storedOrder(petri, id)
    const { random } = petri.world()
    const noise = (key: string) => (key.startsWith('fasting/') ? chance : random.noise(key))
    const world = Object.assign(Object.create(petri.world()), { random: { ...random, noise } })
    const found = findReport(world, { ...order, lab_test: { ...order.lab_test, fasting } })
    return Object.values(found?.sample_information ?? {})[0]?.clinical_information?.fasting
  }
  interface Draw {
    readonly minute: number
    readonly chance: number
    readonly fasting?: boolean
    readonly said?: boolean
  }

  it.each<[string, Draw, boolean]>([
    ['is likely before ten', { minute: 9 * 60 + 59, chance: 0.79 }, true],
    ['is not sure before ten', { minute: 9 * 60 + 59, chance: 0.8 }, false],
    ['is unlikely from ten on', { minute: 10 * 60, chance: 0.2 }, false],
    ['is possible from ten on', { minute: 10 * 60, chance: 0.19 }, true],
    ['is sure where the test asks for it', { minute: 10 * 60, chance: 0.99, fasting: true }, true],
    ['is what the order says', { minute: 10 * 60, chance: 0.99, said: true }, true],
    [
      'is what the order says, whatever the test asks for',
      { minute: 480, chance: 0, fasting: true, said: false },
      false,
    ],
  ])('%s', async (_, draw, expected) => {
    expect(await isFasting(draw)).toBe(expected)
  })
})

it('a report is that of the order as it is now', async () => {
  const user = await createUser(petri, 'somebody')
  const id = await orderMarkers(petri, ['6399'], { user })
  await report(petri, id, 'requisition_created')
  await report(petri, id, 'completed', { interpretation: 'normal' })
  const order = storedOrder(petri, id)
  const details = order.patient_details
  if (!details) throw new Error('The order has no patient.')
  const world = petri.world()
  const rangeIn = (row: OrderRow) =>
    findReport(world, row)?.results.find(({ slug }) => slug === 'hemoglobin')?.reference_range
  const sampleIn = (row: OrderRow) => findReport(world, row)?.results[0]?.source_sample_id
  expect(rangeIn(order)).toBe('11.7-15.5')
  expect(rangeIn({ ...order, patient_details: { ...details, gender: 'male' } })).toBe('13.2-17.1')
  expect(rangeIn(order)).toBe('11.7-15.5')
  expect(sampleIn({ ...order, sample_id: 'another' })).toBe('another')
  expect(sampleIn(order)).toBe(order.sample_id)
  expect(findReport(world, { ...order, lab_test: { ...order.lab_test, markers: [] } })?.results).toEqual([])
  expect(findReport(world, order)?.results).toHaveLength(19)
  updateOrderMetadata(world, id, { results: { comment: 'Said later.' } })
  expect(findReport(world, order)?.results[0]?.notes).toBe('Said later.')
})
