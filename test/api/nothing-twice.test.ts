import { expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { managing } from '../support/management.ts'
import { KEY, NOBODY, startTestPetri, type TestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'

const withKey = (key: string) => ({ 'x-service-api-key': key })

/** What a team of a new world has, and must never be another's. */
async function credentialsOf(petri: TestPetri, teamId: string) {
  const world = petri.petri.worlds.byTeam(teamId) ?? expect.fail()
  const { apiKey, webhookSecret } = world.identity
  const manage = managing(petri)
  const further = (await manage.post('/team_api_keys/sandbox/us', { label: 'Further', team_id: teamId })).body
  const user = (await petri.post('/v2/user', { client_user_id: 'ada' }, withKey(apiKey))).body.user_id
  const link = (await petri.post('/v2/link/token', { user_id: user }, withKey(apiKey))).body.link_token
  const endpoint = await petri.post('/_petri/webhooks/endpoints', { url: 'http://a.test/' }, withKey(apiKey))
  const { access_token: bearer } = (
    await manage.post(`/team/${teamId}/create_access_token`, { env: 'sandbox' })
  ).body
  const role = { role: 'team_admin', label: 'Bound', team_role_bindings: [{ team_id: teamId }] }
  const manager = (await manage.post('/management_key', role)).body
  const ids = [
    teamId,
    apiKey,
    webhookSecret,
    further.id,
    further.value,
    user,
    link,
    endpoint.body.id,
    manager.key,
  ]
  return { keys: [apiKey, further.value], link, bearer, manager, ids }
}

it('nobody who knows a team by its id alone can compute its further keys', async () => {
  const further = async (seed: string) => {
    const petri = await startTestPetri({
      world: { seed: '1', apiKey: `sk_us_${seed}` },
    })
    const { teamId } = petri.petri.worlds.all()[0]?.identity ?? expect.fail()
    const made = await managing(petri).post('/team_api_keys/sandbox/us', { label: 'x', team_id: teamId })
    await petri.close()
    return { teamId, value: made.body.value }
  }
  const [one, other] = [await further('one'), await further('other')]
  expect(other.teamId).toBe(one.teamId)
  expect(other.value).not.toBe(one.value)
})

it('no id, key or secret of a team is issued twice, and none of a deleted team opens anything', {
  timeout: rounds(300_000),
  tags: 'slow',
}, async () => {
  const folder = dataFolder()
  let petri = await folder.start()
  const random = createRandom('nothing twice')
  const issued = new Set<string>()
  const open = new Map<string, Awaited<ReturnType<typeof credentialsOf>>>()
  const deleted: Awaited<ReturnType<typeof credentialsOf>>[] = []
  const make = async (round: number) => {
    const isTeam = random.noise(`team/${round}`) < 0.5
    const id = isTeam
      ? (await managing(petri).post('/team', { name: 'Clinic', region: 'us' })).body.id
      : (await petri.post('/_petri/worlds', { frozen: true })).body.team_id
    const credentials = await credentialsOf(petri, id)
    for (const each of credentials.ids) {
      expect(issued.has(each), `${each} of round ${round}`).toBe(false)
      issued.add(each)
    }
    open.set(id, credentials)
  }
  const drop = async (round: number) => {
    const id = random.pick(`which/${round}`, [...open.keys()]) ?? ''
    expect(await petri.delete(`/_petri/worlds/${id}`)).toAnswer(204)
    deleted.push(open.get(id) ?? expect.fail())
    open.delete(id)
  }
  for (let round = 0; round < rounds(40); round++) {
    await make(round)
    if (open.size > 3) await drop(round)
    if (round % 10 === 5) {
      await petri.close()
      petri = await folder.start()
    }
  }
  for (const { keys, bearer, link, manager } of deleted) {
    for (const key of keys) expect(await petri.get('/v2/user', withKey(key))).toAnswer(401)
    const asBearer = { 'x-service-api-key': '', authorization: `Bearer ${bearer}` }
    expect(await petri.get('/v2/user', asBearer)).toAnswer(401)
    const asLink = { 'x-service-api-key': '', 'x-vital-link-token': link }
    expect(await petri.get('/v2/link/providers', asLink)).toAnswer(401)
    expect((await managing(petri, manager.key).get('/team')).body.teams).toEqual([])
  }
  await petri.close()
})

it('a team that is made again with an id of the caller has none of the keys and bindings of the deleted one', async () => {
  const folder = dataFolder()
  const petri = await folder.start()
  const manage = managing(petri)
  const create = () => manage.post('/team', { id: NOBODY, name: 'Clinic', region: 'us' })
  expect(await create()).toAnswer(200)
  const before = await credentialsOf(petri, NOBODY)
  expect(await manage.delete(`/team/${NOBODY}`)).toAnswer(200)
  expect(await create()).toAnswer(200)
  const after = await credentialsOf(petri, NOBODY)
  const [, ...others] = after.ids
  expect(others.filter((each) => before.ids.includes(each))).toEqual([])
  for (const key of before.keys) expect(await petri.get('/v2/user', withKey(key))).toAnswer(401)
  expect((await managing(petri, before.manager.key).get('/team')).body.teams).toEqual([])
  await petri.close()
})

it('the first world that is deleted comes back with its key, and as another team', async () => {
  const folder = dataFolder()
  const first = await folder.start()
  const { teamId } = first.world().identity
  await first.delete(`/_petri/worlds/${teamId}`)
  await first.close()
  const second = await folder.start()
  expect(second.world().identity).toMatchObject({ apiKey: KEY, isFirst: true })
  expect(second.world().identity.teamId).not.toBe(teamId)
  await second.close()
  const third = await folder.start()
  expect(third.petri.worlds.all()).toHaveLength(1)
  await third.close()
})

it('a world beside the first and a reset with new ids have numbers of one counter', async () => {
  const folder = dataFolder()
  const petri = await folder.start()
  const seeds = [(await petri.post('/_petri/worlds')).body.seed]
  seeds.push((await petri.post('/_petri/reset', { new_ids: true })).body.seed)
  seeds.push((await petri.post('/_petri/reset', { new_ids: true, seed: '5' })).body.seed)
  seeds.push((await petri.post('/_petri/worlds', { seed: '9' })).body.seed)
  seeds.push((await petri.post('/_petri/worlds')).body.seed)
  expect(seeds).toEqual(['1~1', '1~2', '5~3', '9', '1~5'])
  expect((await petri.post('/_petri/reset')).body.seed).toBe('5~3')
  await petri.close()
})
