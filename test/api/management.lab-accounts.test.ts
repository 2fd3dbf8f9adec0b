import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { managing, secondTeam, teamIdOf } from '../support/management.ts'
import { NOBODY, ok, startTestPetri, type TestPetri } from '../support/petri.ts'

const ACCOUNTS = '/lab_account/sandbox/us'

const listedIn = async (petri: TestPetri, key?: string) =>
  (await petri.read('/v3/lab_test/lab_account', key ? { 'x-service-api-key': key } : {})).data.map(
    field('id'),
  )

/** A second team, its key, and the accounts of the organisation. */
async function start(seed?: string) {
  const petri = await startTestPetri()
  const manage = managing(petri)
  const second =
    seed === undefined
      ? await secondTeam(manage)
      : (await petri.post('/_petri/worlds', { seed })).body.team_id
  const [{ value: key }] = (await manage.read(`/team_api_keys/sandbox/us?team_id=${second}`)).api_keys
  const { data } = await manage.read(ACCOUNTS)
  return { petri, manage, second, key, accounts: data }
}

describe('lab accounts of the organisation', () => {
  it('are listed once each, with the teams of every world that may use them', async () => {
    const { petri, manage, second, accounts } = await start()
    const own = accounts.find(
      ({ team_id_allowlist }: { team_id_allowlist: string[] }) => team_id_allowlist.length > 0,
    )
    expect(own.team_id_allowlist).toEqual([teamIdOf(petri), second])
    expect(new Set(accounts.map(field('id'))).size).toBe(accounts.length)
    const pending = (await manage.read(`${ACCOUNTS}?status=PENDING&team_id=${second}`)).data
    expect(pending).toMatchObject([{ lab: 'sonora_quest', status: 'pending' }])
    expect((await manage.read(`${ACCOUNTS}?lab_account_id=${own.id}`)).data).toEqual([own])
    expect((await manage.read('/lab_account/production/us')).data).toEqual([])
  })

  it.each([undefined, '2'])(
    'are linked to exactly the teams named (seed of the second: %s)',
    async (seed) => {
      const { petri, manage, second, key, accounts } = await start(seed)
      const { id } = accounts.find(
        ({ account_name }: { account_name: string }) => account_name === 'Own Quest',
      )
      const link = (team_id_allowlist: string[]) => manage.patch(`${ACCOUNTS}/${id}`, { team_id_allowlist })
      const body = await ok(link([second]))
      expect(body.lab_account).toMatchObject({ id, team_id_allowlist: [second] })
      expect(await listedIn(petri)).not.toContain(id)
      expect(await listedIn(petri, key)).toContain(id)
      await link([teamIdOf(petri), second])
      expect(await listedIn(petri)).toContain(id)
      await link([])
      expect(await listedIn(petri, key)).not.toContain(id)
    },
  )

  it('are not linked to teams that are not there, nor are those of a platform', async () => {
    const { petri, manage, accounts } = await start()
    const own = accounts.find(({ org_id }: { org_id: string | null }) => org_id !== null)
    const platform = accounts.find(({ org_id }: { org_id: string | null }) => org_id === null)
    const link = (id: string, team_id_allowlist: unknown) =>
      manage.patch(`${ACCOUNTS}/${id}`, { team_id_allowlist })
    expect(await link(own.id, [teamIdOf(petri), NOBODY])).toAnswer(404)
    expect(await link(platform.id, [])).toRefuse(403, expect.stringContaining('platform account'))
    expect(await link(NOBODY, [])).toRefuse(404, 'Lab account does not exist')
    for (const wrong of [['nope'], undefined]) expect(await link(own.id, wrong)).toAnswer(422)
    expect(await manage.get(`${ACCOUNTS}?status=nowhere`)).toAnswer(422)
    expect((await manage.read(`${ACCOUNTS}?lab_account_id=${NOBODY}`)).data).toEqual([])
    expect((await manage.read(ACCOUNTS)).data).toEqual(accounts)
  })
})
