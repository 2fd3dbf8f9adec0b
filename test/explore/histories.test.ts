import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExplorePart } from '../../src/client/explore.ts'
import { asText, isObject, type JsonObject } from '../../src/kernel/json.ts'
import { workflows } from '../../src/resources/orders/lifecycle.ts'
import { type FindingFile, readFinding } from '../../src/scenarios/finding.ts'
import { plannedHistory } from '../../src/scenarios/planned-steps.ts'
import { toStep } from '../../src/scenarios/steps.ts'
import { lastOrdinary, outageCount, resendCount } from '../../src/tools/explore/actions.ts'
import { anomaliesOf, nameFrom, workflowOf } from '../../src/tools/explore/anomalies.ts'
import { draftArbitrary } from '../../src/tools/explore/arbitrary.ts'
import {
  compile,
  faultKindCount,
  happyHistory,
  placingCount,
  resultCount,
  waitCount,
} from '../../src/tools/explore/compile.ts'
import {
  allEdges,
  type Coverage,
  count,
  describeCoverage,
  edgeOf,
  newCoverage,
} from '../../src/tools/explore/coverage.ts'
import { type Draft, happyDraft, type OrderDraft } from '../../src/tools/explore/draft.ts'
import { writeFinding } from '../../src/tools/explore/finding-file.ts'
import { partNames, parts } from '../../src/tools/explore/parts.ts'
import type { Played } from '../../src/tools/explore/play.ts'
import type { FailedOutcome } from '../../src/tools/explore/player.ts'
import { type Shrinking, shrink } from '../../src/tools/explore/shrink.ts'
import { tell, webhooksOf } from '../../src/tools/explore/story.ts'
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
  const each = <Value>(count: number, of: (index: number) => Value) =>
    Array.from({ length: count }, (_, index) => of(index))
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

  it('takes the place of an action from the orders that there are, and ends with the last of them', () => {
    const acts = [0, 1, 2, 3].map((pick) => ({ after: 0, pick }))
    const { actions = [], orders } = historyOf({
      isLooked: true,
      first: { ...first, cancelAfter: 9 },
      others: [1, 4].map((placed) => ({
        ...first,
        isSameUser: false,
        placed,
        waits: [{ step: 0, wait: 18 }],
        ...(placed === 1 && { cancelAfter: 2 }),
      })),
      outage: { kind: 'down', step: 11, length: 0 },
      resend: { order: 5, event: undefined, later: 0 },
      feed: {
        provider: 9,
        acts: [...acts, ...acts].map((one, at) => ({ ...one, act: at < 4 ? 'data' : 'end' })),
      },
    })
    const firstWaits = orders.map(({ steps: [step] }) => step && 'after' in step && step.after)
    expect(firstWaits).toEqual(['4h', '14h59m', '15h'])
    const say = ({ at, ...rest }: (typeof actions)[number]) => `${at} ${Object.values(rest).join(' ')}`
    const ofThird = actions.filter((action) => !('look' in action) || action.user === 3)
    expect(ofThird.map(say)).toEqual([
      '1d15h1m 2',
      '3d3h59m59s down 6s',
      ...['4d', '4d15h', '5d15h', '7d15h', '7d21h'].map((at) => `${at} true 3`),
      '8d10h1m 1',
      ...['9d21h', '11d21h', '12d21h'].map((at) => `${at} true 3`),
      '12d21h1m 3',
      '12d22h garmin 1',
      ...[0, -3, -1, -3].map((day, nth) => `12d22h${nth + 1}m water garmin 1 ${day} ${nth + 1}000`),
      ...[-6, -1, -6, -1].map((day, nth) => `12d22h${nth + 5}m ${day} 1`),
    ])
    expect(actions.map(say)).toEqual(
      expect.arrayContaining(['1d15h1m true 2', '8d10h1m true 1', '13d22h8m true 1']),
    )
    expect(historyOf({ isLooked: true, hasFutures: true }).actions).toHaveLength(1)
  })

  it('has each kind of result and fault, and each time of an order', () => {
    const results = each(resultCount, (result) =>
      historyOf({ first: { ...first, result } }).orders[0]?.steps.at(-1),
    )
    expect(
      results.map((step) => step && 'results' in step && Object.values(step.results ?? {}).join()),
    ).toEqual([...['normal', 'abnormal', 'critical', 'normal,true']])
    const { faults = [], orders } = historyOf({
      faults: each(faultKindCount, (kind) => ({ operation: 'POST /v2/user', kind, times: 1 })),
      others: each(placingCount, (placed) => ({ ...first, isSameUser: true, placed })),
    })
    expect(faults.map(({ respond, drop }) => drop ?? respond?.status)).toEqual([
      429,
      500,
      503,
      'reset',
      'truncate',
    ])
    expect(orders.map(({ at }) => at)).toEqual(['0s', '0s', '1m', '1h', '1d', '4d'])
  })

  it.each([
    [2, 0, { after: '1d', status: 'appointment_cancelled' }],
    [3, 0, { after: '1d', appointment: 'moved' }],
    [3, 3334, { after: '1d', appointment: 'cancelled_by_provider' }],
  ])('has the time of what happens to a visit: after %d, %d', (after, pick, step) => {
    const { orders } = historyOf({ first: { ...first, workflow: 3, detours: [{ after, pick }] } })
    expect(orders[0]?.steps[after]).toEqual(step)
  })

  it('waits, is out and resends at the boundaries of retries and of days', () => {
    const wait = (index: number) =>
      historyOf({ first: { ...first, waits: [{ step: 0, wait: index }] } }).orders[0]?.steps[0]
    expect(each(waitCount, wait).map((step) => step && 'after' in step && step.after)).toEqual([
      ...['0s', '1s', '5s', '6s', '5m', '5m1s', '30m', '30m1s', '2h', '2h1s', '5h', '5h1s', '10h', '10h1s'],
      ...['23h59m59s', '7d', '21d', '14h59m59s', '15h', '15h1s'],
    ])
    const midnights = [18, 18, 17].map((wait, step) => ({ step, wait }))
    const [order] = historyOf({ first: { ...first, waits: [...midnights, { step: 0, wait: 0 }] } }).orders
    expect(order?.steps.slice(0, 3)).toMatchObject(['15h', '1d', '23h59m59s'].map((after) => ({ after })))
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
  const { first, ...happy } = happyDraft(0)

  it('is the same once it was written and read', () => {
    const history = happyHistory()
    expect(readFinding(writeFinding(history), 'explored')).toEqual(history)
    expect([history.name, history.seed, history.actions]).toEqual([
      'explored',
      'explore/happy-path',
      undefined,
    ])
  })

  it.each([
    [20, [{ at: 10, times: [0, 10, 20] }]],
    [10, [{ at: 10, times: [0, 20, 20] }]],
    [15, [{ at: 10, times: [0, 5, 20], cancelAfter: 1 }]],
    [20, [{ at: 10, times: [0, 10, 20], cancelAfter: 9 }]],
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
    [
      'a move that the lifecycle does not have',
      'completed',
      /^mine\.yaml:\d+: step 1: .* cannot become completed/,
    ],
  ])('is refused with %s in one of its orders', (_, status, message) => {
    const order = { at: '1d', user: 1, method: 'testkit', steps: [{ after: '1h', status }] }
    const file = { ...happyHistory(), orders: [...happyHistory().orders, order] }
    expect(() => readFinding(writeFinding(file as FindingFile), 'mine.yaml')).toThrow(message)
  })

  const isRead = (more: string, orders = 1) => {
    const head = 'kind: finding\nname: a\nsummary: x\nseed: x\nnow: 2026-01-05T09:00:00Z\norders: '
    try {
      const some = '{ at: 0s, user: 1, method: testkit, steps: [] }, '.repeat(orders)
      readFinding(`${head}[${some}]\n${more}`, 'a.yaml')
      return true
    } catch {
      return false
    }
  }

  it('has actions within limits', () => {
    const possible = [
      'register: 1',
      'cancel: 6',
      'resend: 1',
      'resend: 1, event: 1',
      'resend: 1, event: 100',
      'receiver: down, for: 1h',
      'connect: fitbit, user: 1',
      'disconnect: fitbit, user: 6',
      'ingestion_end: -30, user: 1',
      'ingestion_end: 30, user: 1',
      'look: true, user: 1',
      'break: fitbit, user: 1, error: token_refresh_failed',
      'data: steps, provider: fitbit, user: 1, day: -30, value: 1',
      'data: steps, provider: fitbit, user: 1, day: 0, value: 1',
      'features: { a: true, b: x }',
      'unmatched: wrong_collection',
    ]
    const impossible = [
      'register: 0',
      'cancel: 7',
      'resend: 1, event: 0',
      'resend: 1, event: 101',
      'ingestion_end: -31, user: 1',
      'ingestion_end: 31, user: 1',
      'look: false, user: 1',
      'data: "", provider: fitbit, user: 1, day: 0, value: 1',
      'data: steps, provider: fitbit, user: 1, day: -31, value: 1',
      'data: steps, provider: fitbit, user: 1, day: 1, value: 1',
    ]
    const isPossible = (action: string) => isRead(`actions: [{ at: 1h, ${action} }]`)
    expect([...possible, ...impossible].filter(isPossible)).toEqual(possible)
  })

  it('has so many orders, actions and faults at most', () => {
    const counts = (most: number, isOne: (count: number) => boolean) =>
      expect([most, most + 1].map(isOne)).toEqual([true, false])
    counts(6, (count) => isRead('', count))
    expect(isRead('', 0)).toBe(false)
    counts(200, (count) => isRead(`actions: [${'{ at: 1h, register: 1 }, '.repeat(count)}]`))
    counts(20, (count) =>
      isRead(`faults: [${'{ operation: "GET /v3/order/{order_id}", drop: reset }, '.repeat(count)}]`),
    )
    expect(['time_zone: Asia/Tokyo', 'time_zone: Mars', 'bodies: odd'].map((more) => isRead(more))).toEqual([
      true,
      false,
      false,
    ])
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

  it('is no scenario, in both forms: a start passes over its file, and no order follows it', {
    tags: 'slow',
  }, async () => {
    const folder = makeFolder('petri-findings-')
    mkdirSync(join(folder, 'found'))
    writeFileSync(join(folder, 'found', 'explored.yaml'), writeFinding(happyHistory()))
    writeFileSync(join(folder, 'found', 'early.yaml'), earlier)
    // The name of a finding is not taken from scenarios.
    const scenario = 'name: explored\nsummary: Mine.\nmethod: testkit\nsteps: []\n'
    writeFileSync(join(folder, 'explored.yaml'), scenario)
    const petri = await startTestPetri({ scenarios: [folder] })
    const { data } = await petri.read('/_petri/scenarios')
    const own = data.filter(({ name }: { name: string }) => ['explored', 'early'].includes(name))
    expect(own).toMatchObject([{ name: 'explored', summary: 'Mine.' }])
    for (const source of [writeFinding({ ...happyHistory(), name: 'mine' }), earlier]) {
      const { status, body } = await petri.put('/_petri/scenarios/mine', { source })
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('this is a finding')])
    }
    await petri.close()
  })

  it.each(workflows)('aims at what no history has covered: %s', (name) => {
    const workflow = workflows.indexOf(name)
    const missed = allEdges().filter((edge) => {
      const edges = new Map(allEdges().map((other) => [other, other === edge ? 0 : 1000]))
      const draft = { ...happy, first: { ...first, workflow, aim: 5000 } }
      return edge.startsWith(`${name}:`) && !edgesOf(draft, { ...newCoverage(), edges }).includes(edge)
    })
    expect(missed).toEqual([])
  })

  it('counts the edges that it covers, and names the others', () => {
    const coverage = newCoverage()
    for (let time = 0; time < 2; time++) count(coverage.edges, 'walk_in_test: ordered > cancelled')
    const { edges, ...others } = describeCoverage(coverage)
    expect(edges).toMatchObject({ covered: 1, of: 184, met: { 'walk_in_test: ordered > cancelled': 2 } })
    expect([edges.never.length, others]).toEqual([183, { events: {}, pairs: {} }])
    // A kit to be registered awaits that at once.
    const ofKits = edges.never.filter((edge) => edge.startsWith('registrable_kit: ordered '))
    expect(ofKits).toEqual(['registrable_kit: ordered > awaiting_registration'])
  })

  const detour = (...detours: [after: number, pick: number][]) => ({
    detours: detours.map(([after, pick]) => ({ after, pick })),
  })
  const steps = ({ orders }: FindingFile) =>
    orders
      .flatMap((order) => order.steps)
      .map(({ after: _, only: __, ...step }: JsonObject) =>
        Object.values(step)
          .map((value) => asText(value))
          .join(' '),
      )

  it.each<[workflow: number, Partial<OrderDraft>, steps: string, words: string]>([
    // Of the legal moves, each has the same share of picks.
    [0, detour([1, 3333]), 'requisition_created, cancelled', 'cancelled'],
    [
      ...([0, detour([1, 3334])] as const),
      'requisition_created, do_not_process lab_not_certified_for_state',
      'do_not_process',
    ],
    [0, detour([2, 9999]), 'requisition_created, transit_customer, lost', 'lost'],
    [0, detour([0, 9999]), 'do_not_process rejected_on_request', 'do_not_process'],
    [2, detour([0, 9999]), 'cancelled', 'walk_in_test, cancelled'],
    [
      ...([0, detour([2, 2500], [2, 0])] as const),
      'requisition_created, transit_customer, problem_in_transit_customer, with_customer, transit_lab, failure_to_deliver_to_lab',
      'problem_in_transit_customer, failure_to_deliver_to_lab',
    ],
    ...[0, 9].map((workflow): [number, Partial<OrderDraft>, string, string] => [
      ...([workflow, { omitted: [2] }] as const),
      'requisition_created, transit_customer, with_customer, transit_lab, delivered_to_lab, completed {"interpretation":"normal"}',
      '',
    ]),
    [
      ...([0, { omitted: [0] }] as const),
      'requisition_created, transit_customer, out_for_delivery, with_customer, transit_lab, delivered_to_lab, completed {"interpretation":"normal"}',
      '',
    ],
    [
      ...([2, detour([9, 0])] as const),
      'requisition_created, partial_results {"interpretation":"normal"}, completed {"interpretation":"normal"}, corrected {"interpretation":"normal"}',
      'walk_in_test, corrected',
    ],
    [
      ...([2, { ...detour([2, 3334]), result: 3 }] as const),
      'requisition_created, partial_results {"interpretation":"normal"}, redraw_available {"interpretation":"normal","missing":true}',
      'walk_in_test, redraw_available, missing results',
    ],
    [
      ...([2, detour([2, 0], ...Array(40).fill([0, 0]))] as const),
      `requisition_created${', partial_results {"interpretation":"normal"}'.repeat(28)}`,
      'walk_in_test, partial_results',
    ],
    [
      ...([3, detour([3, 0])] as const),
      'requisition_created, appointment_pending, appointment_scheduled, moved, start, complete, completed {"interpretation":"normal"}',
      'at_home_phlebotomy, moved',
    ],
    ...['cancelled_by_provider', 'cancelled_by_patient', 'no_show'].map(
      (word, nth): [number, Partial<OrderDraft>, string, string] => [
        ...([3, detour([3, 3334 + nth], [0, 9999])] as const),
        `requisition_created, appointment_pending, appointment_scheduled, ${word}, cancelled`,
        `at_home_phlebotomy, ${word}, cancelled`,
      ],
    ),
    [
      ...([1, detour([0, 2500], [2, 0])] as const),
      'registration, requisition_created, transit_customer, failure_to_deliver_to_customer fulfillment_error',
      'registrable_kit, failure_to_deliver_to_customer',
    ],
    [1, detour([0, 9999]), 'do_not_process rejected_on_request true', 'registrable_kit, do_not_process'],
  ])('goes along the detours of its draft: %i %j', (workflow, more, expected, words) => {
    const draft = { ...first, workflow, ...more }
    const history = compile({ ...happy, first: draft }, { name: 'a', seed: 'a', coverage: newCoverage() })
    expect([steps(history).join(', '), anomaliesOf(history).join(', ')]).toEqual([expected, words])
  })

  it.each([
    [1111, 'cancelled'],
    [1112, 'do_not_process'],
  ])('takes a move that was covered once a quarter as often: %d', (pick, word) => {
    const coverage = newCoverage()
    count(coverage.edges, 'registered_kit: requisition_created > cancelled')
    const draft = { ...happy, first: { ...first, ...detour([1, pick]) } }
    expect(anomaliesOf(compile(draft, { name: 'a', seed: 'a', coverage }))).toEqual([word])
  })

  it('chooses the details of a status by what chose its way', () => {
    const to = 'registered_kit: with_customer > do_not_process'
    const edges = new Map(allEdges().map((edge) => [edge, edge === to ? 0 : 1000]))
    const failing = (aim: number) =>
      steps(
        compile({ ...happy, first: { ...first, aim } }, { name: 'a', seed: 'a', coverage: { edges } }),
      ).at(-1)
    expect([failing(5000), failing(5001)]).toEqual([
      'do_not_process lab_not_certified_for_state',
      'do_not_process rejected_on_request',
    ])
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

describe('the histories that are generated', () => {
  const flat = ({ first, ...rest }: Draft) => Object.entries({ ...first, ...rest })
  const sampled = (parts: readonly ExplorePart[], coverage = newCoverage(), numRuns = 200) =>
    fc.sample(draftArbitrary({ parts: new Set(parts), coverage }), { numRuns, seed: 1 })
  const share = <Value>(values: readonly Value[], has: (value: Value) => unknown) =>
    values.filter(has).length / values.length

  it('differ from the happy path in the parts that are wanted, and in no others', { tags: 'slow' }, () => {
    const happy = new Map(flat({ ...happyDraft(0), isLooked: false }))
    const differing = (part: ExplorePart) => {
      const fields = sampled([part]).flatMap((draft) =>
        flat(draft).filter(([field, value]) => !isDeepStrictEqual(value, happy.get(field as never))),
      )
      return [...new Set(fields.map(([field]) => field))].sort()
    }
    expect(Object.fromEntries(partNames.map((part) => [part, differing(part)]))).toEqual({
      orders: ['aim', 'detours', 'result', 'workflow'],
      times: ['waits'],
      users: ['others'],
      cancellations: ['cancelAfter'],
      feeds: ['feed'],
      webhook_faults: ['webhookFaults'],
      resends: ['resend'],
      outages: ['outage'],
      bodies: ['isSpaced'],
      faults: ['faults'],
      futures: ['hasFutures'],
      unmatched: ['hasUnmatched'],
      looks: ['isLooked'],
    })
  })

  it('have every choice, and none beyond', { tags: 'slow' }, () => {
    const drafts = sampled(partNames, newCoverage(), 2000)
    const orders = drafts.flatMap(({ first, others }) => [first, ...others])
    const found = new Map<string, Set<unknown>>()
    const see = (value: unknown, path: string) => {
      if (Array.isArray(value)) for (const each of [...value.keys(), ...value]) see(each, path)
      else if (isObject(value))
        for (const [name, each] of Object.entries(value)) see(each, path ? `${path}.${name}` : name)
      else if (value !== undefined) found.set(path, (found.get(path) ?? new Set()).add(value))
    }
    for (const { first, others, ...rest } of drafts) see({ ...rest, orders: [first, ...others] }, '')
    const choices = [...found].map(([path, values]) => {
      const digits = String(Math.max(...[...values].map(Number))).length
      return [path, values.size > 20 ? `below ${10 ** digits}` : [...values].sort().join(' ')]
    })
    expect(Object.fromEntries(choices)).toEqual({
      orders: '0 1 2',
      'orders.workflow': '0 1 2 3 4',
      'orders.aim': 'below 10000',
      'orders.detours': '0 1 2 3',
      'orders.detours.after': '0 1 2 3 4 5 6 7 8',
      'orders.detours.pick': 'below 10000',
      'orders.waits': '0 1 2',
      'orders.waits.step': '0 1 10 2 3 4 5 6 7 8 9',
      'orders.waits.wait': '0 1 10 11 12 13 14 15 16 17 18 19 2 3 4 5 6 7 8 9',
      'orders.result': '0 1 2 3',
      'orders.webhookFaults.duplicate': '1 2',
      'orders.webhookFaults.reorder': '2 3 4',
      'orders.webhookFaults.delay': '2d 6h',
      'orders.webhookFaults.drop_first': '1 2 3',
      'orders.webhookFaults.burst': '2 3 4 5',
      'orders.cancelAfter': '0 1 2 3 4 5 6 7 8',
      'orders.isSameUser': 'false true',
      'orders.placed': '0 1 2 3 4',
      faults: '0 1',
      'faults.operation':
        'GET /v3/order/{order_id} GET /v3/order/{order_id}/result POST /v2/user POST /v3/order',
      'faults.kind': '0 1 2 3 4',
      'faults.times': '1 2',
      'resend.order': '0 1 2',
      'resend.event': '1 10 2 3 4 5 6 7 8 9',
      'resend.later': '0 1 2 3',
      'outage.kind': 'busy down lost_reply',
      'outage.step': '0 1 2 3 4 5 6 7 8 9',
      'outage.length': '0 1 2 3 4 5 6',
      'feed.provider': '0 1 2 3 4 5 6 7',
      'feed.acts': '0 1 2 3',
      'feed.acts.act': 'break connect data disconnect end look other',
      'feed.acts.after': '0 1 2 3',
      'feed.acts.pick': 'below 10000',
      hasUnmatched: 'false true',
      isSpaced: 'false true',
      hasFutures: 'false true',
      isLooked: 'false true',
    })
    expect(share(orders, ({ webhookFaults }) => webhookFaults)).toBeCloseTo(0.43, 1)
    expect(new Set(drafts.map(({ others }) => others.length))).toEqual(new Set([0, 1, 2]))
    expect(new Set(drafts.map(({ faults }) => faults.length))).toEqual(new Set([0, 1, 2]))
    expect(share(drafts, ({ isLooked }) => isLooked)).toBeCloseTo(1 / 8, 1)
    const oneIn = <Value>(values: readonly Value[], has: (value: Value) => unknown) =>
      Math.round(1 / share(values, has))
    expect({
      others: oneIn(drafts, ({ others }) => others.length > 0),
      faults: oneIn(drafts, ({ faults }) => faults.length > 0),
      resend: oneIn(drafts, ({ resend }) => resend),
      outage: oneIn(drafts, ({ outage }) => outage),
      hasUnmatched: oneIn(drafts, ({ hasUnmatched }) => hasUnmatched),
      isSpaced: oneIn(drafts, ({ isSpaced }) => isSpaced),
      hasFutures: oneIn(drafts, ({ hasFutures }) => hasFutures),
      aim: oneIn(orders, ({ aim }) => aim !== undefined),
      cancelAfter: oneIn(orders, ({ cancelAfter }) => cancelAfter !== undefined),
    }).toEqual({
      ...{ others: 3, faults: 4, resend: 4, outage: 5, hasUnmatched: 12, isSpaced: 6, hasFutures: 6 },
      ...{ aim: 3, cancelAfter: 8 },
    })
    expect(oneIn(drafts, ({ feed }) => feed)).toBeLessThan(20)
  })

  it('have weights for what was covered, and for what comes at once', { tags: 'slow' }, () => {
    const coverage = newCoverage()
    for (const edge of allEdges().filter((each) => each.startsWith('registered_kit:')))
      count(coverage.edges, edge)
    const drafts = sampled(['orders', 'times'], coverage, 10_000)
    // 2, beside 2 + 8 for each of the other four workflows.
    expect(share(drafts, ({ first }) => first.workflow === 0)).toBeCloseTo(2 / 42, 2)
    const waits = drafts.flatMap(({ first }) => first.waits)
    expect(share(waits, ({ wait }) => wait === 0)).toBeCloseTo(1 / 4 + 3 / 4 / waitCount, 2)
  })

  it('have rarer what takes longer, and what was covered or was not called', () => {
    expect(share(sampled(['feeds']), ({ feed }) => feed)).toBeCloseTo(1 / 2, 1)
    const coverage = newCoverage()
    expect(share(sampled(['orders'], coverage, 1000), ({ first }) => first.workflow === 0)).toBeCloseTo(
      1 / 5,
      1,
    )
    count(coverage.operations, 'GET /v2/user')
    const called = sampled(['faults'], coverage).flatMap((draft) => draft.faults)
    expect(new Set(called.map(({ operation }) => operation))).toEqual(new Set(['GET /v2/user']))
  })
})

describe('a history that fails', () => {
  const { first, ...happy } = happyDraft(0)
  const order = { ...first, isSameUser: false, placed: 0 }
  const visit = (...detours: [after: number, pick: number][]) => ({
    ...{ workflow: 2, detours: detours.map(([after, pick]) => ({ after, pick })) },
  })
  const looksIn = ({ actions = [] }: FindingFile) =>
    actions.map((action) => ('look' in action ? action.at : Object.keys(action).join()))
  const say = (file: FindingFile) =>
    [file.orders.map((one) => one.steps.length).join(' + '), ...looksIn(file)].join(' ')
  /** What is played of a draft, as numbers of steps with looks, if a program is wrong in a check or in a look after some hours. */
  async function shrunk(
    draft: Partial<Draft>,
    judge: (file: FindingFile, nth: number, stop: () => void) => string | number | false,
    more: Partial<Shrinking> = {},
  ) {
    const whole = { ...happy, isLooked: false, first, ...draft }
    const coverage = newCoverage()
    const fileOf = (one: Draft) => compile(one, { name: 'mine', seed: 's', coverage })
    const stopped = new AbortController()
    const plays: string[] = []
    const play = async (history: FindingFile) => {
      const wrong = judge(history, plays.push(say(history)), () => stopped.abort())
      const thrown = typeof wrong === 'number' ? 'wrong' : undefined
      const endedAt = 500 + (Number(wrong) || 4) * 3_600_000
      const violation = wrong === false ? undefined : { oracle: wrong }
      return { played: { history, startedAt: 500, endedAt, thrown }, violation } as unknown as FailedOutcome
    }
    const player = {
      ...{ play, close: async () => undefined },
      get plays() {
        return plays.length
      },
    }
    const drawn = { arbitrary: fc.constant(whole), drawnBy: { seed: 1, numRuns: 1 }, maxShrinks: 99 }
    const [from = whole] = fc.sample(more.arbitrary ?? drawn.arbitrary, more.drawnBy ?? drawn.drawnBy)
    const outcome = await play(fileOf(from))
    const options = { ...drawn, ...{ player, fileOf, coverage, signal: stopped.signal }, ...more }
    const { smallest, path } = await shrink(options, outcome)
    return [plays, `${say(smallest.file)} ${smallest.outcome.violation.oracle} ${path}`]
  }
  const has = (file: FindingFile, status: string) => JSON.stringify(file.orders).includes(status) && 'check'

  const hasLook = (file: FindingFile, at: string) => looksIn(file).includes(at)
  const looks = ['0s', '4h', '1d4h', '3d4h', '3d10h', '5d10h', '7d10h', '8d10h']
  const upToTen = fc
    .integer({ min: 0, max: 9 })
    .map((count) => ({ ...happy, isLooked: false, first, others: Array(count).fill(order) }))

  it.each<[what: string, input: Parameters<typeof shrunk>, plays: readonly string[], left: string]>([
    [
      'in the same check',
      [{ others: [order, order] }, ({ orders }) => (orders.length > 1 ? 'a' : 'b'), { signal: undefined }],
      ['7 + 7 + 7', '7', '7', '7'],
      '7 + 7 + 7 a 0',
    ],
    [
      'by one of its orders alone, and without moves',
      [{ others: [{ ...order, ...visit([2, 0]) }] }, (file) => has(file, 'partial_results')],
      ['7 + 4', '7', '4', '0', '1', '2', '2'],
      '2 check 0',
    ],
    [
      'by moves of the further orders',
      [
        { others: [order, { ...order, ...visit([2, 0], [0, 0], [0, 3334]) }] },
        (file) => file.orders.length > 1 && has(file, 'redraw_available'),
      ],
      ['7 + 7 + 5', '7', '7', '5', '7 + 7 + 1', '7 + 7 + 2', '7', '7', '2', '7 + 7 + 0', '7 + 7 + 1'],
      '7 + 7 + 2 check 0',
    ],
    [
      'by four moves at once',
      [
        { first: { ...first, ...visit([2, 0], [0, 0], [0, 0], [0, 3334]) }, hasUnmatched: true },
        (file) => has(file, 'redraw_available'),
      ],
      ['6', '2', '0', '1'].map((moves) => `${moves} at,unmatched`),
      '2 at,unmatched check 0',
    ],
    [
      'by all looks but the one that fails',
      [{ isLooked: true, hasUnmatched: true }, (file) => hasLook(file, '4h') && 4],
      [`7 ${looks.toSpliced(2, 0, 'at,unmatched').join(' ')}`, '7 4h at,unmatched'],
      '7 4h at,unmatched 4 0',
    ],
    [
      'by the looks that it does not need',
      [{ isLooked: true }, (file) => hasLook(file, '5d10h') && hasLook(file, '8d10h') && 'check'],
      [
        ...[
          `7 ${looks.join(' ')}`,
          '7',
          ...[1, 2, 3, 4, 5].map((from) => `7 ${looks.slice(from).join(' ')}`),
        ],
        ...['7 7d10h 8d10h', '7 5d10h 8d10h', '7 5d10h'],
      ],
      '7 5d10h 8d10h check 0',
    ],
    [
      'in no more plays than are allowed',
      [{ isLooked: true }, (file) => looksIn(file).length > 1 && 'check', { maxShrinks: 2 }],
      [`7 ${looks.join(' ')}`, '7', `7 ${looks.slice(1).join(' ')}`],
      `7 ${looks.slice(1).join(' ')} check 0`,
    ],
    [
      'until it is stopped',
      [{ others: [order] }, () => 'check', { signal: AbortSignal.abort() }],
      ['7 + 7'],
      '7 + 7 check 0',
    ],
    [
      'without the play in which it is stopped',
      [
        { others: [order] },
        (_, nth, stop) => {
          if (nth > 1) stop()
          return 'check'
        },
      ],
      ['7 + 7', '7'],
      '7 + 7 check 0',
    ],
    [
      'not at all without plays',
      [{}, () => 'check', { maxShrinks: 0, drawnBy: { seed: 10, numRuns: 1 }, arbitrary: upToTen }],
      ['7 + 7'],
      '7 + 7 check 0',
    ],
    [
      'along the choices that drew it',
      [
        {},
        ({ orders }) => orders.length > 2 && 'check',
        { drawnBy: { seed: 5, numRuns: 1 }, arbitrary: upToTen },
      ],
      [...[10, 1, 6, 4, 3, 2].map((count) => Array(count).fill('7').join(' + ')), '7', '7', '7'],
      '7 + 7 + 7 check 0:1:0:0',
    ],
  ])('becomes smaller %s', { tags: 'slow' }, async (_, input, plays, left) => {
    expect(await shrunk(...input)).toEqual([plays, left])
  })

  it('is not made smaller by a program that cannot be played', async () => {
    let plays = 0
    const breaks = (_: FindingFile, nth: number) => {
      plays = nth
      if (nth > 1) throw new Error('gone')
      return 'check'
    }
    for (const more of [{}, { drawnBy: { seed: 5, numRuns: 1 }, arbitrary: upToTen }])
      await expect(shrunk({ others: [order] }, breaks, more)).rejects.toThrow('gone')
    expect(plays).toBe(2)
  })
})

describe('the story of a history', () => {
  const startedAt = Date.parse('2026-01-05T09:00:00Z')
  const HOUR = 3_600_000
  const at = (hours: number) => new Date(startedAt + hours * HOUR).toISOString()
  const steps = happyHistory().orders[0]?.steps ?? []
  const played = (history: object, more: object = {}) => {
    const parts = { effects: [], deliveries: [], calls: [], orders: [], ...more }
    return {
      startedAt,
      endedAt: startedAt + 9 * HOUR,
      ...parts,
      history: { orders: [], ...history },
    } as unknown as Played
  }
  const wrong = { oracle: 'check', problem: 'Wrong.' }
  const told = (...parts: Parameters<typeof played>) => tell(played(...parts), wrong)
  const status = (of: string | undefined, name: string, hours: number) => ({
    ...{ kind: 'order', order_id: of, status: name, at: at(hours) },
  })

  it.each([
    [{ register: 2 }, 'the patient registers the kit of order 2'],
    [{ cancel: 1 }, 'the customer cancels order 1'],
    [{ resend: 1 }, 'each webhook of order 1 is resent'],
    [{ resend: 1, event: 3 }, 'webhook 3 of order 1 is resent'],
    [{ receiver: 'busy', for: '6m' }, 'the receiver fails for 6m: it answers 503'],
    [{ connect: 'oura', user: 2 }, 'user 2 connects oura'],
    [{ disconnect: 'oura', user: 2 }, 'user 2 disconnects oura'],
    [{ ingestion_end: 0, user: 1 }, 'the last day of ingestion becomes today'],
    [{ ingestion_end: -3, user: 1 }, 'the last day of ingestion becomes day -3'],
    [{ look: true, user: 2 }, 'user 2 looks at the program'],
    [{ break: 'oura', user: 1, error: 'token' }, 'the connection to oura ends: token'],
    [{ data: 'water', user: 1, day: 0, value: 9 }, 'water of today arrive: 9'],
    [{ data: 'water', user: 1, day: -2, value: 9 }, 'water of 2 days ago arrive: 9'],
    [{ unmatched: 'no_match' }, 'a result arrives that matches no order'],
    [{ features: { redraws: true } }, 'features change: {"redraws":true}'],
  ])('tells each action: %j', (action, text) => {
    expect(told({ actions: [{ at: '90m', ...action }] })).toEqual([
      `1 h 30 min  ${text}`.padStart(12 + text.length),
      '     9 h  Wrong.',
    ])
  })

  it('tells what is ordered, and the statuses of each order', () => {
    const kit = { at: '0s', user: 1, method: 'testkit', steps }
    const orders = [
      kit,
      { ...kit, at: '1h', registrable: true },
      { ...kit, at: '2h', user: 2, method: 'at_home_phlebotomy' },
    ]
    const effects = [
      status('b', 'received.testkit.awaiting_registration', 3),
      status('d', 'received.testkit.ordered', 5),
      status('c', 'unheard_of', 4),
      status(undefined, 'received.testkit.ordered', 6),
    ]
    expect(told({ orders }, { effects, orders: [undefined, { id: 'b' }, { id: 'c' }] })).toEqual([
      '     0 s  order 1 is placed for a user: kit',
      '     1 h  order 2 is placed for user 1: kit to be registered',
      '     2 h  order 3 is placed for user 2: at home phlebotomy',
      '     3 h  order 2 becomes awaiting_registration',
      '     4 h  order 3 becomes unheard_of',
      '     5 h  the redraw becomes ordered',
      '     6 h  the order becomes ordered',
      '     9 h  Wrong.',
    ])
    expect(told({}, { effects: effects.slice(0, 1), orders: [{ id: 'b' }] })[0]).toBe(
      '     3 h  the order becomes awaiting_registration',
    )
    expect(told({ orders: [{ ...kit, user: 2 }] }, { effects, orders: [{ id: 'b' }, undefined] })).toEqual(
      expect.arrayContaining([
        '     0 s  order 1 is placed for user 2: kit',
        '     3 h  order 1 becomes awaiting_registration',
      ]),
    )
  })

  const body = (name: string, hours: number, id = 'o') =>
    JSON.stringify({ data: { id, last_event: { status: name, created_at: at(hours) } } })
  const sent = (id: string, hours: number, name: string, more: object = {}) => ({
    ...{ kind: 'delivery', message_id: id, at: at(hours), event_type: name, status: 200, ...more },
  })
  const effects = [
    sent('a', 1, 'labtest.order.created'),
    sent('b', 3, 'labtest.order.updated', { marks: ['late', 'duplicate'] }),
    sent('c', 4, 'labtest.order.updated'),
    sent('a', 5, 'labtest.order.created', { status: 'error' }),
    sent('d', 6, 'labtest.result.critical', { status: 503 }),
    sent('e', 7, 'provider.connection.created', { status: 404 }),
    { kind: 'clock', at: at(7) },
  ]
  const deliveries = [
    { id: 'a', status: 200, body: body('received.testkit.ordered', 0) },
    { id: 'b', status: 200, body: body('completed.testkit.completed', 2) },
    { id: 'c', status: 200, body: body('strange', 1) },
    { id: 'a', status: null, outage: 'lost_reply', body: body('received.testkit.ordered', 0) },
    { id: 'd', status: 503, body: JSON.stringify({ data: { status: 'final' } }) },
    { id: 'f', status: 200, body: '{}' },
  ]

  it('tells the deliveries and calls that are unusual', () => {
    const call = { at: at(8), method: 'GET', path: '/v3/orders?size=1', status: 503 }
    const calls = [
      { ...call, fault_id: 'fault' },
      { ...call, fault_id: null },
    ]
    expect(told({}, { effects, deliveries, calls })).toEqual([
      '     3 h  webhook labtest.order.updated completed arrives: late, duplicate',
      '     4 h  webhook labtest.order.updated strange arrives after completed',
      '     5 h  webhook labtest.order.created ordered fails (no answer) after completed: lost reply',
      '     6 h  webhook labtest.result.critical final fails (503)',
      '     7 h  webhook provider.connection.created fails (404)',
      '     8 h  the call GET /v3/orders fails: 503',
      '     9 h  Wrong.',
    ])
  })

  it('lists each webhook with its time, its status and the reply', () => {
    expect(webhooksOf(played({}, { effects, deliveries }))).toEqual(
      [
        ['1 h', 'labtest.order.created', 'ordered', [], 200],
        ['3 h', 'labtest.order.updated', 'completed', ['late', 'duplicate'], 200],
        ['4 h', 'labtest.order.updated', 'strange', [], 200],
        ['5 h', 'labtest.order.created', 'ordered', ['lost reply'], null],
        ['6 h', 'labtest.result.critical', 'final', [], 503],
        ['7 h', 'provider.connection.created', '', [], null],
      ].map(([after, type, status, marks, answer]) => ({ after, type, status, marks, answer })),
    )
  })

  it('tells until its problem shows, in ten lines: the first, the unusual and the last ones', () => {
    const orders = [{ at: '0s', user: 1, method: 'testkit', steps }]
    const names = [
      ...['received.testkit.ordered', 'failed.testkit.lost', 'received.testkit.requisition_created'],
      ...['transit_customer', 'out_for_delivery', 'with_customer', 'transit_lab'].map(
        (name) => `collecting_sample.testkit.${name}`,
      ),
      ...['sample_with_lab.testkit.delivered_to_lab', 'completed.testkit.completed'],
    ]
    const lines = (count: number) => {
      const statuses = names.slice(0, count).map((name, nth) => status('o', name, nth))
      return told({ orders }, { effects: statuses, orders: [{ id: 'o' }] })
    }
    expect(lines(8)).toHaveLength(10)
    expect(lines(9)).toEqual([
      '     0 s  order 1 is placed for a user: kit',
      '          (3 more as usual)',
      '     1 h  the order becomes lost',
      '     4 h  the order becomes out_for_delivery',
      '     5 h  the order becomes with_customer',
      '     6 h  the order becomes transit_lab',
      '     7 h  the order becomes delivered_to_lab',
      '     8 h  the order becomes completed',
      '     9 h  Wrong.',
    ])
    const visit = { at: '0s', user: 2, method: 'at_home_phlebotomy', steps }
    const effects = [
      ...names.map((name, nth) => status('o', name, nth)),
      status('v', 'collecting_sample.at_home_phlebotomy.appointment_scheduled', 2),
      sent('a', 1.5, 'labtest.order.created', { status: 500 }),
    ]
    const calls = [{ at: at(1.25), method: 'GET', path: '/v3/orders', status: 503, fault_id: 'fault' }]
    const actions = [
      { at: '2h', cancel: 1 },
      { at: '2h', register: 1 },
    ]
    expect(
      told({ orders: [...orders, visit], actions }, { effects, calls, orders: [{ id: 'o' }, { id: 'v' }] }),
    ).toEqual([
      '     0 s  order 1 is placed for a user: kit',
      '          (9 more as usual)',
      '     0 s  order 2 is placed for user 2: at home phlebotomy',
      '     1 h  order 1 becomes lost',
      '1 h 15 min  the call GET /v3/orders fails: 503',
      '1 h 30 min  webhook labtest.order.created fails (500)',
      '     2 h  the customer cancels order 1',
      '     8 h  order 1 becomes completed',
      '     9 h  Wrong.',
    ])
    const looks = [1, 2, 3].map((hours) => ({ at: `${hours}h`, look: true, user: 1 }))
    expect(tell(played({ actions: looks }), { ...wrong, at: startedAt + 2 * HOUR })).toEqual([
      '     1 h  user 1 looks at the program (2 times)',
      '     2 h  Wrong.',
    ])
  })
})
