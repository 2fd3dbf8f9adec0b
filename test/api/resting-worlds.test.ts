/** @module-tag slow */
import fs, { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fileFolder } from '../../src/storage/folder.ts'
import { field } from '../support/field.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { managing } from '../support/management.ts'
import { advance, createUser, orderKit, postUser, readOrder } from '../support/orders.ts'
import { fromAddress, KEY, START, startTestPetri, type TestPetri } from '../support/petri.ts'
import { fakeReceiver } from '../support/receiver.ts'
import { replaceIn } from '../support/replace-in.ts'
import { useFakeTimers, useRealTimers } from '../support/timing.ts'

const MINUTE_MS = 60_000

let petri: TestPetri
let clock: { now: number }
let heap: { use: number }
let folder: ReturnType<typeof dataFolder>

const start = async (options: Parameters<typeof startTestPetri>[0] = {}) => {
  petri = await folder.start({ wall: () => clock.now, heapUse: () => heap.use, ...options })
}
beforeEach(async () => {
  clock = { now: START }
  heap = { use: 0 }
  folder = dataFolder()
  await start()
})
afterEach(() => petri.close())

const withKey = (key: string) => ({ 'x-service-api-key': key })
const usersBy = (key: string) => petri.get('/v2/user', withKey(key))
const inMemory = () => [...petri.petri.worlds.inMemory].map(({ identity }) => identity.name).sort()
const makeWorld = async (name: string, more: object = {}) =>
  (await petri.post('/_petri/worlds', { name, frozen: true, ...more })).body as {
    api_key: string
    team_id: string
  }
const passMinute = async (ms = MINUTE_MS) => {
  clock.now += ms
  await petri.petri.maintain()
}

describe('a world without a call', () => {
  it('leaves memory after a minute, and the next call finds all of it', async () => {
    const { api_key } = await makeWorld('idle')
    await postUser(petri, 'ada', withKey(api_key))
    const listed = async () =>
      (await petri.read('/_petri/worlds')).data.find(({ name }: { name: string }) => name === 'idle')
    const requests = async () => (await petri.read('/_petri/requests', withKey(api_key))).data
    const before = { listed: await listed(), requests: await requests() }
    await passMinute(MINUTE_MS - 1)
    expect(inMemory()).toEqual(['Petri', 'idle'])
    await passMinute(1)
    expect(inMemory()).toEqual([])
    expect(await listed()).toEqual(before.listed)
    expect(inMemory()).toEqual([])
    expect(before.listed).toMatchObject({ api_key, counts: { users: 1, orders: 0 }, clock: { frozen: true } })
    expect(await requests()).toEqual(before.requests)
    expect(before.requests).toHaveLength(1)
    expect((await petri.read('/v2/user', withKey(api_key))).users).toMatchObject([{ client_user_id: 'ada' }])
    expect(inMemory()).toEqual(['idle'])
  })

  it('reports in the next advance what happened before it left memory', async () => {
    await petri.close()
    const { transport } = fakeReceiver(
      () => 200,
      () => petri.world(),
    )
    folder = dataFolder()
    await start({ transport, world: { webhookUrl: 'http://receiver.test/hook' } })
    await createUser(petri, 'a')
    petri.world().emit('a.b', { userId: null, clientUserId: null }, {})
    await petri.world().agenda.settled()
    await petri.world().db.settled()
    await passMinute()
    expect(inMemory()).toEqual([])
    const { effects } = (await advance(petri, '1s')).body
    expect(effects.map(field('kind'))).toContain('delivery')
  })

  it('counts in the metrics with its orders and messages, also after a restart', async () => {
    await petri.close()
    const { transport } = fakeReceiver(
      () => 500,
      () => petri.world(),
    )
    folder = dataFolder()
    await start({ transport })
    const counted = async () =>
      (await (await petri.petri.app.request('/_petri/metrics', {}, fromAddress('127.0.0.1'))).text()).match(
        /^petri_(?:worlds_in_memory|orders|events_pending|events_failed) .+$/gm,
      )
    const counts = (inMemory: number) => [
      `petri_worlds_in_memory ${inMemory}`,
      'petri_orders 1',
      'petri_events_pending 1',
      'petri_events_failed 3',
    ]
    const { api_key } = await makeWorld('unheard', { webhook_url: 'http://receiver.test/hook' })
    await petri.post('/_petri/orders', {}, withKey(api_key))
    await petri.post('/_petri/clock/advance', { by: '2d' }, withKey(api_key))
    expect(await counted()).toEqual(counts(2))
    await passMinute()
    expect(await counted()).toEqual(counts(0))
    await restart({ transport })
    expect(inMemory()).toEqual(['Petri'])
    expect(await counted()).toEqual(counts(1))
  })

  it('stays as long as someone waits for what happens in it', async () => {
    const stream = await petri.petri.app.request('/_petri/events', { headers: withKey(KEY) })
    await passMinute()
    expect(inMemory()).toEqual(['Petri'])
    await stream.body?.cancel()
    await passMinute()
    expect(inMemory()).toEqual([])
    const waiting = petri.post('/_petri/wait', { request: { operation: 'GET /v2/user' }, timeout: '10m' })
    await vi.waitFor(() => expect(inMemory()).toEqual(['Petri']))
    await passMinute()
    expect(inMemory()).toEqual(['Petri'])
    await petri.get('/v2/user')
    expect(await waiting).toAnswer(200)
  })

  it.each([
    [MINUTE_MS, ['Petri']],
    [MINUTE_MS + 1, []],
  ])('whose next job is due in %i ms is in memory: %j; a due job is run in any case', async (ms, stays) => {
    await petri.close()
    folder = dataFolder()
    await start({ world: { frozen: false, pace: 1, now: null } })
    const { id } = await orderKit(petri)
    await petri.world().agenda.settled()
    const due = petri.world().agenda.nextDue() ?? 0
    expect(due).toBeGreaterThan(START + 10 * MINUTE_MS)
    const statuses = async () => (await readOrder(petri, id)).events.length
    const before = await statuses()
    useFakeTimers('setTimeout', 'clearTimeout')
    onTestFinished(() => void useRealTimers())
    await passMinute(due - ms - START)
    expect(inMemory()).toEqual(stays)
    if (stays.length > 0) return
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    clock.now = due
    await vi.advanceTimersByTimeAsync(ms)
    await vi.waitFor(() => expect(inMemory()).toEqual(['Petri']))
    await petri.world().agenda.settled()
    expect(await statuses()).toBe(before + 1)
  })
})

