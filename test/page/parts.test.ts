import { readdirSync, readFileSync } from 'node:fs'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Webhook } from 'svix'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { linesOf } from '../../src/page/activity-log.ts'
import { inWords, lowOf, relativeTo, toneOf } from '../../src/page/format.ts'
import { LifecycleMap } from '../../src/page/lifecycle-map.tsx'
import { gapsIn, Hypnogram, LinePlot } from '../../src/page/plots.tsx'
import type { Lifecycle, OrderLife } from '../../src/page/responses.ts'
import { verify } from '../../src/page/signature.ts'
import { layoutOf, wrap } from '../../src/page/stop-map.tsx'
import { findBrowser } from '../browser/setup.ts'
import { field } from '../support/field.ts'
import { moveOrder, readDetails } from '../support/orders.ts'
import { forAllTests } from '../support/petri.ts'
import { sampled } from '../support/rounds.ts'
import { placeFor, scenarioNames } from '../support/scenarios.ts'

const petri = forAllTests()
let lifecycle: Lifecycle
beforeAll(async () => {
  lifecycle = await petri.read('/_petri/lifecycle')
})

describe('the map of a workflow', () => {
  it('has every status, and no two nearer than a label is wide', () => {
    for (const workflow of lifecycle.workflows) {
      const stops = layoutOf(workflow)
      expect(new Set(stops.map(field('name')))).toEqual(new Set(workflow.statuses.map(field('name'))))
      for (const lane of ['above', 'middle', 'below']) {
        const columns = stops.filter((stop) => stop.lane === lane).map(field('column'))
        const sorted = [...columns].sort((a, b) => a - b)
        for (const [at, column] of sorted.entries()) {
          if (at > 0) expect(column - (sorted[at - 1] ?? 0)).toBeGreaterThanOrEqual(0.999)
          expect(column).toBeGreaterThanOrEqual(0)
        }
      }
      for (const { name } of stops)
        for (const line of wrap(inWords(name))) expect(line.length).toBeLessThanOrEqual(18)
    }
  })

  it.each(sampled(scenarioNames()))('is true to the events of %s', { tags: 'slow' }, async (name) => {
    const { id, help } = await placeFor(petri, name)
    const read = (): Promise<OrderLife> => readDetails(petri, id)
    for (let step = 0; step < 40; step++) {
      const life = await read()
      expect(statesIn(life)).toEqual(statesOf(life))
      const refused = await moveOrder(petri, id, illegalIn(life))
      expect([refused.status, refused.body.legal]).toEqual([409, life.legal])
      const [next] = life.planned
      if (!next) return
      if (next.due) {
        await petri.post('/_petri/clock/advance', { to: next.due })
        const { status, created_at } = (await read()).order.last_event
        expect([status, Date.parse(created_at)]).toEqual([next.status, Date.parse(next.due)])
      } else if (!(await help(next.waits_for))) return
    }
    throw new Error(`${name} never ends`)
  })

  /** A status that the order cannot move to from where it is. */
  const illegalIn = ({ workflow, legal }: OrderLife): string =>
    lifecycle.workflows
      .find(({ name }) => name === workflow)
      ?.statuses.find(({ status }) => !legal.includes(status))?.status ?? ''

  /** What is drawn. */
  function statesIn(life: OrderLife): Record<string, string> {
    const workflow = lifecycle.workflows.find(({ name }) => name === life.workflow)
    if (!workflow) throw new Error(`no workflow ${life.workflow}`)
    const html = renderToString(h(LifecycleMap, { workflow, life, now: '2026-01-05T09:00:00Z' }))
    const stops = [...html.matchAll(/data-stop="(\w+)" data-state="(\w+)"/g)]
    return Object.fromEntries(stops.map(([, name = '', state = '']) => [name, state]).sort())
  }

  /** What is so. */
  function statesOf({ order, workflow, planned, legal }: OrderLife): Record<string, string> {
    const all = lifecycle.workflows.find(({ name }) => name === workflow)?.statuses ?? []
    const has = (statuses: readonly string[], name: string) =>
      statuses.some((status) => lowOf(status) === name)
    const stateOf = (name: string) => {
      if (lowOf(order.last_event.status) === name) return 'here'
      if (has(order.events.map(field('status')), name)) return 'was'
      if (has(planned.map(field('status')), name)) return 'plan'
      return has(legal, name) ? 'open' : 'idle'
    }
    return Object.fromEntries(all.map(({ name }) => [name, stateOf(name)]).sort())
  }
})

describe('the signature', () => {
  const secret = 'whsec_cGV0cmktZGVmYXVsdC1zZWNyZXQtMXN0'
  const at = Date.parse('2026-01-05T09:00:00Z')
  const body = '{"event_type":"labtest.order.updated"}'
  const signed = {
    id: 'msg_1',
    timestamp: String(at / 1000),
    signatures: new Webhook(secret).sign('msg_1', new Date(at), body),
    body,
  }

  it('is judged as a receiver should judge it', async () => {
    expect(await verify(secret, signed, at)).toBe('valid')
    expect(await verify(secret, signed, at + 6 * 60_000)).toBe('stale')
    expect(await verify(secret, { ...signed, body: `${body} ` }, at)).toBe('invalid')
    expect(await verify('whsec_b3RoZXI=', signed, at)).toBe('invalid')
    expect(await verify('no secret', signed, at)).toBe('invalid')
  })
})

