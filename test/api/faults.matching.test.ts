import { beforeEach, describe, expect, it } from 'vitest'
import {
  addFault,
  armFaultsOfOrder,
  clearFaults,
  type FaultInput,
  faults,
  matchFault,
} from '../../src/faults/model.ts'
import { forAllTests } from '../support/petri.ts'

const petri = forAllTests()
beforeEach(() => clearFaults(petri.world()))

const input = (more: Partial<FaultInput> = {}): FaultInput => ({
  operation: 'user_get',
  operation_id: 'user_get',
  order_id: null,
  times: null,
  rate: 1,
  after: 0,
  respond: { status: 503 },
  latency: null,
  drop: null,
  ...more,
})
const add = (more: Partial<FaultInput> = {}) => addFault(petri.world(), input(more)).id
const match = (operationId = 'user_get', orderId?: string) => matchFault(petri.world(), operationId, orderId)
const counts = () => [...petri.world().db.all(faults)].map(({ seen, hits }) => [seen, hits])

describe('of several faults', () => {
  it('the first that applies is the only one, an order’s own before those of every call', () => {
    const [every, own] = [add(), add({ order_id: 'order-1' })]
    add({ order_id: 'order-2' })
    add({ operation_id: 'user_create' })
    expect(match('user_get', 'order-1')?.id).toBe(own)
    expect(match('user_get')?.id).toBe(every)
    expect(match('order_get')).toBeUndefined()
    expect(counts()).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
      [0, 0],
    ])
  })

  it('one that lets a call pass leaves it to the next, and has counted it', () => {
    const [spent, later] = [add({ times: 1 }), add({ after: 2 })]
    add({ rate: 0 })
    const last = add()
    expect([1, 2, 3, 4].map(() => match()?.id)).toEqual([spent, last, last, later])
    expect(counts()).toEqual([
      [1, 1],
      [3, 1],
      [2, 0],
      [2, 2],
    ])
  })

  it('those of an order are replaced by its next scenario’s, and cleared with all others', () => {
    const world = petri.world()
    const every = add()
    armFaultsOfOrder(world, 'order-1', [input(), input({ respond: { status: 500 } })])
    armFaultsOfOrder(world, 'order-2', [input()])
    armFaultsOfOrder(world, 'order-1', [input({ respond: { status: 504 } })])
    expect([...world.db.all(faults)].map(({ order_id, respond }) => [order_id, respond?.status])).toEqual([
      [null, 503],
      ['order-2', 503],
      ['order-1', 504],
    ])
    expect(match('user_get', 'order-1')?.respond?.status).toBe(504)
    expect(match('user_get', 'order-3')?.id).toBe(every)
    clearFaults(world)
    expect(match('user_get', 'order-1')).toBeUndefined()
  })
})

