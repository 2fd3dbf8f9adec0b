import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { moveOrder, orderBy, readLabTest, readResult, sendOrder } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

// The catalogue beyond what test/contract/recordings/laboratories.yaml has.

const petri = await startTestWorld()

/** The lab tests of every team, and how many results their reports have at least. */
const standard = [
  ['CMP', 'c533549c-1e62-4afe-9a0e-0567a9b2bcc2', 'walk_in_test', 7],
  ['the kit', '0cb9f34f-c3df-4a13-8ca1-19429a82611b', 'testkit', 7],
  ['the lipid panel', 'b439efda-1e07-4d2c-8afb-51771c7cc0cb', 'at_home_phlebotomy', 6],
] as const

describe('the catalogue recorded in the live sandbox', () => {
  it('is large enough to be paged through and searched', async () => {
    const page = (query: string) => petri.read(`/v3/lab_tests/markers?${query}`)
    const first = await page('size=100')
    expect(first.total).toBeGreaterThanOrEqual(1400)
    const last = await page(`size=100&page=${first.pages}`)
    expect(last.markers.length).toBeGreaterThan(0)
    const almonds = await page('name=almond')
    expect(almonds.markers.map(field('name'))).toContain('Almond IgE')
    expect(almonds.total).toBeLessThan(10)
  })

  it('can be ordered, one marker at a time, and answers its questions or not', async () => {
    const { markers } = await petri.read('/v3/lab_tests/markers?lab_id=6&name=aldosterone')
    const [{ id, aoe }] = markers
    const add_on = { marker_ids: [id] }
    const more = { order_set: { add_on }, collection_method: 'walk_in_test' }
    await orderBy(petri, 'walk_in_test', more)
    const [question] = aoe.questions
    const aoe_answers = [{ marker_id: id, question_id: question.id, answer: '0830' }]
    const order = await orderBy(petri, 'walk_in_test', { ...more, aoe_answers })
    await simulate(petri, order.id)
    const { results } = await readResult(petri, order.id)
    expect(results.map(field('name'))).toEqual(['Aldosterone'])
  })
})

describe('the standard lab tests', () => {
  it('have the same ids in every world', async () => {
    const { body: world } = await petri.post('/_petri/worlds', { seed: '7' })
    const body = await petri.read('/v3/lab_tests', { 'x-service-api-key': world.api_key })
    const ids = body.slice(0, 3).map(field('id'))
    expect(ids.sort()).toEqual(standard.map(([, id]) => id).sort())
  })

  it('describe each marker by its name', async () => {
    const { markers } = await petri.read('/v3/lab_tests/markers?size=100')
    for (const { name, description } of markers) expect(description).toBe(name)
  })

  it.each(standard)('%s can be ordered and reported', async (_, id, method, count) => {
    const headers = { 'x-petri-scenario': 'manual' }
    const answer = await sendOrder(petri, { lab_test_id: id }, { headers })
    expect(answer).toAnswer(200)
    const { order } = answer.body
    const { source_sandbox_lab_test_id: __, ...shown } = await readLabTest(petri, id)
    const description = method === 'testkit' ? { description: expect.any(String) } : {}
    expect(order.lab_test).toEqual({ ...shown, ...description })
    await moveOrder(petri, order.id, 'completed', { force: true })
    const { results } = await readResult(petri, order.id)
    expect(results.length).toBeGreaterThanOrEqual(count)
  })
})
