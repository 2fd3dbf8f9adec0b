import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { advance, createUser, orderForPatient, orderKit, postUser } from '../support/orders.ts'
import { forEachTest, KEY } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'
import { rounds } from '../support/rounds.ts'
import { createContinuousQuery, dailySteps } from '../support/sense.ts'
import { codeOf, sourceFiles } from '../support/sources.ts'

const petri = forEachTest(async () => (await startHeardPetri()).petri)

const state = async (headers = {}) =>
  (
    await petri.petri.app.request('/_petri/state', { headers: { 'x-service-api-key': KEY, ...headers } })
  ).text()
const put = (text: string | object, headers = {}) => petri.put('/_petri/state', text, headers)

async function putSamples(user_id: string, count: number) {
  const samples = Array.from({ length: count }, (_, at) => ({
    timestamp: new Date(Date.parse('2025-12-01T00:00:00Z') + at * 60_000).toISOString(),
    value: 5,
  }))
  const body = { resource: 'glucose', provider: 'freestyle_libre', samples }
  expect(await petri.post(`/_petri/users/${user_id}/data`, body)).toAnswer(200)
}

const plain = { pace: 8640, scenario: 'happy-path', features: {} }

describe('the state of a world', () => {
  it('is imported to the same bytes, and continues in the same way', { tags: 'slow' }, async () => {
    const order = await orderForPatient(petri)
    await advance(petri, '2d')
    const exported = await state()
    const goOn = async () => {
      const { effects } = (await advance(petri, '20d')).body
      return JSON.stringify([
        effects,
        await createUser(petri, 'later'),
        await petri.get(`/v3/order/${order.id}`),
      ])
    }
    const once = await goOn()
    await petri.post('/_petri/reset', { seed: 'another' })
    const imported = await put(exported)
    expect(imported.body).toMatchObject({ seed: '1', clock: { now: '2026-01-07T09:00:00.000Z' } })
    expect(await state()).toBe(exported)
    expect(await goOn()).toBe(once)
  })

  it('holds no secrets', async () => {
    const secret = `whsec_${'c2VjcmV0'.repeat(4)}`
    const headers = { 'X-Api-Key': 'hidden-from-you' }
    await petri.post('/_petri/webhooks/endpoints', { url: 'http://other.test/', secret, headers })
    const user_id = await createUser(petri)
    const { link_token } = (await petri.post('/v2/link/token', { user_id })).body
    await postUser(petri, 'x', { 'x-idempotency-key': 'k' })
    const exported = await state()
    for (const hidden of [KEY, secret, petri.world().identity.webhookSecret, link_token, 'hidden-from-you'])
      expect(exported).not.toContain(hidden)
  })

  it('moves into a world with another key, whose team and secret it takes on', async () => {
    const order = await orderForPatient(petri)
    const exported = await state()
    const other = (await petri.post('/_petri/worlds', { frozen: true })).body
    const key = { 'x-service-api-key': other.api_key }
    const imported = await put(exported, key)
    expect([imported.body.team_id, imported.body.api_key]).toEqual([other.team_id, other.api_key])
    const moved = await petri.read(`/v3/order/${order.id}`, key)
    expect(moved).toEqual({ ...order, team_id: other.team_id, ...laterFields(moved) })
    const [endpoint] = (await petri.read('/_petri/webhooks/endpoints', key)).data
    expect(endpoint.secret).toBe(other.webhook_secret)
    expect(await state(key)).toBe(exported.replaceAll(petri.world().identity.teamId, other.team_id))
  })

  it.each([
    ['http://127.0.0.1:2110', 'http://127.0.0.1:2110', 'BASE'],
    ['http://127.0.0.1:2110/hook', 'http://127.0.0.1:2110', 'BASE/hook'],
    ['http://127.0.0.1:2110?a=1', 'http://127.0.0.1:2110', 'BASE?a=1'],
    ['http://127.0.0.1:21105/hook', 'http://127.0.0.1:2110', 'http://127.0.0.1:21105/hook'],
    ['http://petri.example/hook', 'http://petri', 'http://petri.example/hook'],
    ['http://petri:4080/hook', 'http://petri', 'http://petri:4080/hook'],
    ['http://a/","x":"', 'http://a/","x":"', 'BASE'],
  ])('%s of a world at %s is imported as %s', async (address, base_url, moved) => {
    const { id } = (await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })).body
    const exported = JSON.parse(await state())
    exported.base_url = base_url
    exported.tables.webhook_endpoints[id].headers = { 'x-from': address }
    expect(await put(JSON.stringify(exported))).toAnswer(200)
    const { data } = await petri.read('/_petri/webhooks/endpoints')
    const { headers } = data.find((endpoint: { id: string }) => endpoint.id === id)
    expect(headers).toEqual({ 'x-from': moved.replace('BASE', petri.world().baseUrl) })
  })

  it('is sent in parts when it is long, and imported to the same bytes', { tags: 'slow' }, async () => {
    const user_id = await createUser(petri)
    await putSamples(user_id, 4000)
    const headers = { 'x-service-api-key': KEY }
    const { body: stream } = await petri.petri.app.request('/_petri/state', { headers })
    const parts = []
    for await (const part of stream ?? []) parts.push(part)
    expect(parts.length).toBeGreaterThan(1)
    const exported = Buffer.concat(parts).toString()
    expect(Object.keys(JSON.parse(exported).tables.stored_samples)).toHaveLength(4000)
    await petri.post('/_petri/reset')
    expect(await put(exported)).toAnswer(200)
    expect(await state()).toBe(exported)
  })

  it('is imported while it arrives, however it is written, and shows how far that came', {
    tags: 'slow',
  }, async () => {
    const user_id = await createUser(petri)
    await putSamples(user_id, 15_000)
    const exported = JSON.parse(await state())
    await petri.post('/_petri/reset')
    const told: unknown[] = []
    const stop = petri.world().agenda.bus.subscribe({
      onEffect: (effect) => told.push(effect),
      onEnd: () => undefined,
    })
    const bytes = Buffer.from(JSON.stringify(exported, null, 2))
    const shown: unknown[] = []
    const body = async function* () {
      for (let at = 0; at < bytes.length; at += 100_000) {
        yield bytes.subarray(at, at + 100_000)
        shown.push(...(await petri.read('/_petri/world')).long_work)
      }
    }
    const answer = await petri.petri.app.request('/_petri/state', {
      method: 'PUT',
      headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
      body: ReadableStream.from(body()) as never,
      duplex: 'half',
    } as RequestInit)
    expect(answer).toAnswer(200)
    stop()
    expect(JSON.parse(await state())).toEqual(exported)
    expect(shown).toContainEqual({ kind: 'import', rows: expect.any(Number), of: null })
    expect(told).toContainEqual(expect.objectContaining({ kind: 'progress', doing: 'import', rows: 10_000 }))
    expect((await petri.read('/_petri/world')).long_work).toEqual([])
  })

  it.each([
    ['no JSON', '{"format":2,', 'json_invalid'],
    ['no object', '[]', 'body'],
    ['a row too long to be read', `{"tables":{"users":{"a":"${'x'.repeat(5_000_000)}"}}}`, 'longer than'],
  ])('is refused when it is %s', { tags: 'slow' }, async (_, text, words) => {
    const answer = await put(text)
    expect(answer).toAnswer(422)
    expect(JSON.stringify(answer.body)).toContain(words)
  })

  it.each([
    ...[1, 3].map((format): [string, object, string] => [
      `format ${format}, before any error of a row`,
      { format, tables: { users: { a: 1 } } },
      `The export has format ${format}, and this Petri reads format 2.`,
    ]),
    ['a format that is no number', { format: '2' }, '"loc":["body","format"]'],
    ['a field nobody knows', { cloc: {} }, 'Did you mean \\"clock\\"'],
    ['a row that is no object', { tables: { users: { a: 1 } } }, 'users'],
    ['a clock that cannot be', { clock: { now: 'noon', frozen: true } }, 'instant'],
    ['a feature nobody knows', { settings: { ...plain, features: { redraw: true } } }, 'redraws'],
    [
      '100,000 features nobody knows',
      {
        settings: {
          ...plain,
          features: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, 1])),
        },
      },
      'Dictionary should have at most 10000 items',
    ],
    ['a feature of another kind', { settings: { ...plain, features: { redraws: [] } } }, 'redraws'],
    ['an address that is none', { base_url: 'e' }, 'base_url'],
    [
      'a scenario with a name without end',
      { settings: { ...plain, scenario: 'x'.repeat(10_000) } },
      'scenario',
    ],
    ['a table nobody knows', { tables: { order: {} } }, 'Did you mean \\"orders\\"'],
  ])('is refused with %s, and the world is as it was', async (_, change, words) => {
    await createUser(petri)
    const exported = await state()
    const answer = await put({ ...JSON.parse(exported), ...change })
    expect(answer).toAnswer(422)
    expect(JSON.stringify(answer.body)).toContain(words)
    expect(await state()).toBe(exported)
  })
})

