import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { putOrder } from '../../src/resources/orders/directory.ts'
import { orders } from '../../src/resources/orders/table.ts'
import { users } from '../../src/resources/users/table.ts'
import { orderScenarios } from '../../src/scenarios/table.ts'
import { managing } from '../support/management.ts'
import {
  connectDemo,
  createUser,
  followScenario,
  orderKit,
  readFollowed,
  readOrder,
  register,
} from '../support/orders.ts'
import { type Answer, forAllTests, KEY, START, startTestPetri } from '../support/petri.ts'
import { completedOrder } from '../support/quest-reports.ts'
import { stepsPerDay } from '../support/sense.ts'
import { countTurns, makeStepsSlow, turns } from '../support/timing.ts'
import { wearer } from '../support/wearables.ts'

const petri = forAllTests(startTestPetri)
let userId: string
beforeAll(async () => {
  userId = await wearer(petri)
})

const aYear = { type: 'relative', anchor: '2026-01-05', past: { value: 1, unit: 'year' } }
/** Ten questions over a year, which take some hundred milliseconds. */
function ask(signal?: AbortSignal) {
  const body = JSON.stringify({ timeframe: aYear, queries: Array(10).fill(stepsPerDay) })
  return petri.petri.app.request(`/aggregate/v1/user/${userId}/query`, {
    method: 'POST',
    headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
    body,
    ...(signal && { signal }),
  })
}

describe('a long call', () => {
  beforeEach(makeStepsSlow)
  afterEach(() => void vi.restoreAllMocks())

  it.each([
    ['Sense', ask],
    ['a list of all summaries', () => petri.get(`/v2/summary/activity/${userId}?start_date=2001-01-01`)],
  ])('lets other calls be answered meanwhile: %s', { tags: 'slow' }, async (_, begin) => {
    const long = Promise.resolve(begin())
    let answered = 0
    await countTurns(long, async () => {
      if (answered < 10 && (await petri.get('/_petri/health')).status === 200) answered++
    })
    expect(await long).toAnswer(200)
    expect(answered).toBe(10)
  })

  it('ends when its client has gone', async () => {
    const client = new AbortController()
    const long = ask(client.signal)
    await turns()
    client.abort()
    expect(await long).toAnswer(400)
  })
})

