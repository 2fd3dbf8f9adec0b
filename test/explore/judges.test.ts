import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  assertReadable,
  CheckError,
  type Invariant,
  judgeInvariants,
  judgeRepetition,
  playOptionsOf,
  readCheck,
  readInvariants,
} from '../../src/tools/explore/checks.ts'
import { judgeCalls, judgeDeliveries, Violated } from '../../src/tools/explore/oracles.ts'
import type { Played } from '../../src/tools/explore/play.ts'
import { serveHost } from '../support/served.ts'

const played = (parts: object) => ({ history: { orders: [] }, ...parts }) as unknown as Played

describe('the judge of calls', () => {
  const AT = '2026-01-05T09:00:00Z'
  const made = { at: AT, method: 'POST', path: '/v3/order', operation: 'order', fault_id: null }
  const call = (status: number, more: object = {}, ...later: object[]) =>
    judgeCalls(played({ calls: [{ ...made, status, ...more }, ...later] }))

  it.each<[number, { path?: string; operation?: null }]>([
    [400, {}],
    [401, {}],
    [422, {}],
    [404, { operation: null }],
    [422, { path: '/v3/order/1/cancel' }],
    [499, {}],
  ])('finds a call that was answered %i %j, with its time', (status, more) => {
    expect(call(status, more, { ...made, status: 403 })).toEqual({
      oracle: 'call',
      at: Date.parse(AT),
      problem: `The program called POST ${more.path ?? '/v3/order'}, which answered ${status}.`,
    })
  })

  it.each([
    [200, {}],
    [404, {}],
    [399, {}],
    [409, {}],
    [409, { operation: null }],
    [429, {}],
    [500, {}],
    [400, { path: '/v3/order/1/cancel' }],
    [422, { fault_id: 'fault_1' }],
  ])('passes over a call that was answered %i %j', (status, more) => {
    expect(call(status, more)).toBeUndefined()
  })
})

describe('the judge of deliveries', () => {
  const body = JSON.stringify({ event_type: 'labtest.order.created' })
  const delivery = (status: number | null, more: object = {}) => ({
    id: 'a',
    at: 5,
    status,
    detail: '',
    body,
    ...more,
  })
  const faults = { orders: [], faults: [{ operation: 'POST /v2/user' }] }

  it('finds a webhook that was refused, or not answered', () => {
    expect(
      judgeDeliveries(
        played({ deliveries: [delivery(200), delivery(500, { detail: 'no case' }), delivery(503)] }),
      ),
    ).toEqual({
      oracle: 'delivery',
      at: 5,
      problem: 'The program answered 500 to a labtest.order.created webhook: no case',
    })
    expect(judgeDeliveries(played({ deliveries: [delivery(null, { detail: 'closed' })] }))).toMatchObject({
      ...{ oracle: 'crash', at: 5 },
      problem: 'The program did not answer a labtest.order.created webhook: closed',
    })
  })

  it('passes over what an outage kept from it, and a refusal before a retry where calls fail', () => {
    const kept = (outage: string) => judgeDeliveries(played({ deliveries: [delivery(null, { outage })] }))
    expect([kept('down'), kept('busy')]).toEqual([undefined, undefined])
    expect(kept('lost')).toMatchObject({ oracle: 'crash' })
    const again = [delivery(500), delivery(204)]
    expect(judgeDeliveries(played({ deliveries: again }))).toMatchObject({
      problem: 'The program answered 500 to a labtest.order.created webhook',
    })
    const ofOrder = { orders: [{}, { faults: faults.faults }] }
    for (const history of [faults, ofOrder])
      expect(judgeDeliveries(played({ history, deliveries: again }))).toBeUndefined()
    expect(judgeDeliveries(played({ history: faults, deliveries: again.reverse() }))).toMatchObject({
      oracle: 'delivery',
    })
  })
})