/** Starts again in the same folder. */
async function restart(options: Parameters<typeof startTestPetri>[0] = {}) {
  await petri.close()
  await start(options)
}

const indexFile = () => join(folder.root, 'worlds.index')
const readIndex = () => JSON.parse(readFileSync(indexFile(), 'utf8').split('\n')[1] ?? '')

describe('a start', () => {
  it('reads no world that is as the index says, and every other one', async () => {
    const [one, two] = [await makeWorld('one'), await makeWorld('two')]
    for (const { api_key } of [one, two]) await postUser(petri, 'a', withKey(api_key))
    await restart()
    expect(inMemory()).toEqual(['Petri'])
    const index = readFileSync(indexFile())
    await postUser(petri, 'b', withKey(two.api_key))
    await petri.close()
    // As if Petri had been killed before it wrote the index again.
    writeFileSync(indexFile(), index)
    await start()
    expect(inMemory()).toEqual(['Petri', 'two'])
    const users = async ({ api_key }: { api_key: string }) =>
      (await petri.read('/_petri/world', withKey(api_key))).counts.users
    expect([await users(one), await users(two)]).toEqual([1, 2])
  })

  it.each([
    ['is missing', () => rmSync(indexFile())],
    ['is empty', () => writeFileSync(indexFile(), '')],
    ['was cut off', () => writeFileSync(indexFile(), readFileSync(indexFile()).subarray(0, -20))],
    [
      'was changed',
      () => writeFileSync(indexFile(), readFileSync(indexFile(), 'utf8').replace('sk_us', 'sk_eu')),
    ],
  ])('reads all worlds when the index %s, and writes it again', async (_, change) => {
    const { api_key } = await makeWorld('one')
    await petri.close()
    const index = readIndex()
    change()
    await start()
    expect(inMemory()).toEqual(['Petri', 'one'])
    expect(await usersBy(api_key)).toAnswer(200)
    await petri.close()
    expect(readIndex()).toEqual(index)
    await start()
  })

  it('knows the worlds at every instant at which Petri may be killed', async () => {
    const copies: string[] = []
    const copy = () => {
      const to = `${folder.root}-${copies.length}`
      cpSync(folder.root, to, { recursive: true, preserveTimestamps: true })
      rmSync(join(to, 'petri.lock'), { force: true })
      onTestFinished(() => rmSync(to, { recursive: true }))
      copies.push(to)
    }
    const users: number[][] = []
    const keys = [KEY]
    const count = new Map<string, number>()
    for (let step = 0; step < 12; step++) {
      if (step % 4 === 1) keys.push((await makeWorld(`world ${step}`)).api_key)
      const key = keys[(step * 7) % keys.length] as string
      await postUser(petri, `user ${step}`, withKey(key))
      count.set(key, (count.get(key) ?? 0) + 1)
      if (step % 3 === 2) await passMinute()
      copy()
      users.push(keys.map((each) => count.get(each) ?? 0))
    }
    for (const [at, root] of copies.entries()) {
      const other = await startTestPetri({
        folder: await fileFolder(root, { warn: (text) => expect.fail(text) }),
        wall: () => clock.now,
      })
      const found = keys.slice(0, users[at]?.length).map(async (key) => {
        const body = await other.read('/_petri/world', withKey(key))
        return body.counts.users
      })
      expect(await Promise.all(found), `copy ${at}`).toEqual(users[at])
      await other.close()
    }
  })
})

