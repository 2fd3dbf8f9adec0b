import fs, { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Transport } from '../../src/webhooks/transport.ts'
import { field } from '../support/field.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { managing, teamIdOf } from '../support/management.ts'
import { advance, connectDemo, createUser, orderKit, postUser, readOrder } from '../support/orders.ts'
import type { startTestPetri, TestPetri } from '../support/petri.ts'
import { replaceIn } from '../support/replace-in.ts'
import { eventually } from '../support/timing.ts'

/** While true, writes to files fail as they do on a full disk. */
const disk = { isFull: false }

const unlessFull =
  <Given extends unknown[], Result>(act: (...given: Given) => Result) =>
  (...given: Given): Result => {
    if (disk.isFull)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    return act(...given)
  }
const { writeSync, writeFileSync: writeWhole, mkdirSync } = fs
const { open } = fs.promises
const restorers = [
  replaceIn(fs, {
    writeSync: unlessFull(writeSync as never) as never,
    writeFileSync: unlessFull(writeWhole as never),
    mkdirSync: ((path: string, options: object) =>
      fs.existsSync(path) ? mkdirSync(path, options) : unlessFull(mkdirSync)(path, options)) as never,
  }),
  replaceIn(fs.promises, {
    open: async (path, flags, mode) =>
      flags === 'w' ? unlessFull(open)(path, flags, mode) : open(path, flags, mode),
  }),
]
afterAll(() => {
  for (const restore of restorers) restore()
})

let data: ReturnType<typeof dataFolder>
let petri: TestPetri
const start = async (options?: Parameters<typeof startTestPetri>[0]) => {
  petri = await data.start(options)
}
beforeEach(async () => {
  disk.isFull = false
  data = dataFolder(() => undefined)
  await start()
})
afterEach(async () => {
  disk.isFull = false
  await petri.close()
})

const health = async () => (await petri.read('/_petri/health')).status
/** Resolves once the world was read again from what is stored. */
const readable = () => eventually(async () => expect(await petri.get('/v2/user')).toAnswer(200))
/** Files that are being written. */
const temporaryFiles = () =>
  readdirSync(data.root, { recursive: true }).filter((name) => String(name).endsWith('.tmp'))

it('writes answer 507 with a sentence, and nothing of them shows, in memory or after a restart', async () => {
  const kept = await createUser(petri, 'kept')
  const order = await orderKit(petri, { user: kept })
  const before = JSON.stringify([
    await petri.read('/v2/user'),
    await readOrder(petri, order.id),
    await petri.read('/_petri/clock'),
  ])
  disk.isFull = true
  for (let times = 0; times < 3; times++) {
    expect(await postUser(petri, `lost ${times}`)).toRefuse(507, expect.stringContaining('The disk is full'))
    await readable()
  }
  expect(await advance(petri, '3d')).toAnswer(507)
  expect(await health()).toBe('degraded')
  const now = async () =>
    JSON.stringify([
      await petri.read('/v2/user'),
      await readOrder(petri, order.id),
      await petri.read('/_petri/clock'),
    ])
  expect(await now()).toBe(before)
  disk.isFull = false
  await petri.petri.worlds.maintain()
  expect(await health()).toBe('ok')
  await petri.close()
  await start()
  expect(await now()).toBe(before)
  expect(await advance(petri, '3d')).toAnswer(200)
})

it('reads are served from the stored rows, also during and right after a refused write', async () => {
  await createUser(petri, 'kept')
  const read = async () => {
    const [users, clock, worlds, teams] = await Promise.all([
      petri.get('/v2/user'),
      petri.get('/_petri/clock'),
      petri.get('/_petri/worlds'),
      managing(petri).get('/team_api_keys/sandbox/us'),
    ])
    return [users, clock, worlds, teams].map(({ status, body }) => [status, JSON.stringify(body)])
  }
  const before = await read()
  disk.isFull = true
  for (let times = 0; times < 3; times++) {
    const [refused, beside] = await Promise.all([postUser(petri, `lost ${times}`), petri.get('/v2/user')])
    expect([refused.status, beside.status, JSON.stringify(beside.body)]).toEqual([
      507,
      ...(before[0] as unknown[]),
    ])
    expect(await read()).toEqual(before)
  }
})