describe('the judge of what a program shows', () => {
  let program: string
  let respond: (request: Request) => Response
  let warned: string[]
  beforeEach(async () => {
    // The program listens on this machine.
    vi.unstubAllGlobals()
    warned = []
    program = await serveHost((request) => respond(request))
  })
  /** Shows these values, one after the other, and the last one from then on. */
  const show = (...said: unknown[]) => {
    respond = ({ url, headers }) => {
      const isAsked =
        /\/u1(\/o\d)?$/.test(url) &&
        headers.get('accept') === 'application/json' &&
        headers.has('x-petri-own-call')
      return Response.json({ shown: isAsked ? (said.length > 1 ? said.shift() : said[0]) : url })
    }
  }

  const order = {
    id: 'o1',
    user_id: 'u1',
    last_event: { status: 'collecting_sample.testkit.transit_customer' },
    interpretation: 'abnormal',
  }
  const bare = { id: 'o2', user_id: 'u1' }
  const providers = [
    { slug: 'oura', status: 'connected' },
    { slug: 'fitbit', status: 'error' },
    { slug: 'strava', status: 'connected' },
    { slug: 'garmin', status: 'paused' },
  ]
  const results = [
    { slug: 'glucose', value: 91.5, result: '92' },
    { slug: 'psa', value: null, result: '<0.1' },
    { slug: 'iron', value: null },
  ]
  const range = 'start_date=2025-01-05&end_date=2027-01-05'
  const samples = `/v2/timeseries/u1/heartrate/grouped?${range}`
  const page = (timestamp: string, next_cursor: string | null) => ({
    groups: { oura: [{ data: [{ timestamp }] }] },
    next_cursor,
  })
  const replies: Record<string, unknown> = {
    '/v2/user/providers/u1': { providers },
    '/v3/order/o1/result': { results },
    '/v3/orders?size=100&user_id=u1': { orders: [order, bare] },
    [`/v2/summary/sleep/u1?${range}`]: { sleep: [{ id: 'n1' }, { id: 'n2' }] },
    [`/v2/summary/activity/u1?${range}`]: {},
    [samples]: page('t1', 'a b'),
    [`${samples}&next_cursor=a%20b`]: page('t2', null),
  }
  const subjects = (...orders: (object | undefined)[]) => played({ orders, redraws: [], userIds: ['u1'] })
  const checksOf = (...invariants: Partial<Invariant>[]) => {
    const call = async (method: string, path: string) => (method === 'GET' ? replies[path] : undefined)
    const warn = (sentence: string) => warned.push(sentence)
    const all = invariants.map((rule) => ({ url: `${program}/{user_id}/{order_id}`, at: 'shown', ...rule }))
    return { invariants: all, world: { call }, warn } as unknown as Parameters<typeof judgeInvariants>[0]
  }
  const judge = async (rule: Partial<Invariant>, ...said: unknown[]) => {
    if (said.length > 0) show(...said)
    return judgeInvariants(checksOf(rule))(subjects(undefined, order))
  }

  it('takes a status by its whole name, its last part or its first', { tags: 'slow' }, async () => {
    for (const said of [
      'collecting_sample.testkit.transit_customer',
      'transit_customer',
      'collecting_sample',
    ])
      expect(await judge({ equals: 'status' }, said)).toBeUndefined()
    expect(await judge({ equals: 'status' }, 'received')).toEqual({
      oracle: 'check',
      problem: `The program says "received"; expected "${order.last_event.status}".`,
      actual: 'received',
      expected: order.last_event.status,
    })
    const map = { collecting_sample: 'open', transit_customer: 'sent' }
    expect(await judge({ equals: 'status', map }, 'sent')).toBeUndefined()
    expect(await judge({ equals: 'status', map }, 'open')).toMatchObject({ oracle: 'check' })
    expect(await judge({ equals: 'status', map: { collecting_sample: 'open' } }, 'open')).toBeUndefined()
  })

  it.each<[Partial<Invariant>, right: unknown, wrong: unknown[]]>([
    [{ equals: 'providers' }, ['strava', 'oura'], [[], ['oura', 'strava', 'fitbit'], ['garmin'], 'oura']],
    [{ equals: 'interpretation' }, 'abnormal', ['normal', null]],
    [{ equals: 'orders' }, ['o2', 'o1'], [['o1']]],
    [
      { equals: 'results' },
      results.map(({ slug, value, result = null }) => ({ value: value ?? result, slug })).reverse(),
      [{ glucose: 92, psa: '<0.1', iron: null }, 'none', ['glucose: 91.5']],
    ],
    [{ equals: 'results' }, { psa: '<0.1', iron: null, glucose: 91.5 }, []],
    [{ stores: 'sleep' }, ['n2', 'n1'], [['n1', 'n1', 'n2']]],
    [{ stores: 'activity' }, [], [['n1']]],
    [{ stores: 'heartrate' }, ['t2', 't1'], [['t1']]],
  ])('takes what it shows in any order: %j', async (rule, right, wrong) => {
    expect(await judge(rule, right)).toBeUndefined()
    for (const said of wrong) expect(await judge(rule, said)).toMatchObject({ actual: said })
  })

  it('takes nothing where an order has nothing', async () => {
    for (const [equals, said] of [
      ['status', null],
      ['interpretation', null],
      ['results', []],
    ] as const) {
      show(said)
      expect(await judgeInvariants(checksOf({ equals }))(subjects(bare))).toBeUndefined()
      show('some')
      expect(await judgeInvariants(checksOf({ equals }))(subjects(bare))).toMatchObject({ expected: said })
    }
  })

  it('asks about users alone, and about redraws', async () => {
    const ofUser = { url: `${program}/{user_id}`, equals: 'providers' as const }
    expect(await judge(ofUser, ['oura', 'strava'])).toBeUndefined()
    const ofRedraw = played({ orders: [], redraws: [order], userIds: ['u1'] })
    expect(await judgeInvariants(checksOf({ equals: 'status' }))(ofRedraw)).toMatchObject({ oracle: 'check' })
  })

  it('takes a number up to a limit', async () => {
    expect(await judge({ at_most: 2 }, 2)).toBeUndefined()
    expect(await judge({ at_most: 2 }, 3)).toEqual({
      oracle: 'invariant',
      problem: 'The program says shown is 3; it must be 2 at most.',
    })
    expect(await judge({ at_most: 2 }, '1')).toMatchObject({ oracle: 'invariant' })
    expect(await judge({ at_most: 2, at: undefined }, 1)).toMatchObject({
      problem: 'The program says the answer is {"shown":1}; it must be 2 at most.',
    })
  })

  it('asks again before something is wrong, and names a program that then answers differently', async () => {
    expect(await judge({ equals: 'status' }, 'received', 'transit_customer')).toBeUndefined()
    expect(warned).toEqual([
      `${program}/{user_id}/{order_id} answered "received" and then "transit_customer" to the same question, with nothing in between. The last answer is checked.`,
    ])
    expect(await judge({ equals: 'status' }, 'received', 'lost')).toMatchObject({ actual: 'lost' })
    expect(warned).toHaveLength(2)
    expect(await judge({ equals: 'status' }, 'received')).toMatchObject({ actual: 'received' })
    expect(await judge({ equals: 'status' }, 'transit_customer', 'lost')).toBeUndefined()
    expect(warned).toHaveLength(2)
    respond = () => {
      show('transit_customer')
      return new Response('', { status: 503 })
    }
    expect(await judge({ equals: 'status' })).toBeUndefined()
    expect(warned[2]).toContain(' answered 503: " and then "transit_customer" to ')
  })

  it.each<[string, () => Response, Partial<Invariant>]>([
    ['answered 503: down', () => new Response('down', { status: 503 }), {}],
    [
      'answered text/html instead of JSON: <p>Sign in</p>',
      () => new Response('<p>Sign in</p>', { headers: { 'content-type': 'text/html' } }),
      {},
    ],
    ['answered no content type instead of JSON: ', () => new Response(null), {}],
    ['answered more than 4 MiB.', () => new Response('x'.repeat(4 * 1024 * 1024 + 1)), {}],
    [
      `answered text/plain instead of JSON: ${'x'.repeat(160)}…`,
      () => new Response('x'.repeat(4 * 1024 * 1024), { headers: { 'content-type': 'text/plain' } }),
      {},
    ],
    ['has no "shown". It has a.', () => Response.json({ a: 1 }), {}],
    [
      'answered JSON that is more than 400 levels deep.',
      () => new Response('['.repeat(500) + ']'.repeat(500)),
      {},
    ],
    [
      'has no "shown". It has a1, a2, a3, a4, a5, a6, a7, a8. Did you mean "show"?',
      () => Response.json({ a1: 1, a2: 2, a3: 3, a4: 4, a5: 5, a6: 6, a7: 7, a8: 8, show: 9 }),
      {},
    ],
    ['has no "[0].shown".', () => Response.json([5]), { at: '[0].shown' }],
    ['has no "[1]".', () => Response.json(['a']), { at: '[1]' }],
  ])('says what is wrong with a response: %s', async (problem, response, rule) => {
    respond = response
    const address = `${program}/u1/o1`
    const said = problem.startsWith('has') ? `The response of ${address}` : address
    expect(await judge(rule)).toEqual({ oracle: 'check', problem: `${said} ${problem}` })
  })

  it('reads a value deep in a response, and says whether a status can be read there', async () => {
    const asked = (rule: Partial<Invariant>, ...orders: object[]) =>
      assertReadable(checksOf({ equals: 'status', ...rule }).invariants, subjects(...orders))
    show({ list: [{ status: 'received' }, ...'12345678'], none: {}, nothing: null })
    await asked({ at: 'shown.list[0].status' }, order)
    await asked({ at: 'shown.nothing' }, order)
    await asked({})
    await asked({ equals: 'results' }, order)
    const url = `${program}/{user_id}/{order_id}`
    for (const [at, said] of [
      [undefined, `${url} is an object, and not a status; name the path of the status. It has shown.`],
      [
        'shown.list',
        `"shown.list" of ${url} is a list, and not a status; name the path of the status. It has 0, 1, 2, 3, 4, 5, 6, 7.`,
      ],
      ['shown.none', `"shown.none" of ${url} is an object, and not a status; name the path of the status.`],
    ] as const)
      await expect(asked({ at }, order)).rejects.toThrow(new CheckError(said))
    const closed = 'http://127.0.0.1:1/{order_id}'
    await expect(asked({ url: closed }, order)).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1\/o1 cannot be read: Connection refused: nothing listens at 127\.0\.0\.1:1.*\.$/,
    )
  })

  it('checks orders while a user looks at them, and only reads what is about users', async () => {
    const seen: string[] = []
    respond = ({ url }) => {
      seen.push(new URL(url).pathname)
      return Response.json({ shown: 'received' })
    }
    const ofUser = { url: `${program}/{user_id}`, equals: 'providers' as const }
    const look = (...rules: Partial<Invariant>[]) =>
      playOptionsOf(checksOf(ofUser, { stores: 'sleep' }, ...rules)).look?.({
        user_id: 'u1',
        orders: [order],
      } as never)
    await look()
    expect(seen).toEqual(['/u1'])
    const problem = `The program says "received"; expected "${order.last_event.status}".`
    const error = await Promise.resolve(look({ equals: 'status' })).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Violated)
    expect(error).toMatchObject({ name: 'Violated', message: problem, violation: { problem } })
    await look({ equals: 'status', map: { transit_customer: 'received' } })
    await expect(look({ equals: 'results' })).rejects.toThrow('The program says "received"; expected [')
  })

  describe('when it delivers the last webhook again', () => {
    const repeat = async (...said: unknown[]) => {
      const resent: unknown[] = []
      const messages = [
        { id: 'm1', status: 'delivered', event_type: 'labtest.order.created' },
        { id: 'm2', status: 'delivered', event_type: 'labtest.order.updated' },
        { id: 'm3', status: 'failed' },
      ]
      const checks = checksOf({ url: `${program}/{user_id}` }, { url: `${program}/{user_id}` })
      const world = {
        webhooks: {
          messages: async () => (said.length > 0 ? messages : messages.slice(2)),
          resend: async (which: unknown) => resent.push(which),
        },
        clock: { settle: async () => resent.push('settled') },
      }
      // Each view asks twice.
      show(...[...said, said.at(-1)].flatMap((each) => [each, `${each}b`]))
      const violation = await judgeRepetition({ ...checks, ...{ world: world as never } })(subjects())
      return { resent, violation }
    }

    it('finds what that changes', async () => {
      const resent = [{ message_id: 'm2' }, 'settled']
      expect(await repeat(1, 1)).toEqual({ resent, violation: undefined })
      expect(await repeat(1, 2)).toEqual({
        resent,
        violation: {
          oracle: 'repetition',
          problem:
            'A second delivery of the same labtest.order.updated changed what the program shows, from [1,"1b"] to [2,"2b"].',
        },
      })
      expect(warned).toEqual([])
      expect(await repeat()).toEqual({ resent: [], violation: undefined })
    })

    it('names a program that answers differently to the same question', async () => {
      expect(await repeat(1, 2, 3)).toMatchObject({ violation: undefined })
      const url = `${program}/{user_id}`
      expect(warned).toEqual([
        expect.stringContaining(`${url}, ${url} answered "[2,\\"2b\\"]" and then "[3,\\"3b\\"]" to`),
      ])
    })
  })
})

