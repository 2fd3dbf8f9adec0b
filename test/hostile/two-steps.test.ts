import fs, { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileFolder } from '../../src/storage/folder.ts'
import { field } from '../support/field.ts'
import { managing } from '../support/management.ts'
import { makeFolder } from '../support/new-folder.ts'
import { createUser, postUser } from '../support/orders.ts'
import { START, startTestPetri, type TestPetri } from '../support/petri.ts'
import { replaceIn } from '../support/replace-in.ts'
import { sampled } from '../support/rounds.ts'

/** The functions of Node that change files or begin to read them; the files of handles have their own. */
const syncCalls = [
  'appendFileSync',
  'closeSync',
  'fdatasyncSync',
  'fstatSync',
  'fsyncSync',
  'mkdirSync',
  'openSync',
  'readdirSync',
  'renameSync',
  'rmSync',
  'truncateSync',
  'writeFileSync',
  'writeSync',
] as const
const handleCalls = ['writeFile', 'sync', 'close'] as const

const root = makeFolder('petri-two-steps-')
afterAll(() => rmSync(root, { recursive: true }))
let copies = 0

/** A copy as a kill leaves it: without what the process held in memory. */
function copyOf(folder: string): string {
  const path = join(root, String(++copies))
  cpSync(folder, path, { recursive: true, preserveTimestamps: true })
  rmSync(join(path, 'petri.lock'), { force: true })
  return path
}

/** Called before each call in a folder; may throw, and the call then fails. */
type OnCall = (name: string) => void

/** Watches the calls of Petri in a folder until the returned function is called. */
async function watchCalls(folder: string, onCall: OnCall): Promise<() => void> {
  let isOwn = false
  const files = new Set<unknown>()
  const seen = (name: string, target: unknown) => {
    const isIn = files.has(target) || String(target).startsWith(join(folder, 'worlds'))
    if (isOwn || !(isIn || String(target).startsWith(join(folder, 'snapshots')))) return
    isOwn = true
    try {
      onCall(name)
    } finally {
      isOwn = false
    }
  }
  const wrapped = (name: string, call: (...given: unknown[]) => unknown) =>
    function (this: unknown, ...given: unknown[]): unknown {
      seen(name, given[0])
      const result = call.apply(this, given)
      if (name === 'openSync') files.add(result)
      if (name === 'closeSync') files.delete(given[0])
      return result
    }
  const probe = await fs.promises.open(folder)
  const handles = Object.getPrototypeOf(probe) as Record<string, (...given: unknown[]) => unknown>
  await probe.close()
  const restores = [
    replaceIn(
      fs,
      Object.fromEntries(syncCalls.map((name) => [name, wrapped(name, fs[name] as never)])) as never,
    ),
  ]
  const paths = new WeakMap<object, unknown>()
  const { open, rm } = fs.promises
  const promises = {
    async open(...given: Parameters<typeof open>) {
      seen('open', given[0])
      const handle = await open(...given)
      paths.set(handle, given[0])
      return handle
    },
    async rm(...given: Parameters<typeof rm>) {
      seen('rm', given[0])
      return rm(...given)
    },
  }
  restores.push(replaceIn(fs.promises, promises as never))
  for (const name of handleCalls) {
    const original = handles[name] as (...given: unknown[]) => unknown
    handles[name] = async function (this: object, ...given: unknown[]) {
      seen(`handle ${name}`, paths.get(this))
      return original.apply(this, given)
    }
    restores.push(() => {
      handles[name] = original
    })
  }
  return () => {
    for (const restore of restores) restore()
  }
}

const clock = { now: START }
const warnings: string[] = []
const startIn = async (folder: string) =>
  startTestPetri({
    folder: await fileFolder(folder, { warn: (text) => warnings.push(text), isDurable: true }),
    wall: () => clock.now,
    warn: (text) => warnings.push(text),
  })

/** All that a Petri answers with of its worlds. */
async function contentOf(petri: TestPetri) {
  const { data } = await petri.read('/_petri/worlds')
  const content = []
  for (const { api_key, name, team_id } of data) {
    const headers = { 'x-service-api-key': api_key }
    const { users } = await petri.read('/v2/user', headers)
    const snapshots = (await petri.read('/_petri/snapshots', headers)).data
    const keys = (await managing(petri).get(`/team_api_keys/sandbox/us?team_id=${team_id}`)).body.api_keys
    content.push({
      name,
      keys: keys.map(field('label')),
      users: users.map(field('client_user_id')).sort(),
      snapshots: snapshots.map(({ name: each, rows }: { name: string; rows: number }) => `${each} ${rows}`),
    })
  }
  return JSON.stringify(content.sort((a, b) => (a.name < b.name ? -1 : 1)))
}

async function contentIn(folder: string) {
  const petri = await startIn(folder)
  const content = await contentOf(petri)
  expect(petri.petri.worlds.setAside).toEqual([])
  await petri.close()
  return content
}

