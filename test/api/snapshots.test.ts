import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sequences } from '../../src/world/sequences.ts'
import { field } from '../support/field.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { managing } from '../support/management.ts'
import { advance, createUser, deleteUser, orderForPatient, postUser, readOrder } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})
afterEach(() => petri.close())

const take = (name: string) => petri.put(`/_petri/snapshots/${name}`)
const restore = (name: string) => petri.post(`/_petri/snapshots/${name}/restore`)

describe('a snapshot', () => {
  it('restores rows and clock, and the same calls then give the same ids and events', async () => {
    const first = await orderForPatient(petri)
    await advance(petri, '1d')
    const taken = await take('one-day')
    expect(taken.body).toMatchObject({ name: 'one-day', at: '2026-01-06T09:00:00.000Z', frozen: true })
    const goOn = async () => {
      const user = await createUser(petri, 'later')
      const order = await orderForPatient(petri, { user })
      const { effects } = (await advance(petri, '20d')).body
      return JSON.stringify([user, order, effects, await readOrder(petri, first.id)])
    }
    const once = await goOn()
    const back = await restore('one-day')
    expect(back).toAnswer(200)
    expect(back.body.clock.now).toBe('2026-01-06T09:00:00.000Z')
    expect((await petri.read('/v2/user')).users).toHaveLength(1)
    expect(await goOn()).toBe(once)
  })

  it('is listed by name, replaced, deleted, and outlives a reset', async () => {
    await take('b')
    await createUser(petri)
    await take('a')
    await petri.post('/_petri/reset')
    const { data } = await petri.read('/_petri/snapshots')
    expect(data.map(field('name'))).toEqual(['a', 'b'])
    await restore('a')
    expect((await petri.read('/v2/user')).users).toHaveLength(1)
    await take('b')
    expect((await petri.read('/_petri/snapshots')).data).toHaveLength(2)
    expect(await petri.delete('/_petri/snapshots/b')).toAnswer(204)
    expect((await petri.read('/_petri/snapshots')).data).toHaveLength(1)
  })

  it('is not found under another name, and the error names the nearest', async () => {
    await take('before-lunch')
    expect(await restore('before-lunsh')).toRefuse(
      404,
      'There is no snapshot "before-lunsh". Did you mean "before-lunch"?',
    )
  })

  it.each(['%2e%2e%2fworlds', '..%2f..%2fetc', '.hidden', 'A', 'a%00b', 'x'.repeat(65), 'a%5cb'])(
    'is refused the name %s',
    async (name) => {
      for (const answer of [
        await take(name),
        await restore(name),
        await petri.delete(`/_petri/snapshots/${name}`),
      ])
        expect([404, 422]).toContain(answer.status)
    },
  )

  it('is not taken while the clock is being advanced', async () => {
    await orderForPatient(petri)
    const advancing = petri.world().agenda.advanceTo(petri.world().clock.now() + 1000)
    const answer = await take('now')
    await advancing
    expect([200, 409]).toContain(answer.status)
  })
})