/** Tables of the organisation, and those that an import writes itself. */
const notImported =
  /^(organisation.*|shared_scenarios|management_key.*|open_world_calls|ehr_integration.*|world|clock)$/

// Every field of every table is imported with each wrong value.
describe('a row that its table could not have', { timeout: 60_000 }, () => {
  it('is refused for every table', { tags: 'slow' }, async () => {
    const document = JSON.parse(await state())
    const names = sourceFiles().flatMap((file) =>
      [...codeOf(file).matchAll(/= table(?:<[^(]*>)?\(\s*'(\w+)'/g)].map(([, name = '']) => name),
    )
    expect(names.length).toBeGreaterThan(60)
    for (const name of names.filter((each) => !notImported.test(each))) {
      const answer = await put({ ...document, tables: { [name]: { a: {} } } })
      expect([name, answer.status]).toEqual([name, 422])
      expect(answer.body.detail[0].loc.slice(0, 4)).toEqual(['body', 'tables', name, 'a'])
    }
  })

  const values = [null, 'text', '', -1, 1e30, true, [], {}]
  const paths = [
    '/v3/orders',
    '/v2/user',
    '/_petri/world',
    '/_petri/clock',
    '/_petri/webhooks/messages',
    '/v3/lab_tests',
  ]

  it('is refused with a job of a kind that does not exist', async () => {
    await orderKit(petri)
    const document = JSON.parse(await state())
    const job = { due: 0, turn: 0, kind: 'order.activate', subject: 'a' }
    const answer = await put({
      ...document,
      tables: { ...document.tables, jobs: { 'order.activate/a': job } },
    })
    expect([answer.status, answer.body.detail[0].loc]).toEqual([
      422,
      ['body', 'tables', 'jobs', 'order.activate/a', 'kind'],
    ])
    expect(answer.body.detail[0].msg).toContain('Did you mean "orders.activate"?')
  })

  it('is refused with its table, id and field, or leaves a world that answers', {
    timeout: rounds(20_000),
    tags: 'slow',
  }, async () => {
    const order = await orderForPatient(petri)
    await orderKit(petri, { user: order.user_id })
    await advance(petri, '1d')
    await wear(order.user_id)
    await advance(petri, '1h')
    const exported = await state()
    const tables: Record<string, Record<string, Record<string, unknown>>> = JSON.parse(exported).tables
    const random = createRandom('one field')
    let [refused, taken] = [0, 0]
    const faults: string[] = []
    for (let round = 0; round < rounds(40); round++) {
      const document = JSON.parse(exported)
      const pick = <Item>(what: string, items: readonly Item[]) =>
        items[random.integer(`${round}/${what}`, 0, items.length - 1)] as Item
      const table = pick('table', Object.keys(tables))
      const id = pick('id', Object.keys(tables[table] ?? {}))
      const field = pick('field', Object.keys(tables[table]?.[id] ?? {}))
      const value = pick('value', values)
      document.tables[table][id][field] = value
      const answer = await put(document)
      if (answer.status === 422) {
        refused++
        const told = JSON.stringify(answer.body)
        if (told.includes('"tables"')) for (const word of [table, id]) expect(told).toContain(word)
        expect(await state()).toBe(exported)
        continue
      }
      taken++
      const ofUser = wornPaths.map((path) => path.replace('USER', order.user_id))
      const replies = await Promise.all(
        [...paths, ...ofUser, `/v3/order/${order.id}`].map((path) => petri.get(path)),
      )
      const moved = await advance(petri, '12h')
      if (answer.status >= 500 || [...replies, moved].some(({ status }) => status >= 500))
        faults.push(`${table}.${field} = ${JSON.stringify(value)}`)
      expect(await put(exported)).toAnswer(200)
    }
    expect(faults).toEqual([])
    expect(refused).toBeGreaterThan(rounds(10))
    expect(taken).toBeGreaterThan(0)
  })
})

const wornPaths = [
  '/v2/user/providers/USER',
  '/v2/summary/sleep/USER?start_date=2026-01-01',
  '/v2/timeseries/USER/glucose/grouped?start_date=2026-01-01',
  '/v2/introspect/resources?user_id=USER',
]

/** A user with a connection, data that were put in, webhook faults, faults and a continuous query. */
async function wear(user_id: string) {
  const samples = [{ timestamp: '2026-01-05T08:00:00Z', value: 5 }]
  for (const [method, path, body] of [
    ['POST', '/v2/link/connect/demo', { user_id, provider: 'fitbit' }],
    ['POST', `/_petri/users/${user_id}/data`, { resource: 'glucose', provider: 'freestyle_libre', samples }],
    ['PUT', '/_petri/webhooks/faults', { duplicate: 1 }],
    [
      'PUT',
      '/_petri/faults',
      { faults: [{ operation: 'POST /v2/user', respond: { status: 503 }, times: 1 }] },
    ],
  ] as const)
    expect((await petri.call(method, path, body)).status, path).toBeLessThan(300)
  expect(await createContinuousQuery(petri, dailySteps)).toAnswer(200)
}

/** What the first webhook adds nothing to, but reading the order may. */
const laterFields = ({ updated_at }: { updated_at: string }) => ({ updated_at })