describe('a world with many jobs and users', { tags: 'slow' }, () => {
  afterEach(() => void vi.restoreAllMocks())

  it('is restored and listed in slices, while the world there was is served', async () => {
    const large = await startTestPetri()
    const old = large.world()
    const user = old.db.get(users, await createUser(large, 'first'))
    for (let at = 0; at < 1000; at++) {
      const user_id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
      old.db.put(users, { ...user, user_id, client_user_id: `user-${at}` })
      old.agenda.schedule({ due: START + 1 + at, kind: 'note', subject: String(at) })
    }
    const { rows } = (await large.put('/_petri/snapshots/large')).body
    await createUser(large, 'since')
    makeStepsSlow()
    const seen: number[] = []
    const turns = await countTurns(large.post('/_petri/snapshots/large/restore'), async () => {
      if (large.world() === old) seen.push((await large.get('/v2/user/resolve/since')).status)
    })
    vi.restoreAllMocks()
    expect(turns).toBeGreaterThan(rows + 1000 + 1001)
    expect(new Set(seen)).toEqual(new Set([200]))
    expect(await large.get('/v2/user/resolve/since')).toAnswer(404)
    expect((await large.read('/v2/user/resolve/user-999')).user_id).toMatch(/-000000000999$/)
    makeStepsSlow()
    const agenda = large.get('/_petri/agenda?limit=1')
    expect(await countTurns(agenda)).toBeGreaterThan(1000)
    expect((await agenda).body).toMatchObject({ total: 1000, data: [{ kind: 'note', subject: '0' }] })
    await large.close()
  })

  it('indexes its orders in slices when it is opened, and finds them then', async () => {
    const large = await startTestPetri()
    const { id, sample_id } = await orderKit(large)
    const { db } = large.world()
    const order = db.get(orders, id)
    const ids = Array.from(
      { length: 1000 },
      (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    )
    for (const other of ids) db.put(orders, { ...order, id: other, sample_id: `of ${other}` })
    const { rows } = (await large.put('/_petri/snapshots/large')).body
    makeStepsSlow()
    const turns = await countTurns(large.post('/_petri/snapshots/large/restore'))
    vi.restoreAllMocks()
    expect(turns).toBeGreaterThan(rows + 1000)
    expect(await register(large, sample_id)).toAnswer(200)
    const list = await large.get('/v3/orders?order_key=created_at&size=2&page=501')
    expect(list.body).toMatchObject({ total: 1001, page: 501, orders: [{ id }] })
    expect((await readOrder(large, id)).patient_details.first_name).toBe('Ada')
    await large.close()
  })
})

it('connections are imported, exported and paused one at a step', async () => {
  const large = await startTestPetri()
  const ids: string[] = []
  for (let at = 0; at < 40; at++) ids.push(await createUser(large, `user-${at}`))
  const recipe = { access_token: 'a', refresh_token: 'r', expires_at: 1800000000 }
  const connections = ids.map((user_id) => ({ ...recipe, user_id, provider_id: user_id }))
  const calls = {
    bulk_import: { connections, wait_for_completion: true },
    bulk_export: { user_ids: ids },
    bulk_pause: { user_ids: ids },
  }
  for (const [name, body] of Object.entries(calls)) {
    makeStepsSlow()
    const answer = large.post(`/v2/link/${name}`, { provider: 'oura', ...body })
    expect(await countTurns(answer), name).toBeGreaterThanOrEqual(40)
    vi.restoreAllMocks()
    expect(await answer).toAnswer(200)
  }
  expect((await large.read(`/v2/user/providers/${ids[39]}`)).providers[0].status).toBe('paused')
  await large.close()
})

it('what is looked for in all messages, users or connections is looked for one at a step', {
  tags: 'slow',
}, async () => {
  const large = await startTestPetri({
    transport: async () => ({ status: 200, headers: {}, body: '' }),
  })
  await large.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
  let last = { user: '', order: '' }
  for (let at = 0; at < 20; at++) {
    const user = await createUser(large, `user-${at}`)
    await connectDemo(large, user, 'oura')
    last = { user, order: (await orderKit(large, { user })).id }
  }
  const searches: Record<string, (body: Answer['body']) => unknown> = {
    '/_petri/webhooks/messages?q=nothing': ({ data }) => data.length === 0,
    [`/_petri/webhooks/messages?q=${last.order}`]: ({ data }) => data.length === 2,
    '/v2/user/search?search_input=nobody': ({ total }) => total === 0,
    '/v2/user/search?search_input=user-1&order_direction=desc': ({ total, users: [newest] }) =>
      total === 11 && newest.client_user_id === 'user-19',
    '/v2/team/users/search?query_id=USER-19': ([found]) => found.user_id === last.user,
    '/v2/user/metrics': ({ number_of_connected_sources }) => number_of_connected_sources === 20,
    '/v2/introspect/resources?provider=fitbit': ({ data }) => data.length === 0,
  }
  for (const [path, isRight] of Object.entries(searches)) {
    makeStepsSlow()
    const answer = large.get(path)
    expect(await countTurns(answer), path).toBeGreaterThanOrEqual(20)
    vi.restoreAllMocks()
    expect(isRight((await answer).body), path).toBe(true)
  }
  await large.close()
})

it('labels are drawn one at a step, and documents made one after the other', { tags: 'slow' }, async () => {
  const fresh = await startTestPetri()
  const { id } = await orderKit(fresh)
  const ask = () => {
    const path = `/v3/order/${id}/labels/pdf?number_of_labels=100&collection_date=2026-01-05`
    return Promise.resolve(fresh.petri.app.request(path, { headers: { 'x-service-api-key': KEY } }))
  }
  await ask()
  makeStepsSlow()
  const [first, second] = [ask(), ask()]
  expect(await countTurns(first)).toBeGreaterThan(90)
  expect(await countTurns(second)).toBeGreaterThan(90)
  vi.restoreAllMocks()
  expect([(await first).status, (await second).status]).toEqual([200, 200])
  await fresh.close()
})

it('a bundle of many reports is sent while it is made, and never held as a whole', {
  tags: 'slow',
}, async () => {
  const fresh = await startTestPetri()
  const id = await completedOrder(fresh, ['10231', '7600'])
  const order = fresh.world().db.get(orders, id)
  for (let at = 0; at < 120; at++)
    putOrder(fresh.world(), { ...order, id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` })
  const answer = await fresh.petri.app.request(`/_petri/users/${order.user_id}/fhir`, {
    headers: { 'x-service-api-key': KEY },
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(text.length / 1.5)
  const { entry } = JSON.parse(text) as { entry: { resource: { resourceType: string } }[] }
  expect(entry.filter(({ resource }) => resource.resourceType === 'DiagnosticReport')).toHaveLength(121)
  await fresh.close()
})

it('worlds are listed one at a step, and so are their lab accounts', { tags: 'slow' }, async () => {
  const fresh = await startTestPetri()
  const manage = managing(fresh)
  for (let at = 0; at < 30; at++) await fresh.post('/_petri/worlds', { seed: `s${at}` })
  for (const list of [() => fresh.get('/_petri/worlds'), () => manage.get('/lab_account/sandbox/us')]) {
    makeStepsSlow()
    const answer = list()
    expect(await countTurns(answer)).toBeGreaterThan(30)
    vi.restoreAllMocks()
    expect((await answer).body.data.length).toBeGreaterThan(30)
  }
  await fresh.close()
})

it('scenarios are listed one at a step', { tags: 'slow' }, async () => {
  const fresh = await startTestPetri()
  for (const [path, least] of [
    ['/_petri/scenarios', 50],
    ['/_petri/scenarios?kind=feed', 10],
  ] as const) {
    makeStepsSlow()
    const list = fresh.get(path)
    expect(await countTurns(list), path).toBeGreaterThan(least)
    vi.restoreAllMocks()
    expect((await list).body.data.length).toBeGreaterThan(least)
  }
  await fresh.close()
})

it('the compendium is computed in slices, once', { tags: 'slow' }, async () => {
  const fresh = await startTestPetri({ catalogue: createCatalogue() })
  const search = () => fresh.post('/v3/compendium/search', { mode: 'canonical', query: 'glucose' })
  makeStepsSlow()
  const first = search()
  expect(await countTurns(first)).toBeGreaterThan(1000)
  expect(await countTurns(search())).toBeLessThan(10)
  vi.restoreAllMocks()
  expect((await first).body).toEqual((await search()).body)
  await fresh.close()
})

it('orders leave a replaced scenario one at a step, and so do those that begin it meanwhile', {
  tags: 'slow',
}, async () => {
  const large = await startTestPetri()
  const user = await createUser(large)
  const ids: string[] = []
  for (const scenario of ['manual', ...Array<string>(30).fill('happy-path')])
    ids.push((await orderKit(large, { scenario, user })).id)
  const [late] = ids
  const { source } = await large.read('/_petri/scenarios/happy-path')
  const put = () =>
    large.put('/_petri/scenarios/happy-path', `# changed\n${source}`, {
      'content-type': 'application/yaml',
    })
  const begin = () => followScenario(large, String(late), 'happy-path')
  makeStepsSlow()
  let begun: ReturnType<typeof begin> | undefined
  const turns = await countTurns(put(), async () => {
    if (large.world().db.get(orderScenarios, ids[9] ?? '').left) begun ??= begin()
    await begun
  })
  vi.restoreAllMocks()
  expect((await begun)?.status).toBe(200)
  expect(turns).toBeGreaterThan(30)
  for (const id of ids)
    expect(await readFollowed(large, id)).toMatchObject({
      scenario: 'happy-path',
      left_because: 'another happy-path was uploaded',
    })
  expect((await large.read('/_petri/scenarios/happy-path')).source).toContain('# changed')
  await large.close()
})
