import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FindingFile, readFinding } from '../../src/scenarios/finding.ts'
import { plannedHistory } from '../../src/scenarios/planned-steps.ts'
import { toStep } from '../../src/scenarios/steps.ts'
import { lastOrdinary, outageCount, resendCount } from '../../src/tools/explore/actions.ts'
import { anomaliesOf, nameFrom, workflowOf } from '../../src/tools/explore/anomalies.ts'
import { draftArbitrary } from '../../src/tools/explore/arbitrary.ts'
import { compile, happyHistory, waitCount } from '../../src/tools/explore/compile.ts'
import { allEdges, type Coverage, count, edgeOf, newCoverage } from '../../src/tools/explore/coverage.ts'
import { type Draft, happyDraft, type OrderDraft } from '../../src/tools/explore/draft.ts'
import { writeFinding } from '../../src/tools/explore/finding-file.ts'
import { partNames, parts } from '../../src/tools/explore/parts.ts'
import { makeFolder } from '../support/new-folder.ts'
import { startTestPetri } from '../support/petri.ts'

/** The edges that the orders of a draft come along. */
function edgesOf(draft: Draft, coverage: Coverage): readonly string[] {
  const { orders } = compile(draft, { name: 'explored', seed: 'explored', coverage })
  return orders.flatMap((order) => {
    const workflow = workflowOf(order)
    const statuses = plannedHistory({ method: order.method, steps: order.steps.map(toStep) }, workflow)
    return statuses.slice(1).map(({ low }, at) => edgeOf(workflow, statuses[at]?.low ?? 'ordered', low))
  })
}

/** As `petri explore` wrote findings when they were scenarios. */
const earlier = `name: early
summary: Early.
method: testkit
steps: []
history:
  seed: a
  now: 2026-01-05T09:00:00Z
`