describe('while the heap is', () => {
  it('crowded, worlds leave memory early for others, those that were called last at last', async () => {
    const made = [await makeWorld('one'), await makeWorld('two')]
    clock.now++
    await petri.get('/v2/user')
    heap.use = 0.6
    await makeWorld('three')
    expect(inMemory()).toEqual(['three'])
    for (const { api_key } of made) expect(await usersBy(api_key)).toAnswer(200)
    expect((await petri.read('/_petri/health')).status).toBe('ok')
  })

  it('full, and no world can leave it, new ones are refused in a sentence and health is degraded', async () => {
    const stream = await petri.petri.app.request('/_petri/events', { headers: withKey(KEY) })
    heap.use = 0.85
    const refused = { status: 503, body: { detail: expect.stringContaining('--max-old-space-size') } }
    expect(await petri.post('/_petri/worlds')).toMatchObject(refused)
    expect(await petri.read('/_petri/health')).toEqual(
      expect.objectContaining({ status: 'degraded', detail: refused.body.detail }),
    )
    expect(await petri.get('/v2/user')).toAnswer(200)
    heap.use = 0.84
    expect(await petri.post('/_petri/worlds')).toAnswer(201)
    expect((await petri.read('/_petri/health')).status).toBe('ok')
    await stream.body?.cancel()
  })

  it('full, worlds of memory stay', async () => {
    const other = await startTestPetri({ heapUse: () => heap.use, wall: () => clock.now })
    const make = async () => (await other.post('/_petri/worlds')).status
    expect(await make()).toBe(201)
    heap.use = 0.9
    expect(await make()).toBe(503)
    clock.now += 10 * MINUTE_MS
    await other.petri.maintain()
    expect([...other.petri.worlds.inMemory]).toHaveLength(2)
    await other.close()
  })
})

