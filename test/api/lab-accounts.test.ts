import { describe, expect, it } from 'vitest'
import {
  allowsBilling,
  linkLabAccount,
  needsPhysician,
  resolveLabAccount,
} from '../../src/resources/lab-accounts/service.ts'
import { labAccounts } from '../../src/resources/lab-accounts/table.ts'
import type { World } from '../../src/world/world.ts'
import { startTestWorld } from '../support/petri.ts'

const account = (world: World, slug: string) => world.random.uuid(`lab_account/${slug}`)

describe('lab accounts', () => {
  it('are listed, by status in any case', async () => {
    const petri = await startTestWorld()
    const { data } = (await petri.get('/v3/lab_test/lab_account')).body
    expect(data).toHaveLength(11)
    expect(data[0]).toMatchObject({ lab: 'labcorp', org_id: null, team_id_allowlist: [], status: 'active' })
    expect((await petri.get('/v3/lab_test/lab_account?status=PENDING')).body.data).toMatchObject([
      { lab: 'sonora_quest', status: 'pending', delegated_flow: 'order_delegated' },
    ])
    const { id } = data[4]
    expect((await petri.get(`/v3/lab_test/lab_account?lab_account_id=${id}`)).body.data).toEqual([data[4]])
    const unlisted = account(petri.world(), 'platform-sonora-quest')
    expect(data.map((each: { id: string }) => each.id)).not.toContain(unlisted)
  })

  it('when none is named, are the platform’s, or none where a laboratory has none', async () => {
    const world = (await startTestWorld()).world()
    expect(resolveLabAccount(world, { labSlug: 'labcorp' })?.id).toBe(account(world, 'platform-labcorp'))
    expect(resolveLabAccount(world, { labSlug: 'ussl' })).toBeUndefined()
  })

  it('when none is named, are the team’s first active one; none of them active is refused', async () => {
    const world = (await startTestWorld()).world()
    const link = (slug: string) => linkLabAccount(world, account(world, slug), [world.identity.teamId])
    link('own-labcorp')
    link('own-bioreference-a')
    link('suspended-quest')
    expect(resolveLabAccount(world, { labSlug: 'labcorp' })?.id).toBe(account(world, 'own-labcorp'))
    expect(resolveLabAccount(world, { labSlug: 'bioreference' })?.account_name).toBe('Own BioReference A')
    link('own-bioreference-b')
    expect(resolveLabAccount(world, { labSlug: 'bioreference' })?.account_name).toBe('Own BioReference A')
    expect(() => resolveLabAccount(world, { labSlug: 'quest' })).toThrow('No active lab account is available')
  })

  it('when named, must be the team’s and active; that of another laboratory is not used', async () => {
    const world = (await startTestWorld()).world()
    const input = (labSlug: string, slug: string) => ({ labSlug, labAccountId: account(world, slug) })
    expect(resolveLabAccount(world, input('quest', 'own-quest'))?.account_name).toBe('Own Quest')
    expect(resolveLabAccount(world, input('labcorp', 'own-quest'))?.id).toBe(
      account(world, 'platform-labcorp'),
    )
    expect(() => resolveLabAccount(world, input('quest', 'suspended-quest'))).toThrow(
      'Lab account is not active',
    )
    expect(() => resolveLabAccount(world, input('sonora_quest', 'own-sonora'))).toThrow('not active')
    expect(
      resolveLabAccount(world, { ...input('sonora_quest', 'own-sonora'), allowPending: true })?.status,
    ).toBe('pending')
    const foreign = world.db.get(labAccounts, account(world, 'own-quest'))
    world.db.put(labAccounts, { ...foreign, team_id_allowlist: [] })
    expect(() => resolveLabAccount(world, input('quest', 'own-quest'))).toThrow('Lab account is not linked')
  })

  it('tell whose physician orders, and what can be billed where', async () => {
    const world = (await startTestWorld()).world()
    const get = (slug: string) => world.db.get(labAccounts, account(world, slug))
    const wanting = [...world.db.all(labAccounts)].filter(needsPhysician)
    expect(wanting.map(({ account_name }) => account_name)).toEqual([
      'Own Labcorp',
      'Own Quest',
      'Own Sonora Quest',
    ])
    expect(allowsBilling(get('platform-labcorp'), 'client_bill', 'AZ')).toBe('yes')
    expect(allowsBilling(get('platform-labcorp'), 'client_bill', 'NY')).toBe('not_in_state')
    expect(allowsBilling(get('platform-labcorp'), 'client_bill', 'DC')).toBe('yes')
    expect(allowsBilling(get('every-billing-labcorp'), 'patient_bill', 'NY')).toBe('yes')
    expect(allowsBilling(get('platform-sonora-quest'), 'patient_bill', 'AZ')).toBe('not_supported')
  })
})