describe('on the disk', () => {
  let folder: ReturnType<typeof dataFolder>
  beforeEach(() => {
    folder = dataFolder(() => undefined)
  })
  const start = async () => {
    await petri.close()
    petri = await folder.start()
  }
  const snapshotsOf = (teamId = petri.world().identity.teamId) => join(folder.root, 'snapshots', teamId)

  it('snapshots survive a restart, and so does what was restored', { tags: 'slow' }, async () => {
    await start()
    const id = await createUser(petri)
    await take('with-ada')
    await deleteUser(petri, id)
    await start()
    expect(await restore('with-ada')).toAnswer(200)
    await start()
    expect(await petri.get(`/v2/user/${id}`)).toAnswer(200)
    expect((await petri.read('/_petri/snapshots')).data).toHaveLength(1)
  })

  it('calls that write while one is restored are stored in the world before it or after it', {
    tags: 'slow',
  }, async () => {
    await start()
    await take('mine')
    for (let round = 0; round < 5; round++) {
      const restored = restore('mine')
      const statuses: number[] = []
      let isDone = false
      restored.finally(() => {
        isDone = true
      })
      for (let nth = 0; !isDone; nth++) statuses.push((await postUser(petri, `${round}/${nth}`)).status)
      expect(await restored).toAnswer(200)
      expect(new Set(statuses)).toEqual(new Set([200]))
      const { users } = await petri.read('/v2/user')
      await start()
      expect((await petri.read('/v2/user')).users).toEqual(users)
    }
  })

  it('a start removes what a kill left of one that was being written', async () => {
    await start()
    await take('mine')
    writeFileSync(join(snapshotsOf(), 'other.json.tmp'), '{"format":1,')
    await start()
    expect(readdirSync(snapshotsOf())).toEqual(['mine.json'])
    expect(await restore('mine')).toAnswer(200)
  })

  it('a damaged one is rejected with the reason, and the world is unchanged', async () => {
    await start()
    const id = await createUser(petri)
    await Promise.all([take('mine'), take('mine'), take('mine')])
    expect(await restore('mine')).toAnswer(200)
    const file = join(snapshotsOf(), 'mine.json')
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -40))
    expect(await restore('mine')).toRefuse(409, expect.stringContaining('cannot be read'))
    expect(await petri.get(`/v2/user/${id}`)).toAnswer(200)
  })

  it.runIf(process.platform !== 'win32')('a pipe in the place of one is not waited for', async () => {
    await start()
    await take('mine')
    const file = join(snapshotsOf(), 'mine.json')
    rmSync(file)
    execFileSync('mkfifo', [file])
    expect(await petri.read('/_petri/snapshots')).toMatchObject({
      data: [],
      unreadable: [{ name: 'mine', reason: expect.stringContaining('not the beginning of a snapshot') }],
    })
    expect(await restore('mine')).toAnswer(409)
  })

  it('a file that is none hides no other, and keeps none from being taken', async () => {
    await start()
    await take('mine')
    for (const text of ['', 'null', '{"format":1,"covers":0,"tables":{\n']) {
      writeFileSync(join(snapshotsOf(), 'broken.json'), text)
      expect((await petri.read('/_petri/snapshots')).data).toMatchObject([{ name: 'mine' }])
      expect(await restore('broken')).toRefuse(409, expect.stringContaining('cannot be read'))
      expect([(await take('mine')).status, (await restore('mine')).status]).toEqual([200, 200])
    }
    expect(await take('broken')).toAnswer(200)
    expect((await petri.read('/_petri/snapshots')).data).toHaveLength(2)
  })

  it('they are deleted with their world', async () => {
    await start()
    const made = (await petri.post('/_petri/worlds')).body
    const key = { 'x-service-api-key': made.api_key }
    await petri.put('/_petri/snapshots/mine', undefined, key)
    expect(readdirSync(snapshotsOf(made.team_id))).toEqual(['mine.json'])
    await petri.delete(`/_petri/worlds/${made.team_id}`)
    expect(existsSync(snapshotsOf(made.team_id))).toBe(false)
  })
})

it('a world that is deleted while a snapshot of it is taken leaves none to the next world of its team', async () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const create = () => managing(petri).post('/team', { id, name: 'Twice', region: 'us' })
  const keyOf = () => ({ 'x-service-api-key': petri.petri.worlds.byTeam(id)?.identity.apiKey ?? '' })
  expect(await create()).toAnswer(200)
  const key = keyOf()
  await Promise.all([
    petri.put('/_petri/snapshots/late', undefined, key),
    petri.delete(`/_petri/worlds/${id}`),
  ])
  expect(await create()).toAnswer(200)
  expect(keyOf()).not.toEqual(key)
  expect((await petri.read('/_petri/snapshots', keyOf())).data).toEqual([])
})

it('the progress of a snapshot of a large world is published', { tags: 'slow' }, async () => {
  const large = await dataFolder().start()
  const { agenda, db } = large.world()
  for (let name = 0; name < 20_000; name++) db.put(sequences, { name: String(name), last: 1 })
  const told: object[] = []
  agenda.bus.subscribe({ onEffect: (effect) => void told.push(effect), onEnd: () => undefined })
  const { rows } = (await large.put('/_petri/snapshots/large')).body
  expect(told).toContainEqual(expect.objectContaining({ kind: 'progress', doing: 'snapshot', of: rows }))
  await large.close()
})
