import { expect, it } from 'vitest'
import { findingsOf } from '../../src/resources/personas/service.ts'
import { address, createUser, patient } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

interface Line {
  readonly slug: string
  readonly value: number
  readonly interpretation: string
}

/** A completed order of some panels of quest. */
async function placed(petri: TestPetri, userId: string, interpretation: string | undefined) {
  const catalogue = petri.world().services.catalogue
  const ids = ['10231', '7600', '6399', '899'].map((code) => catalogue.findMarker('quest', code)?.id)
  const order = await petri.post(
    '/v3/order',
    {
      user_id: userId,
      ...{ order_set: { add_on: { marker_ids: ids } }, collection_method: 'walk_in_test' },
      patient_details: patient,
      patient_address: address,
    },
    { 'x-petri-scenario': 'manual' },
  )
  const { id } = order.body.order
  const results = { interpretation, types: ['numeric'] }
  await petri.post(`/_petri/orders/${id}/move`, { status: 'completed', results, force: true })
  return id as string
}

async function resultsOf(petri: TestPetri, userId: string, interpretation: string | undefined) {
  const id = await placed(petri, userId, interpretation)
  const { body } = await petri.get(`/v3/order/${id}/result`)
  return new Map((body.results as Line[]).map((line) => [line.slug, line]))
}

it('a patient keeps their levels from order to order, and their condition', { tags: 'slow' }, async () => {
  const petri = await startTestWorld()
  const firsts = new Map<string, number[]>()
  for (let nth = 0; nth < 8; nth++) {
    const userId = await createUser(petri, `patient-${nth}`)
    const [one, two] = [await resultsOf(petri, userId, 'normal'), await resultsOf(petri, userId, 'normal')]
    expect(one.size).toBeGreaterThan(35)
    for (const [slug, share] of [
      ['creatinine', 0.2],
      ['hdl-cholesterol', 0.3],
      ['hemoglobin', 0.12],
      ['tsh', 0.6],
    ] as const) {
      const [a = 0, b = 0] = [one.get(slug)?.value, two.get(slug)?.value]
      expect(a, slug).toBeGreaterThan(0)
      expect(Math.abs(a - b) / Math.max(a, b), slug).toBeLessThan(share)
      firsts.set(slug, [...(firsts.get(slug) ?? []), a])
    }
    expect([...one.values()].map(({ value }) => value)).not.toEqual(
      [...two.values()].map(({ value }) => value),
    )
    const [ill, stillIll] = [
      await resultsOf(petri, userId, 'abnormal'),
      await resultsOf(petri, userId, 'abnormal'),
    ]
    const flagged = (lines: ReadonlyMap<string, Line>) =>
      [...lines.values()].filter((line) => line.interpretation !== 'normal').map((line) => line.slug)
    expect(flagged(ill).length).toBeGreaterThan(0)
    expect(flagged(stillIll).some((slug) => flagged(ill).includes(slug))).toBe(true)
  }
  for (const [slug, values] of firsts) expect(new Set(values).size, slug).toBeGreaterThan(4)
})

const flaggedOf = (lines: ReadonlyMap<string, Line>) =>
  [...lines.values()].filter((line) => line.interpretation !== 'normal').map((line) => line.slug)

it('a finding lasts: the next order shows it, unless it is to be normal', { tags: 'slow' }, async () => {
  const petri = await startTestWorld()
  let kept = 0
  for (let nth = 0; nth < 10; nth++) {
    const userId = await createUser(petri, `patient-${nth}`)
    const found = await resultsOf(petri, userId, 'abnormal')
    await petri.post('/_petri/clock/advance', { by: '30d' })
    const next = await resultsOf(petri, userId, undefined)
    expect(flaggedOf(await resultsOf(petri, userId, 'normal'))).toEqual([])
    if (flaggedOf(found).some((slug) => flaggedOf(next).includes(slug))) kept++
  }
  expect(kept).toBeGreaterThan(6)
})

it('what was found is part of the state of a world', async () => {
  const petri = await startTestWorld()
  const userId = await createUser(petri, 'one')
  await resultsOf(petri, userId, 'critical')
  const found = findingsOf(petri.world(), userId)
  expect(found.length).toBe(1)
  const { body } = await petri.get('/_petri/state')
  await petri.post('/_petri/reset')
  expect(findingsOf(petri.world(), userId)).toEqual([])
  expect((await petri.call('PUT', '/_petri/state', body)).status).toBeLessThan(300)
  expect(findingsOf(petri.world(), userId)).toEqual(found)
})