it('reads return 507 with the reason while the stored rows cannot be read, and 200 afterwards', async () => {
  await createUser(petri, 'kept')
  const before = await petri.read('/v2/user')
  const folder = join(data.root, 'worlds', petri.world().identity.teamId)
  disk.isFull = true
  renameSync(folder, `${folder}.away`)
  expect(await postUser(petri, 'lost')).toAnswer(507)
  expect(await petri.get('/v2/user')).toRefuse(507, expect.stringContaining('cannot be read'))
  expect(await health()).toBe('degraded')
  renameSync(`${folder}.away`, folder)
  await petri.petri.maintain()
  const again = await petri.get('/v2/user')
  expect([again.status, again.body]).toEqual([200, before])
})

it('an advance answers 507 when the disk fills up, in every form', async () => {
  await orderKit(petri)
  petri.world().agenda.bus.subscribe({
    onEffect: () => {
      disk.isFull = true
    },
    onEnd: () => undefined,
  })
  const { user_id } = (await petri.read('/v2/user')).users[0]
  await connectDemo(petri, user_id, 'fitbit')
  disk.isFull = false
  expect(await advance(petri, '30d')).toRefuse(507, expect.stringContaining('The disk is full'))
  await readable()
  disk.isFull = false
  await eventually(async () => expect(await advance(petri, '30d')).toAnswer(200))
})

it('the next call works again once there is room, with the same ids as without the failure', async () => {
  disk.isFull = true
  await createUser(petri, 'a')
  await readable()
  disk.isFull = false
  const made = await eventually(async () => {
    const answer = await postUser(petri, 'a')
    expect(answer).toAnswer(200)
    return answer
  })
  await petri.post('/_petri/reset')
  expect(await createUser(petri, 'a')).toBe(made.body.user_id)
})

it.each([
  ['a reset', 'POST', '/_petri/reset'],
  ['a restore', 'POST', '/_petri/snapshots/before/restore'],
  ['an import', 'PUT', '/_petri/state'],
] as const)('%s answers 507 and leaves the world as it was, and no file behind', async (_, method, path) => {
  await petri.put('/_petri/snapshots/before')
  const state = await petri.read('/_petri/state')
  const id = await createUser(petri, 'kept')
  disk.isFull = true
  expect(await petri.call(method, path, method === 'PUT' ? state : undefined)).toAnswer(507)
  expect(await petri.put('/_petri/snapshots/other')).toAnswer(507)
  expect(await petri.get(`/v2/user/${id}`)).toAnswer(200)
  expect(await petri.post('/_petri/worlds')).toAnswer(507)
  expect(temporaryFiles()).toEqual([])
  disk.isFull = false
  expect(await petri.call(method, path, method === 'PUT' ? state : undefined)).toAnswer(200)
  expect(await petri.get(`/v2/user/${id}`)).toAnswer(404)
})

it('the first snapshot of a world answers 507', async () => {
  disk.isFull = true
  expect(await petri.put('/_petri/snapshots/first')).toRefuse(
    507,
    expect.stringContaining('The disk is full'),
  )
  disk.isFull = false
  expect(await petri.put('/_petri/snapshots/first')).toAnswer(200)
})

it('a Petri ends on a full disk, and starts on one so that its data can be read', async () => {
  const id = await createUser(petri, 'kept')
  disk.isFull = true
  await petri.close()
  await start()
  expect(await petri.get(`/v2/user/${id}`)).toAnswer(200)
  expect(await postUser(petri, 'lost')).toAnswer(507)
  await readable()
  expect(await health()).toBe('degraded')
  expect(temporaryFiles()).toEqual([])
  disk.isFull = false
  expect(await postUser(petri, 'new')).toAnswer(200)
})