describe('a draft of a history', () => {
  const { first, ...happy } = happyDraft(0)
  const historyOf = (draft: Partial<Draft>) =>
    compile({ ...happy, first, ...draft }, { name: 'mine', seed: 's', coverage: { edges: new Map() } })
  /** The lines of its file from its features on. */
  const linesOf = (draft: Partial<Draft>) =>
    writeFinding(historyOf(draft)).replace(/^[\s\S]*?(?=features)/, '')

  const whole: Partial<Draft> = {
    first: {
      ...first,
      waits: [
        { step: 1, wait: 4 },
        // At the next midnight.
        { step: 2, wait: 18 },
        { step: 3, wait: 1 },
      ],
      result: 3,
      webhookFaults: { duplicate: 1 },
    },
    others: [
      { ...first, workflow: 1, isSameUser: true, placed: 2, cancelAfter: 3 },
      { ...first, workflow: 3, isSameUser: false, placed: 3, result: 1 },
    ],
    faults: [
      { operation: 'GET /v3/order/{order_id}', kind: 0, times: 2 },
      { operation: 'POST /v2/user', kind: 4, times: 1 },
    ],
    outage: { kind: 'down', step: 2, length: 3 },
    resend: { order: 1, event: 2, later: 1 },
    ...{ isLooked: false, isSpaced: true, hasUnmatched: true, hasFutures: true },
  }
  const connected: Partial<Draft> = {
    feed: {
      provider: 0,
      acts: (['data', 'connect', 'other', 'disconnect', 'break', 'end', 'look'] as const).map((act, at) => ({
        ...{ act, after: at % 4, pick: at },
      })),
    },
    outage: { kind: 'down', step: 0, length: 9 },
    resend: { order: 0, event: undefined, later: 3 },
    hasFutures: true,
  }

  it('has its orders with their times, and what happens to them', () => {
    expect(
      linesOf(whole),
    ).toBe(`features: { partial_results_webhooks: true, redraws: true, unknown_futures: true }
bodies: spaced
orders:
  - at: 0s
    user: 1
    method: testkit
    steps:
      - { after: 4h, status: requisition_created, only: registered_kit }
      - { after: 5m, status: transit_customer, only: registered_kit }
      - { after: 10h55m, status: out_for_delivery, only: registered_kit }
      - { after: 1s, status: with_customer, only: registered_kit }
      - { after: 2d, status: transit_lab, only: registered_kit }
      - { after: 2d, status: delivered_to_lab, only: registered_kit }
      - { after: 1d, status: completed, only: registered_kit, results: { interpretation: normal, missing: true } }
    webhook_faults: { duplicate: 1 }
    faults:
      - { operation: "GET /v3/order/{order_id}", times: 2, respond: { status: 429, headers: { retry-after: "1" } } }
  - at: 1h
    user: 1
    method: testkit
    registrable: true
    steps:
      - { after: 1d, status: transit_customer, only: registrable_kit }
      - { after: 2d, status: out_for_delivery, only: registrable_kit }
      - { after: 6h, status: with_customer, only: registrable_kit }
      - { await: registration, only: registrable_kit }
      - { after: 4h, status: requisition_created, only: registrable_kit }
      - { after: 2d, status: transit_lab, only: registrable_kit }
      - { after: 2d, status: delivered_to_lab, only: registrable_kit }
      - { after: 1d, status: completed, only: registrable_kit, results: { interpretation: normal } }
  - at: 1d
    user: 2
    method: at_home_phlebotomy
    steps:
      - { after: 4h, status: requisition_created }
      - { after: 1d, status: appointment_pending }
      - { after: 1d, status: appointment_scheduled }
      - { after: 1d, appointment: start }
      - { after: 0s, appointment: complete }
      - { after: 1d, status: completed, results: { interpretation: abnormal } }
actions:
  - { at: 4h4m59s, receiver: down, for: 6m }
  - { at: 1d, unmatched: no_match }
  - { at: 3d1h, features: { unknown_futures: false } }
  - { at: 3d1h1m, cancel: 2 }
  - { at: 3d8h, register: 2 }
  - { at: 9d12h, resend: 2, event: 2 }
faults:
  - { operation: POST /v2/user, times: 1, drop: truncate }
`)
  })

  it('has a connection after its orders, which are looked at after each status', () => {
    const lines = linesOf(connected).split('\n')
    expect(lines.slice(0, 2)).toEqual([
      'features: { partial_results_webhooks: true, redraws: true, history: 3d }',
      'time_zone: America/New_York',
    ])
    const looks = ['0s', '4h', '1d4h', '3d4h', '3d10h', '5d10h', '7d10h', '8d10h']
    expect(lines.slice(lines.indexOf('actions:') + 1, -1)).toEqual([
      '  - { at: 0s, receiver: down, for: 1d3h }',
      ...looks.map((at) => `  - { at: ${at}, look: true, user: 1 }`),
      '  - { at: 8d11h, connect: oura, user: 1 }',
      '  - { at: 8d11h1m, data: water, provider: oura, user: 1, day: 0, value: 1000 }',
      '  - { at: 8d11h21m, connect: oura, user: 1 }',
      '  - { at: 8d18h21m, connect: strava, user: 1 }',
      '  - { at: 9d18h21m, disconnect: oura, user: 1 }',
      '  - { at: 9d18h22m, break: oura, user: 1, error: required_scopes_not_granted }',
      '  - { at: 9d18h42m, ingestion_end: -1, user: 1 }',
      '  - { at: 10d1h42m, look: true, user: 1 }',
      '  - { at: 11d1h42m, look: true, user: 1 }',
      '  - { at: 11d10h, resend: 1 }',
    ])
  })

  it('waits, is out and resends at the boundaries of retries and of days', () => {
    const each = <Value>(count: number, of: (index: number) => Value) =>
      Array.from({ length: count }, (_, index) => of(index))
    const wait = (index: number) =>
      historyOf({ first: { ...first, waits: [{ step: 0, wait: index }] } }).orders[0]?.steps[0]
    expect(each(waitCount, wait).map((step) => step && 'after' in step && step.after)).toEqual([
      ...['0s', '1s', '5s', '6s', '5m', '5m1s', '30m', '30m1s', '2h', '2h1s', '5h', '5h1s', '10h', '10h1s'],
      ...['23h59m59s', '7d', '21d', '14h59m59s', '15h', '15h1s'],
    ])
    const out = (length: number) => historyOf({ isLooked: false, outage: { kind: 'down', step: 0, length } })
    expect(each(outageCount, out).flatMap(({ actions = [] }) => actions)).toEqual(
      ['6s', '6m', '36m', '3h', '8h', '18h', '1d3h'].map((lasts) => ({
        at: '0s',
        receiver: 'down',
        for: lasts,
      })),
    )
    const resent = (later: number) =>
      historyOf({ isLooked: false, resend: { order: 0, event: undefined, later } })
    expect(each(resendCount, resent).flatMap(({ actions = [] }) => actions)).toEqual(
      ['8d10h1m', '9d10h', '11d10h', '38d10h'].map((at) => ({ at, resend: 1 })),
    )
  })

  it('differs from the happy path in words, of which the first three name it', () => {
    expect(anomaliesOf(historyOf({}))).toEqual([])
    expect(nameFrom([], new Set())).toBe('found-happy-path')
    const words = anomaliesOf(historyOf(whole))
    expect(words).toEqual([
      ...['missing results', 'duplicate', '429 of GET /v3/order/{order_id}', 'registrable_kit'],
      ...['at_home_phlebotomy', 'abnormal result', 'second order of the user', 'order of another user'],
      ...['spaced body', 'unknown fields and values', 'receiver down', 'unmatched result'],
      ...['cancelled by the customer', 'resend', 'truncate of POST /v2/user'],
    ])
    const name = 'found-missing-results-duplicate-429-of-get-v3-order'
    expect([nameFrom(words, new Set()), nameFrom(words, new Set([name, `${name}-2`]))]).toEqual([
      name,
      `${name}-3`,
    ])
    expect(nameFrom(['a'.repeat(53), 'b'], new Set())).toBe(`found-${'a'.repeat(53)}`)
    expect(anomaliesOf(historyOf(connected))).toEqual([
      ...['receiver down', 'connection to oura', 'data of a device', 'connection to strava'],
      ...['disconnected', 'connection error', 'end of ingestion', 'resend'],
    ])
  })
})

