import { describe, expect, it } from 'vitest'
import { dottedStatuses } from '../../src/resources/orders/lifecycle.ts'
import { field } from '../support/field.ts'
import {
  advance,
  cancelOrder,
  type LabMethod,
  moveOrder,
  orderBy,
  readOrder,
  readResult,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { trailOf } from '../support/simulation.ts'

// Simulation by legal steps: see simulation.test.ts.

const petri = forEachTest()

const placed = (method: LabMethod) => orderBy(petri, method)
const simulate = (id: string, query = '', body?: object) => petri.post(`/v3/order/${id}/test${query}`, body)
const dotted = (method: string, low: string) =>
  dottedStatuses.find((status) => status.endsWith(`.${method}.${low}`))

describe('a simulation with a delay', () => {
  it('takes a step each time it has passed', async () => {
    const { id } = await placed('walk_in_test')
    await simulate(id, '?delay=60')
    const trails = []
    for (const by of ['59s', '1s', '59s', '1s', '60s', '1h']) {
      await advance(petri, by)
      trails.push((await trailOf(petri, id)).length)
    }
    expect(trails).toEqual([1, 2, 2, 3, 4, 4])
    expect(await trailOf(petri, id)).toEqual([
      'ordered',
      'requisition_created',
      'partial_results',
      'completed',
    ])
  })

  it('is replaced by the next one, and leaves out what was done by hand', async () => {
    const { id } = await placed('on_site_collection')
    await simulate(id, '?delay=60')
    await simulate(id, `?delay=600&final_status=${dotted('on_site_collection', 'draw_completed')}`)
    await advance(petri, '599s')
    expect(await trailOf(petri, id)).toEqual(['ordered'])
    await moveOrder(petri, id, 'requisition_created')
    await advance(petri, '1s')
    expect(await trailOf(petri, id)).toEqual(['ordered', 'requisition_created'])
    await advance(petri, '600s')
    expect(await trailOf(petri, id)).toEqual(['ordered', 'requisition_created', 'draw_completed'])
    await advance(petri, '2d')
    expect(await trailOf(petri, id)).toHaveLength(3)
  })

  it('ends where the order is cancelled, and is nothing at the end already', async () => {
    const { id } = await placed('walk_in_test')
    await simulate(id, '?delay=60')
    await advance(petri, '60s')
    await cancelOrder(petri, id)
    await advance(petri, '1h')
    expect(await trailOf(petri, id)).toEqual(['ordered', 'requisition_created', 'cancelled'])
    const done = await placed('on_site_collection')
    await simulate(done.id)
    const before = await readOrder(petri, done.id)
    expect(await simulate(done.id, '?delay=60')).toMatchObject({ status: 200, body: 'Success' })
    await advance(petri, '1h')
    expect(await readOrder(petri, done.id)).toEqual(before)
  })
})

describe('the results of a simulation', () => {
  it('are normal unless others are asked for, and a correction keeps what they were', async () => {
    const { id } = await placed('walk_in_test')
    await simulate(id)
    expect(await readOrder(petri, id)).toMatchObject({ interpretation: 'normal', has_missing_results: false })
    const other = await placed('walk_in_test')
    await simulate(other.id, '', { interpretation: 'critical' })
    await simulate(other.id, `?final_status=${dotted('walk_in_test', 'corrected')}`)
    expect(await trailOf(petri, other.id)).toEqual([
      'ordered',
      'requisition_created',
      'partial_results',
      'completed',
      'corrected',
    ])
    expect((await readOrder(petri, other.id)).interpretation).toBe('critical')
  })

  it('have the types that are asked for, and miss some on request', async () => {
    const { id } = await placed('walk_in_test')
    await simulate(id, '', { result_types: ['comment'], has_missing_results: true })
    const body = await readResult(petri, id)
    expect(new Set(body.results.map(field('type')))).toEqual(new Set(['comment']))
    expect(body.missing_results.length).toBeGreaterThan(0)
    const whole = await placed('walk_in_test')
    await simulate(whole.id, '', { result_types: null, has_missing_results: null })
    expect((await readResult(petri, whole.id)).missing_results).toBeNull()
  })
})