it('a delivery that ends after a write has failed is made again once there is room', async () => {
  await petri.close()
  const sent: string[] = []
  let isHeld = true
  let answer = () => undefined as unknown
  const transport: Transport = ({ headers }) => {
    sent.push(String(headers['svix-id']))
    const reply = { status: 200, headers: {}, body: '' }
    if (!isHeld) return Promise.resolve(reply)
    return new Promise((resolve) => {
      answer = () => resolve(reply)
    })
  }
  await start({ transport })
  await petri.patch('/_petri/clock', { frozen: false })
  await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
  await orderKit(petri)
  await eventually(() => expect(sent).toHaveLength(1))
  disk.isFull = true
  expect(await postUser(petri, 'lost')).toAnswer(507)
  isHeld = false
  answer()
  await readable()
  disk.isFull = false
  await petri.petri.worlds.maintain()
  await eventually(async () => {
    const { data } = await petri.read('/_petri/webhooks/messages')
    expect(data.map(field('status'))).toEqual(['delivered', 'delivered'])
  })
  expect(sent.filter((id) => id === sent[0])).toHaveLength(2)
})

it('what a management key changes in a world is refused until it can be stored', async () => {
  const manage = managing(petri)
  const change = async () => {
    const fitbit = { default: { historical_days_to_pull: 8 } }
    const providers = { team_ids: [teamIdOf(petri)], providers: { fitbit } }
    const changes = [
      await manage.post('/team_data_pull_preferences/sandbox/us', providers),
      await manage.post('/team_api_keys/sandbox/us', { team_id: teamIdOf(petri), label: 'ci' }),
    ]
    return changes.map(field('status'))
  }
  const keys = async () => (await manage.read('/team_api_keys/sandbox/us')).api_keys
  disk.isFull = true
  expect(await postUser(petri, 'lost')).toAnswer(507)
  await readable()
  expect([await change(), await keys()]).toMatchObject([[507, 507], [{}]])
  disk.isFull = false
  expect([await change(), await keys()]).toMatchObject([
    [200, 200],
    [{}, {}],
  ])
})

describe('a change of the organisation', () => {
  const add = async (name: string) =>
    (await managing(petri).post('/domain', { domain: `${name}.example.com` })).status
  const names = async () => (await managing(petri).get('/domain')).body.data.map(field('domain'))
  const folder = () => join(data.root, 'worlds', 'organisation')

  it('that a full disk refused leaves nothing, also right after it, and what follows it is stored', async () => {
    expect(await add('kept')).toBe(201)
    disk.isFull = true
    for (let times = 0; times < 3; times++)
      expect([await add('lost'), await names()]).toEqual([507, ['kept.example.com']])
    disk.isFull = false
    await petri.petri.maintain()
    expect(await add('next')).toBe(201)
    await petri.close()
    await start()
    expect(await names()).toEqual(['kept.example.com', 'next.example.com'])
  })

  it('is refused while what is stored cannot be read, and taken as soon as it can', async () => {
    expect(await add('kept')).toBe(201)
    disk.isFull = true
    renameSync(folder(), `${folder()}.away`)
    for (let times = 0; times < 3; times++) expect(await add('lost')).toBe(507)
    disk.isFull = false
    await petri.petri.maintain()
    expect([await add('lost'), await health()]).toEqual([507, 'degraded'])
    renameSync(`${folder()}.away`, folder())
    await petri.petri.maintain()
    expect([await health(), await names(), await add('next')]).toEqual(['ok', ['kept.example.com'], 201])
  })

  it('is refused while its folder cannot be made, and taken as soon as it can', async () => {
    await petri.close()
    rmSync(folder(), { recursive: true })
    await start()
    writeFileSync(folder(), '')
    for (let times = 0; times < 2; times++) expect(await add('lost')).toBe(507)
    rmSync(folder())
    expect([await add('first'), await names()]).toEqual([201, ['first.example.com']])
  })
})