describe('an invariant', () => {
  const url = 'http://a/{order_id}'

  it.each([
    [{ equal: 'status' }, 'equal: "equal" is not known here. Did you mean "equals"?'],
    [
      { equals: 'statuses' },
      'equals: equals must be one of status, interpretation, results, providers, orders; it is "statuses". Did you mean "status"?',
    ],
    [{ url: 'http://a/' }, 'url: url must contain {order_id} or {user_id}; it is "http://a/".'],
    [{ url: 'a/http://{user_id}' }, 'url: url must be an http or https URL; it is "a/http://{user_id}".'],
    [
      { map: { completed: 'done', complete: 'done' } },
      'map: map has an unknown key: "complete" is not a status of an order. Did you mean "completed"?',
    ],
  ])('that is wrong is refused: %j', (wrong, said) => {
    const text = JSON.stringify({ invariants: [{ url, ...wrong }] })
    expect(() => readInvariants(text, 'a.json')).toThrow(
      new CheckError(`a.json is not a file of invariants: invariants.0.${said}`),
    )
  })

  it.each([
    ['{"invariants":[]}', 'invariants: invariants must have at least 1 item.'],
    [
      '{"invariants":[{"url":"http://a/{user_id}"}],"invariant":[]}',
      'invariant: "invariant" is not known here. Did you mean "invariants"?',
    ],
  ])('is at least one, under its name: %s', (text, said) => {
    expect(() => readInvariants(text, 'a.json')).toThrow(`a.json is not a file of invariants: ${said}`)
  })

  it('is read from a file, or from flags with pairs of statuses', () => {
    const invariant = { url: 'https://a/{user_id}', at_most: 2, map: { sample_with_lab: 'lab' } }
    for (const list of [
      [invariant],
      ['sleep', 'activity', 'workouts', 'heartrate'].map((stores) => ({ url, stores })),
    ])
      expect(readInvariants(JSON.stringify({ invariants: list }), 'a.json')).toEqual(list)
    expect(() => readInvariants('no', 'a.json')).toThrow(/^a\.json is not a file of invariants: \w.*\w\.$/)
    expect(readCheck(url, undefined, [])).toEqual({ url, equals: 'status' })
    expect(readCheck(url, 'state', ['completed=done'])).toEqual({
      url,
      equals: 'status',
      at: 'state',
      map: { completed: 'done' },
    })
    for (const [at, pair, said] of [
      [url, 'completed', '--map takes pairs such as completed=done; "completed" has no "=".'],
      [url, 'complete=done', '--map: "complete" is not a status of an order. Did you mean "completed"?'],
      [url, 'lots=gone', '--map: "lots" is not a status of an order. Did you mean "lost"?'],
      [url, 'recieved=new', '--map: "recieved" is not a status of an order. Did you mean "received"?'],
      ['a/{order_id}', 'lost=gone', '--check must be an http or https URL; it is "a/{order_id}".'],
    ] as const)
      expect(() => readCheck(at, undefined, [pair])).toThrow(new CheckError(said))
  })
})