describe('a world that is not in memory', () => {
  it('is deleted with its files, and its key opens nothing', async () => {
    const { api_key, team_id } = await makeWorld('gone')
    await passMinute()
    expect(await petri.delete(`/_petri/worlds/${team_id}`)).toAnswer(204)
    expect(readdirSync(join(folder.root, 'worlds'))).not.toContain(team_id)
    expect(await usersBy(api_key)).toAnswer(401)
    await restart()
    expect(await usersBy(api_key)).toAnswer(401)
  })

  it('is reset, restored, exported and renamed like any other', async () => {
    const { api_key, team_id } = await makeWorld('one')
    const key = withKey(api_key)
    const counts = async () => (await petri.read('/_petri/world', key)).counts.users
    await postUser(petri, 'a', key)
    await petri.put('/_petri/snapshots/mine', {}, key)
    await passMinute()
    expect((await petri.read('/_petri/state', key)).tables).toHaveProperty('users')
    await passMinute()
    expect((await petri.post('/_petri/reset', {}, key)).body.counts.users).toBe(0)
    await passMinute()
    expect(await petri.post('/_petri/snapshots/mine/restore', undefined, key)).toAnswer(200)
    expect(await counts()).toBe(1)
    await passMinute()
    const manage = managing(petri)
    expect((await manage.patch(`/team/${team_id}`, { name: 'two' })).body.name).toBe('two')
    await passMinute()
    const added = await manage.post('/team_api_keys/sandbox/us', { label: 'x', team_id })
    await passMinute()
    expect((await petri.read('/v2/user', withKey(added.body.value))).users).toHaveLength(1)
    await restart()
    expect((await petri.read('/_petri/world', withKey(added.body.value))).name).toBe('two')
  })

  it('has the settings that the management API lists and changes', async () => {
    const { team_id } = await makeWorld('one')
    const manage = managing(petri)
    const path = '/team_data_pull_preferences/sandbox/us'
    const providers = { oura: { default: { historical_days_to_pull: 30 } } }
    await passMinute()
    expect(await manage.post(path, { team_ids: [team_id], providers })).toAnswer(200)
    await passMinute()
    expect(inMemory()).toEqual([])
    expect((await manage.read(path)).data_pull_preferences).toMatchObject([{ team_id }])
    expect(inMemory()).toEqual(['one'])
    await passMinute()
    expect((await manage.read('/team')).teams).toHaveLength(2)
    expect(inMemory()).toEqual([])
  })

  it('has the link code that an app exchanges without naming a team', async () => {
    const { api_key } = await makeWorld('one')
    const { user_id } = (await postUser(petri, 'a', withKey(api_key))).body
    const { code } = (
      await petri.post(`/v2/link/code/create?user_id=${user_id}`, undefined, withKey(api_key))
    ).body
    await passMinute()
    const exchanged = await petri.post(`/v2/link/code/exchange?code=${code}`, undefined, {
      'x-service-api-key': '',
    })
    expect(exchanged).toAnswer(200)
  })

  it('answers with the reason while the system refuses to read it, and heals', async () => {
    const { api_key, team_id } = await makeWorld('one')
    await passMinute()
    const restore = refuseToList(join(folder.root, 'worlds', team_id))
    expect(await usersBy(api_key)).toRefuse(503, expect.stringContaining('EMFILE'))
    expect((await petri.read('/_petri/health')).detail).toContain(team_id)
    restore()
    await petri.petri.maintain()
    expect((await petri.read('/_petri/health')).status).toBe('ok')
    expect(await usersBy(api_key)).toAnswer(200)
  })

  it('is set aside when its files are damaged, and said so', async () => {
    const { api_key, team_id } = await makeWorld('one')
    await passMinute()
    const file = join(folder.root, 'worlds', team_id, 'world.json')
    writeFileSync(file, readFileSync(file).subarray(0, -20))
    const { status, body } = await usersBy(api_key)
    expect([status, body.detail]).toEqual([503, expect.stringContaining('the file is truncated')])
    expect(await usersBy(api_key)).toAnswer(503, body)
    expect(await petri.get('/v2/user')).toAnswer(200)
  })
})

it('a world that the system refused to read at the start heals without a restart', async () => {
  const { api_key, team_id } = await makeWorld('one')
  await petri.close()
  rmSync(indexFile())
  const restore = refuseToList(join(folder.root, 'worlds', team_id))
  await start().finally(restore)
  expect(petri.petri.worlds.setAside.map(field('teamId'))).toEqual([team_id])
  await petri.petri.maintain()
  expect(petri.petri.worlds.setAside).toEqual([])
  expect(await usersBy(api_key)).toAnswer(200)
  expect((await petri.read('/_petri/health')).status).toBe('ok')
})

/** Has the system refuse to list a folder until the returned function is called. */
function refuseToList(refused: string): () => void {
  const { readdirSync: readdir } = fs
  return replaceIn(fs, {
    readdirSync: ((path: string, ...options: never[]) => {
      if (path === refused)
        throw Object.assign(new Error(`EMFILE: too many open files, scandir '${path}'`), { code: 'EMFILE' })
      return readdir(path, ...options)
    }) as never,
  })
}
