import { describe, expect, it } from 'vitest'
import {
  accountForOrder,
  allowsBilling,
  type BillingType,
  defaultLabAccount,
  getLinkedLabAccount,
  labOfAccount,
  linkLabAccount,
  needsPhysician,
  resolveLabAccount,
} from '../../src/resources/lab-accounts/service.ts'
import { labAccounts } from '../../src/resources/lab-accounts/table.ts'
import type { World } from '../../src/world/world.ts'
import { NOBODY, startTestWorld } from '../support/petri.ts'

const account = (world: World, slug: string) => world.random.uuid(`lab_account/${slug}`)

describe('lab accounts', () => {
  it('are listed, by status in any case', async () => {
    const petri = await startTestWorld()
    const { data } = await petri.read('/v3/lab_test/lab_account')
    expect(data).toHaveLength(11)
    expect(data[0]).toMatchObject({ lab: 'labcorp', org_id: null, team_id_allowlist: [], status: 'active' })
    expect((await petri.read('/v3/lab_test/lab_account?status=PENDING')).data).toMatchObject([
      { lab: 'sonora_quest', status: 'pending', delegated_flow: 'order_delegated' },
    ])
    const { id } = data[4]
    expect((await petri.read(`/v3/lab_test/lab_account?lab_account_id=${id}`)).data).toEqual([data[4]])
    const unlisted = account(petri.world(), 'platform-sonora-quest')
    expect(data.map((each: { id: string }) => each.id)).not.toContain(unlisted)
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
    expect(allowsBilling(get('platform-labcorp'), 'client_bill', 'PR')).toBe('yes')
    expect(allowsBilling(get('platform-sonora-quest'), 'patient_bill', 'AZ')).toBe('not_supported')
  })
})

describe('the account of an order', () => {
  const quest = { id: 4, slug: 'quest', name: 'Quest' } as const
  const start = async () => (await startTestWorld()).world()

  it('says why it does not pay', async () => {
    const world = await start()
    const row = world.db.get(labAccounts, account(world, 'platform-quest'))
    const pay = (
      allowed_billing: Record<string, readonly string[]>,
      state: string,
      billingType?: BillingType,
    ) => {
      for (const each of world.db.by(labAccounts, 'lab', 'quest'))
        world.db.put(labAccounts, { ...each, team_id_allowlist: ['nobody'], org_id: 'other' })
      world.db.put(labAccounts, { ...row, allowed_billing })
      return accountForOrder(world, { lab: quest, state, billingType })?.id
    }
    expect(pay({ client_bill: ['AZ'] }, 'AZ')).toBe(row.id)
    expect(() => pay({ client_bill: ['AZ'] }, 'TX')).toThrow('Lab Quest does not support state TX')
    expect(() => pay({ patient_bill: ['AZ'] }, 'AZ')).toThrow(
      'Lab 4 does not support billing type client_bill',
    )
    expect(() => pay({ client_bill: ['AZ'], patient_bill: ['TX'] }, 'TX')).toThrow(
      'Billing type client_bill is not available in state TX for the lab account used for this order',
    )
  })

  it('is found by default only where an order that names none is accepted', async () => {
    const world = await start()
    expect(defaultLabAccount(world, 'quest')?.id).toBe(account(world, 'platform-quest'))
    linkLabAccount(world, account(world, 'suspended-quest'), [world.identity.teamId])
    expect(defaultLabAccount(world, 'quest')).toBeUndefined()
  })

  it('is linked by its id, and unknown ids are refused', async () => {
    const world = await start()
    expect(() => linkLabAccount(world, NOBODY, [])).toThrow('Lab account does not exist')
    expect(() => resolveLabAccount(world, { labSlug: 'quest', labAccountId: NOBODY })).toThrow(
      'Lab account does not exist',
    )
    expect(() => getLinkedLabAccount(world, NOBODY)).toThrow('Lab account does not exist')
    expect(labOfAccount(world, NOBODY)).toBeUndefined()
    expect(labOfAccount(world, account(world, 'own-quest'))).toBe('quest')
    const linked = linkLabAccount(world, account(world, 'own-quest'), ['another team'])
    expect(linked).toMatchObject({ team_id_allowlist: ['another team'], automatic: true })
    expect(() => getLinkedLabAccount(world, linked.id)).toThrow('Lab account does not exist')
  })
})