describe('the activity', () => {
  it('has one line for an event with its deliveries, and one for the health data of a day', () => {
    const at = '2026-01-05T09:00:00Z'
    const told = [
      { at, kind: 'delivery', message_id: 'msg_2', event_type: 'daily.data.sleep.created', status: 500 },
      { at, kind: 'delivery', message_id: 'msg_3', event_type: 'daily.data.heartrate.created', status: 204 },
      { at, kind: 'delivery', message_id: 'msg_1~2', event_type: 'labtest.order.updated', status: 204 },
      { at, kind: 'delivery', message_id: 'msg_1', event_type: 'labtest.order.updated', status: 204 },
      { at, kind: 'event', message_id: 'msg_1', event_type: 'labtest.order.updated' },
      { at, kind: 'order', order_id: 'x', status: 'failed.testkit.lost' },
    ]
    expect(linesOf(told).map(({ kind, count, failed }) => [kind, count, failed])).toEqual([
      ['data', 2, 1],
      ['delivery', 2, 0],
      ['order', 1, 0],
    ])
  })
})

describe('a line of the activity', () => {
  it('about a webhook of an order links both', { tags: 'slow' }, async () => {
    vi.stubGlobal('location', { hash: '', href: 'http://127.0.0.1/_petri/' })
    const { Effects } = await import('../../src/page/activity.tsx')
    const delivered = {
      at: '2026-01-05T09:00:00Z',
      kind: 'delivery',
      message_id: 'msg_1',
      order_id: 'abc',
      event_type: 'labtest.order.updated',
      status: 204,
    }
    const html = renderToString(h(Effects, { effects: [delivered] }))
    expect(html).toContain('href="#/orders/abc"')
    expect(html).toContain('href="#/webhooks/msg_1"')
  })
})

describe('plots', () => {
  const hour = 3_600_000
  it('break off where nothing was measured, and say so', () => {
    const samples = [0, 5, 10, 15, 180, 185].map((minute) => ({
      at: minute * 60_000,
      value: 60 + minute / 10,
    }))
    expect(gapsIn(samples)).toEqual([{ from: 15 * 60_000, to: 3 * hour }])
    const period = { from: 0, to: 24 * hour }
    const html = renderToString(h(LinePlot, { period, name: 'Heart rate', samples, unit: 'bpm' }))
    expect(html).toContain('6 samples, 60 to 78.5 bpm; none from 00:15 to 03:00')
    expect(html.match(/class="stroke" d="([^"]*)"/)?.[1]?.match(/M/g)).toHaveLength(2)
  })

  it('name each stage of a night', () => {
    const stages = [
      { from: 0, to: 600, type: 4 },
      { from: 600, to: 3600, type: 1 },
    ]
    const html = renderToString(h(Hypnogram, { start: '2026-01-05T22:00:00Z', stages }))
    expect(html).toContain('Sleep stages: awake 22:00–22:10, deep 22:10–23:00')
  })
})

describe('words', () => {
  it('are short and plain', () => {
    expect(relativeTo('2026-01-05T09:30:00Z', '2026-01-05T09:00:00Z')).toBe('in 30 min')
    expect(relativeTo('2026-01-05T09:00:00Z', '2026-01-10T09:00:00.026Z')).toBe('5 d ago')
    expect(relativeTo('2026-01-05T09:00:19.835Z', '2026-01-05T09:00:00Z')).toBe('in 20 s')
    expect(relativeTo('2026-01-05T09:00:00.4Z', '2026-01-05T09:00:00Z')).toBe('now')
    expect(inWords('received.testkit.testkit_registered')).toBe('registered')
    expect(toneOf('collecting_sample.testkit.problem_in_transit_customer')).toBe('attention')
  })
})

describe('the tests in a browser', () => {
  it('are left out where there is none, which is said, and which fails where they are required', () => {
    expect(findBrowser({ CHROMIUM: '' })).toEqual({
      words: 'browser tests are left out: no Chromium was found (apt-get install chromium, or set CHROMIUM)',
    })
    expect(() => findBrowser({ CHROMIUM: '', BROWSER_TESTS: 'required' })).toThrow(
      'BROWSER_TESTS=required, and no Chromium was found',
    )
  })
})

describe('what is served', () => {
  it('keeps to its budget', () => {
    const folder = new URL('../../dist/page/', import.meta.url)
    const size = (start: string) => {
      const [file = ''] = readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith('.gz'))
      return readFileSync(new URL(file, folder)).length
    }
    expect(size('page-')).toBeLessThan(70_000)
    expect(size('editor-')).toBeLessThan(160_000)
    expect(size('style-')).toBeLessThan(12_000)
  })
})
