import { Hono } from 'hono'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { LowStatus } from '../../src/resources/orders/lifecycle.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { serveHost } from '../support/served.ts'

// These tests call programs of their own on this machine.
beforeEach(() => void vi.unstubAllGlobals())

/** A program that believes the last webhook, or one that believes the newest event. */
function program(believes: 'last' | 'newest') {
  const orders = new Map<string, { id: number; status: LowStatus }>()
  const app = new Hono()
    .post('/webhooks', async (c) => {
      const { event_type, data } = await c.req.json()
      if (!event_type.startsWith('labtest.order.')) return c.body(null, 204)
      const event = data.last_event
      const known = orders.get(data.id)
      if (believes === 'last' || !known || event.id > known.id) orders.set(data.id, event)
      return c.body(null, 204)
    })
    .get('/orders/:id', (c) => c.json({ status: orders.get(c.req.param('id'))?.status ?? null }))
    .get('/pages/:id', (c) => c.html('<p>Sign in</p>'))
  return serveHost((request) => app.fetch(request))
}

const narrow = { only: ['deliveries'], runs: 10, max_findings: 1 }

async function ended(petri: TestPetri, id: string) {
  for (;;) {
    const { body } = await petri.get(`/_petri/explore/${id}`)
    if (body.state !== 'running') return body
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('an exploration by the control API', { timeout: 120_000 }, () => {
  it('finds what a program shows wrongly, with the webhooks of the history, and plays it again', {
    tags: 'slow',
  }, async () => {
    const petri = await startTestPetri()
    const url = await program('last')
    const of = { webhook: `${url}/webhooks`, check: `${url}/orders/{order_id}`, at: 'status' }
    const order = await petri.post('/_petri/orders', {})
    const started = await petri.post('/_petri/explore', { ...of, ...narrow })
    expect(started).toMatchObject({
      status: 201,
      body: { state: 'running', of: 10, api_key: expect.stringMatching(/^sk_us_explore_/) },
    })
    const again = await petri.post('/_petri/explore', { ...of, ...narrow })
    expect(again).toMatchObject({ status: 409, body: { detail: expect.stringContaining('is running') } })
    const { state, detail, findings, coverage } = await ended(petri, started.body.id)
    expect([state, detail]).toEqual(['done', null])
    const [finding] = findings
    expect(finding.problem).toContain('expected "completed.testkit.completed"')
    expect(finding.webhooks).toContainEqual(
      expect.objectContaining({ event_type: 'labtest.order.updated', status: 'completed', answer: 204 }),
    )
    expect(coverage.edges.covered).toBeGreaterThan(5)
    expect((await petri.get('/_petri/explore')).body.data).toHaveLength(1)
    const { scenario } = finding
    const replayed = await petri.post('/_petri/explore/replay', { ...of, scenario })
    expect(replayed).toMatchObject({ status: 200, body: { finding: { name: finding.name } } })
    const right = await program('newest')
    const fixed = {
      webhook: `${right}/webhooks`,
      check: `${right}/orders/{order_id}`,
      at: 'status',
      scenario,
    }
    expect((await petri.post('/_petri/explore/replay', fixed)).body).toEqual({ finding: null })
    // The world of the program is as it was, and those of the histories are gone.
    expect((await petri.get(`/v3/order/${order.body.id}`)).status).toBe(200)
    expect(petri.petri.worlds.all()).toHaveLength(1)
    await petri.close()
  })

  it('stops when it is told to', { tags: 'slow' }, async () => {
    const petri = await startTestPetri()
    const url = await program('newest')
    const { body } = await petri.post('/_petri/explore', { webhook: `${url}/webhooks`, runs: 10_000 })
    expect((await petri.call('DELETE', `/_petri/explore/${body.id}`)).status).toBe(204)
    expect(await ended(petri, body.id)).toMatchObject({ state: 'stopped', of: 10_000 })
    await petri.close()
  })

  it('says in one sentence why it cannot run', { tags: 'slow' }, async () => {
    const petri = await startTestPetri()
    const url = await program('newest')
    const webhook = `${url}/webhooks`
    const refusals = [
      [{ webhook: 'http://127.0.0.1:1/' }, /^No webhook can be sent to .*Connection refused/],
      [{ webhook, check: `${url}/orders` }, /contain \{order_id\}/],
      [{ webhook, check: `${url}/{order_id}`, map: { complete: 'done' } }, /Did you mean "completed"\?/],
    ] as const
    for (const [input, detail] of refusals)
      expect(await petri.post('/_petri/explore', input)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(detail) },
      })
    const { status, body } = await petri.post('/_petri/explore', {
      webhook,
      check: 'http://169.254.169.254/{order_id}',
    })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('never calls those')])
    const started = await petri.post('/_petri/explore', {
      webhook,
      check: `${url}/pages/{order_id}`,
      at: 'status',
    })
    expect(await ended(petri, started.body.id)).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/answered text\/html.* instead of JSON: <p>Sign in<\/p>$/),
    })
    expect(await petri.post('/_petri/explore/replay', { webhook, scenario: 'name: a' })).toMatchObject({
      status: 400,
    })
    expect((await petri.get('/_petri/explore/exploration_9')).status).toBe(404)
    await petri.close()
  })
})