const OTHER = 'other'
const other = (petri: TestPetri) => {
  const found = petri.petri.worlds.all().find(({ identity }) => identity.name === OTHER)
  return found?.identity ?? expect.fail('there is no other world')
}
const asOther = (petri: TestPetri) => ({ 'x-service-api-key': other(petri).apiKey })

/** Each verb of `world/` and `storage/` that changes more than one file or makes more than one call. Returns the status. */
const verbs: Readonly<Record<string, (petri: TestPetri) => Promise<{ status: number }>>> = {
  'a write': (petri) => postUser(petri, 'new'),
  'a world that is made': (petri) => petri.post('/_petri/worlds', { name: 'made', frozen: true }),
  'a world that is deleted': (petri) => petri.delete(`/_petri/worlds/${other(petri).teamId}`),
  'a reset': (petri) => petri.post('/_petri/reset', {}, asOther(petri)),
  'a snapshot that is saved': (petri) => petri.put('/_petri/snapshots/later', {}, asOther(petri)),
  'a snapshot that is replaced': (petri) => petri.put('/_petri/snapshots/mine', {}, asOther(petri)),
  'a snapshot that is deleted': (petri) => petri.delete('/_petri/snapshots/mine', undefined, asOther(petri)),
  'a snapshot that is restored': (petri) =>
    petri.post('/_petri/snapshots/mine/restore', undefined, asOther(petri)),
  'a team that is renamed': (petri) =>
    managing(petri).patch(`/team/${other(petri).teamId}`, { name: 'renamed' }),
  'a key that is made': (petri) =>
    managing(petri).post('/team_api_keys/sandbox/us', { label: 'new', team_id: other(petri).teamId }),
  async 'a world that leaves memory'(petri) {
    await createUser(petri, 'new')
    clock.now += 120_000
    await petri.petri.maintain().finally(() => {
      clock.now = START
    })
    return { status: 0 }
  },
  'a world that is read again': async (petri) => petri.get('/v2/user', asOther(petri)),
}

let base: string
let before: string

beforeAll(async () => {
  const folder = join(root, 'base')
  const petri = await startIn(folder)
  await createUser(petri, 'first')
  await petri.post('/_petri/worlds', { name: OTHER, frozen: true })
  await postUser(petri, 'a', asOther(petri))
  await petri.put('/_petri/snapshots/mine', {}, asOther(petri))
  await postUser(petri, 'b', asOther(petri))
  before = await contentOf(petri)
  await petri.close()
  base = copyOf(folder)
}, 100_000)

/** Plays a verb in a copy of the folder. `onCall` sees the calls it makes in it. */
async function play(verb: string, onCall: (name: string, folder: string) => void) {
  const folder = copyOf(base)
  const petri = await startIn(folder)
  const restore = await watchCalls(folder, (name) => onCall(name, folder))
  const done = await verbs[verb]?.(petri).finally(restore)
  return { folder, petri, status: done?.status ?? 0 }
}

describe.each(Object.keys(verbs))('%s', (verb) => {
  it('is done or not done, wherever it is killed and whichever of its calls fails', {
    tags: 'slow',
    timeout: 600_000,
  }, async () => {
    const kills: { name: string; folder: string }[] = []
    const whole = await play(verb, (name, folder) => kills.push({ name, folder: copyOf(folder) }))
    expect(whole.status).toBeLessThan(300)
    await whole.petri.close()
    const after = await contentIn(whole.folder)
    for (const [at, { name, folder }] of kills.entries()) {
      const content = await contentIn(folder)
      expect([before, after], `killed before call ${at}, ${name}`).toContain(content)
      expect(readdirSync(join(folder, 'worlds')).filter((each) => /\.(tmp|removed)$/.test(each))).toEqual([])
      rmSync(folder, { recursive: true })
    }
    for (const [at, { name }] of sampled([...kills.entries()])) {
      let made = 0
      const { folder, petri, status } = await play(verb, () => {
        if (made++ === at) throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO' })
      })
      const what = `call ${at}, ${name}, fails: ${status}`
      await petri.petri.maintain()
      expect(status, what).not.toBe(500)
      const content = await contentOf(petri)
      if (status >= 400) expect(content, what).toBe(before)
      else if (status > 0) expect(content, what).toBe(after)
      else expect([before, after], what).toContain(content)
      expect((await petri.read('/_petri/health')).status, what).toBe('ok')
      expect(await postUser(petri, 'last'), what).toAnswer(200)
      const last = await contentOf(petri)
      await petri.close()
      expect(await contentIn(folder), what).toBe(last)
      rmSync(folder, { recursive: true })
    }
  })
})

it('the calls of these verbs are seen', { tags: 'slow' }, async () => {
  const names = new Set<string>()
  const { petri } = await play('a snapshot that is restored', (name) => names.add(name))
  await petri.close()
  expect([...names].sort()).toEqual(expect.arrayContaining(['handle sync', 'open', 'renameSync']))
})