describe('a fault is silent', () => {
  const hitsOf = (calls: number) => Array.from({ length: calls }, () => match() !== undefined)

  it('until `after` calls have passed, which are not counted as hits', () => {
    add({ after: 2 })
    expect(hitsOf(4)).toEqual([false, false, true, true])
    expect(counts()).toEqual([[4, 2]])
  })

  it('once `times` calls were hit, and counts no more calls then', () => {
    add({ times: 2, after: 1 })
    expect(hitsOf(5)).toEqual([false, true, true, false, false])
    expect(counts()).toEqual([[3, 2]])
  })

  it('for calls without an order, or about another, if it is an order’s', () => {
    add({ order_id: 'order-1' })
    expect([match(), match('user_get', 'order-2'), match('user_create', 'order-1')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(counts()).toEqual([[0, 0]])
    expect(match('user_get', 'order-1')).toBeDefined()
  })

  it('at a rate of 0, and at no call at a rate of 1', () => {
    const never = add({ rate: 0 })
    expect(hitsOf(50).some(Boolean)).toBe(false)
    petri.world().db.delete(faults, never)
    add({ rate: 1 })
    expect(hitsOf(50).every(Boolean)).toBe(true)
  })
})

describe('what a fault does', () => {
  it('is late by something between both ends, by the seed and the call', () => {
    const latencies = () => {
      add({ respond: null, drop: 'truncate', latency: { min: 10, max: 20 } })
      const found = Array.from({ length: 30 }, () => match()?.latencyMs ?? -1)
      clearFaults(petri.world())
      return found
    }
    const found = latencies()
    expect(Math.min(...found)).toBeGreaterThanOrEqual(10)
    expect(Math.max(...found)).toBeLessThanOrEqual(20)
    expect(new Set(found).size).toBeGreaterThan(3)
    expect(latencies()).not.toEqual(found)
  })

  it('is told with the match', () => {
    const id = add({ drop: 'truncate' })
    expect(match()).toEqual({ id, respond: { status: 503 }, drop: 'truncate', latencyMs: 0 })
  })

  it('is done to a share of the calls, which is not always the same part of them', () => {
    add({ rate: 0.5 })
    const hits = Array.from({ length: 100 }, () => match() !== undefined)
    expect(hits.filter(Boolean).length).toBeGreaterThan(30)
    expect(hits.filter(Boolean).length).toBeLessThan(70)
  })
})

describe('a fault as it is asked for', () => {
  const put = async (more: object) =>
    petri.put('/_petri/faults', {
      faults: [{ operation: 'GET /v2/user', respond: { status: 500 }, ...more }],
    })
  const withHeaders = (headers: object) => put({ respond: { status: 500, headers } })

  it.each(['connection', 'Content-Length', 'keep-alive', 'Trailer', 'transfer-encoding', 'upgrade'])(
    'cannot set the header %s, which says where the answer ends',
    async (name) => {
      expect(await withHeaders({ 'x-a': 'b', [name]: '1' })).toRefuse(422, [
        { msg: expect.stringContaining(`cannot set the header ${name}, which belongs to the connection`) },
      ])
    },
  )

  it.each([
    ['a header of 100 characters', { ['x'.repeat(100)]: 'b' }, 200],
    ['a header of 101 characters', { ['x'.repeat(101)]: 'b' }, 422],
    ['a header with a space', { 'x a': 'b' }, 422],
    ['a header without a name', { '': 'b' }, 422],
    ['a value of 1000 characters', { 'x-a': 'b'.repeat(1000) }, 200],
    ['a value of 1001 characters', { 'x-a': 'b'.repeat(1001) }, 422],
    ['a value with a tab', { 'x-a': 'b\tc' }, 200],
    ['an empty value', { 'x-a': '' }, 200],
    ['a value with a letter beyond ASCII', { 'x-a': 'ä' }, 422],
  ])('with %s', async (_, headers, status) => {
    expect(await withHeaders(headers)).toAnswer(status)
  })

  it.each([
    [{ operation: '' }, 422],
    [{ operation: 'x'.repeat(501) }, 422],
    [{ times: null, rate: null, after: null, latency: null, drop: null }, 200],
    [{ times: 1.5 }, 422],
    [{ after: 0 }, 200],
    [{ respond: null }, 422],
    [{ respond: null, drop: 'reset' }, 200],
    [{ respond: null, latency: '1ms' }, 200],
    [{ latency: { min: '1s', max: '6m' } }, 422],
    [{ latency: { min: '1s', max: '2s', mean: '1s' } }, 422],
    [{ respond: { status: 500, headers: null } }, 200],
    [{ respond: { status: 500, text: 'x' } }, 422],
  ])('as %j is answered %i', async (more, status) => {
    expect(await put(more)).toAnswer(status)
  })

  it('says what a latency may be', async () => {
    const { body } = await put({ latency: '6m' })
    expect(JSON.stringify(body.detail)).toContain('is not a duration of up to 5m; write 200ms or 3s')
  })
})
