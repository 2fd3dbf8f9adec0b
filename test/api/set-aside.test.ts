import fs, { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dataFolder } from '../support/keeping-folder.ts'
import { managing } from '../support/management.ts'
import { createUser } from '../support/orders.ts'
import { KEY, type startTestPetri, type TestPetri } from '../support/petri.ts'
import { replaceIn } from '../support/replace-in.ts'

let folder: ReturnType<typeof dataFolder>
let petri: TestPetri
const start = async (options?: Parameters<typeof startTestPetri>[0]) => {
  petri = await folder.start(options)
}
beforeEach(async () => {
  folder = dataFolder(() => undefined)
  await start()
})
afterEach(() => petri.close())

const fileOf = (team: string) => join(folder.root, 'worlds', team, 'world.json')
const damage = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

it.each([
  ['altered', (text: string) => text.replace('"pace":', '"pact":')],
  ['cut off', (text: string) => text.slice(0, -20)],
  ['empty', () => ''],
])('a world whose file is %s keeps no other from opening', { tags: 'slow' }, async (_, change) => {
  const bad = (await petri.post('/_petri/worlds', { name: 'bad' })).body
  const id = await createUser(petri)
  await petri.close()
  const whole = readFileSync(fileOf(bad.team_id))
  damage(fileOf(bad.team_id), change)
  await start()
  expect(await petri.get(`/v2/user/${id}`)).toAnswer(200)
  expect(petri.petri.worlds.setAside).toEqual([
    {
      teamId: bad.team_id,
      reason: expect.stringContaining('world.json, line'),
      keys: [bad.api_key],
      mayHeal: false,
    },
  ])
  expect((await petri.read('/_petri/health')).status).toBe('degraded')
  expect(await petri.get('/v2/user', { 'x-service-api-key': bad.api_key })).toRefuse(
    503,
    expect.stringContaining('move its folder away to start empty'),
  )
  await petri.close()
  writeFileSync(fileOf(bad.team_id), whole)
  await start()
  expect(await petri.get('/v2/user', { 'x-service-api-key': bad.api_key })).toAnswer(200)
})

it.each(['worlds', 'snapshots'])(
  'a folder among the %s that may not be read keeps no world from opening',
  async (kind) => {
    const { team_id: other, api_key } = (await petri.post('/_petri/worlds', { name: 'other' })).body
    const headers = { 'x-service-api-key': api_key }
    expect(await petri.put('/_petri/snapshots/mine', {}, headers)).toAnswer(200)
    const id = await createUser(petri)
    await petri.close()
    const { readdirSync } = fs
    const restore = replaceIn(fs, {
      readdirSync: ((path: string, ...options: never[]) => {
        const all =
          path === join(folder.root, kind) && (options[0] as { recursive?: boolean } | undefined)?.recursive
        if (path === join(folder.root, kind, other) || all)
          throw Object.assign(new Error(`EACCES: permission denied, scandir '${path}'`), { code: 'EACCES' })
        return readdirSync(path, ...options)
      }) as never,
    })
    await start().finally(restore)
    expect(await petri.get(`/v2/user/${id}`)).toAnswer(200)
    const aside = petri.petri.worlds.setAside.map(({ teamId, reason }) => [teamId, reason])
    expect(aside).toEqual(kind === 'worlds' ? [[other, expect.stringContaining('permission denied')]] : [])
  },
)

it('a team cannot be created with the id of a world that could not be opened', async () => {
  const id = '11111111-2222-4333-8444-555555555555'
  const make = () => managing(petri).post('/team', { name: 'North', region: 'us', id })
  expect(await make()).toAnswer(200)
  await petri.close()
  damage(fileOf(id), (text) => text.slice(0, -20))
  await start()
  expect(await make()).toRefuse(503, expect.stringContaining('Put the file back'))
})

it('a damaged organisation keeps no world from opening, and its API says what to do', async () => {
  await managing(petri).post('/domain', { domain: 'example.com' })
  const id = await createUser(petri)
  await petri.close()
  const file = fileOf('organisation')
  const whole = readFileSync(file)
  damage(file, (text) => text.slice(0, -20))
  const openWorlds = { ttlMs: 1000, limit: 10 }
  await start({ openWorlds })
  expect(await petri.get(`/v2/user/${id}`)).toAnswer(200)
  expect(await petri.read('/_petri/health')).toMatchObject({
    status: 'degraded',
    detail: expect.stringContaining('The data of the organisation'),
  })
  for (const answer of [
    await managing(petri).get('/domain'),
    await managing(petri).post('/domain', { domain: 'other.example.com' }),
    await petri.get('/_petri/state'),
  ])
    expect([answer.status, answer.body.detail]).toEqual([503, expect.stringContaining('Put the file back')])
  await petri.close()
  writeFileSync(file, whole)
  await start({ openWorlds })
  expect((await managing(petri).get('/domain')).body.data).toMatchObject([{ domain: 'example.com' }])
})

it('a folder next to the damaged file of a world does not prevent other worlds from opening', async () => {
  const bad = (await petri.post('/_petri/worlds', { name: 'bad' })).body
  await petri.close()
  damage(fileOf(bad.team_id), (text) => text.slice(0, -20))
  mkdirSync(join(folder.root, 'worlds', bad.team_id, 'copies'))
  await start()
  expect(await petri.get('/v2/user')).toAnswer(200)
  expect(await petri.get('/v2/user', { 'x-service-api-key': bad.api_key })).toAnswer(503)
})

it.each([
  ['altered', (text: string) => text.replace('"pace":', '"pact":')],
  ['empty', () => ''],
])(
  'the first world answers 503 with what to do while its file is %s, and is not made anew',
  async (_, change) => {
    const other = (await petri.post('/_petri/worlds')).body
    const team = petri.world().identity.teamId
    await petri.close()
    const whole = readFileSync(fileOf(team))
    damage(fileOf(team), change)
    await start()
    expect(await petri.get('/v2/user')).toRefuse(503, expect.stringContaining('Put the file back as it was'))
    expect(await petri.get('/v2/user', { 'x-service-api-key': other.api_key })).toAnswer(200)
    await petri.close()
    writeFileSync(fileOf(team), whole)
    await start()
    expect(await petri.get('/v2/user', { 'x-service-api-key': KEY })).toAnswer(200)
  },
)

it('a folder that a newer version wrote is refused as a whole, and left unchanged', async () => {
  const { team_id: other } = (await petri.post('/_petri/worlds')).body
  await petri.close()
  const file = fileOf(other)
  damage(file, (text) => text.replace('"format":3', '"format":7'))
  const newer = readFileSync(file)
  await expect(start()).rejects.toThrow(
    'has format 7, and this Petri reads up to format 3. Use the newer version of Petri that wrote it, or another folder',
  )
  expect(readFileSync(file)).toEqual(newer)
  damage(file, (text) => text.replace('"format":7', '"format":3'))
  await start()
  expect(petri.petri.worlds.setAside).toEqual([])
})