describe('a history', () => {
  it('is the same once it was written and read', () => {
    const history = happyHistory()
    expect(readFinding(writeFinding(history), 'explored')).toEqual(history)
  })

  it.each([
    [20, [{ at: 10, times: [0, 10, 20] }]],
    [10, [{ at: 10, times: [0, 20, 20] }]],
    [15, [{ at: 10, times: [0, 5, 20], cancelAfter: 1 }]],
    [10, [{ at: 10, times: [0, 10, 20], cancelAfter: 0 }]],
    [
      3,
      [
        { at: 10, times: [0, 5] },
        { at: 3, times: [0, 1] },
      ],
    ],
    [
      undefined,
      [
        { at: 10, times: [0, 5] },
        { at: 3, times: [0] },
      ],
    ],
  ])('has unknown statuses until %s', (until, orders) => {
    const placed = orders.map(
      ({ cancelAfter, ...order }: { at: number; times: number[]; cancelAfter?: number }) => ({
        ...order,
        user: 1,
        registeredAt: undefined,
        draft: { cancelAfter } as OrderDraft,
      }),
    )
    expect(lastOrdinary(placed)).toBe(until)
  })

  it.each([
    ['an unknown status', 'lst', /lst.*Did you mean "lost"/],
    ['a move that the lifecycle does not have', 'completed', /cannot become completed/],
  ])('is refused with %s in one of its orders', (_, status, message) => {
    const order = { at: '1d', user: 1, method: 'testkit', steps: [{ after: '1h', status }] }
    const file = { ...happyHistory(), orders: [...happyHistory().orders, order] }
    expect(() => readFinding(writeFinding(file as FindingFile), 'mine.yaml')).toThrow(message)
  })

  it('names file, line and step of what is wrong, the earlier form, and what is not a finding', () => {
    const source = writeFinding(happyHistory()).replace('transit_lab', 'lst')
    expect(() => readFinding(source, 'a.yaml')).toThrow(/^a\.yaml:\d+: step 5: .*"lst".*Did you mean "lost"/)
    expect(() => readFinding(earlier, 'b.yaml')).toThrow(
      /^b\.yaml has the key "history".* kind: finding, name/,
    )
    const scenario = 'name: c\nsummary: C.\nmethod: testkit\nsteps: []\n'
    expect(() => readFinding(scenario, 'c.yaml')).toThrow(/^c\.yaml is not a finding/)
  })

  it('is no scenario, in both forms: a start passes over its file, and no order follows it', async () => {
    const folder = makeFolder('petri-findings-')
    mkdirSync(join(folder, 'found'))
    writeFileSync(join(folder, 'found', 'explored.yaml'), writeFinding(happyHistory()))
    writeFileSync(join(folder, 'found', 'early.yaml'), earlier)
    // The name of a finding is not taken from scenarios.
    const scenario = 'name: explored\nsummary: Mine.\nmethod: testkit\nsteps: []\n'
    writeFileSync(join(folder, 'explored.yaml'), scenario)
    const petri = await startTestPetri({ scenarios: [folder] })
    const { data } = (await petri.get('/_petri/scenarios')).body
    const own = data.filter(({ name }: { name: string }) => ['explored', 'early'].includes(name))
    expect(own).toMatchObject([{ name: 'explored', summary: 'Mine.' }])
    for (const source of [writeFinding({ ...happyHistory(), name: 'mine' }), earlier]) {
      const { status, body } = await petri.call('PUT', '/_petri/scenarios/mine', { source })
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('this is a finding')])
    }
    await petri.close()
  })

  it('comes along every edge of the lifecycles, because what none has covered is likelier', {
    tags: 'slow',
  }, () => {
    const coverage = newCoverage()
    const never = () => allEdges().filter((edge) => !coverage.edges.has(edge))
    for (let run = 1; run <= 1500 && never().length > 0; run++) {
      const drafts = fc.sample(draftArbitrary({ parts: new Set(partNames), coverage }), {
        seed: run,
        numRuns: 1,
      })
      for (const edge of drafts.flatMap((draft) => edgesOf(draft, coverage))) count(coverage.edges, edge)
    }
    expect(never()).toEqual([])
  })

  it('consists of parts whose reasons are written down', () => {
    for (const source of Object.values(parts)) {
      const [file = '', heading] = source.split('#')
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replace(/ /g, '-'),
      )
      if (heading !== undefined) expect(headings).toContain(heading)
    }
  })
})
