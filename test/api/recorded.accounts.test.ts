import { describe, expect, it } from 'vitest'
import { linkLabAccount } from '../../src/resources/lab-accounts/service.ts'
import { type LabAccountRow, labAccounts } from '../../src/resources/lab-accounts/table.ts'
import { orderMetadata } from '../../src/resources/orders/table.ts'
import { accountId, address, createUser, importedOrder, insure, sendOrder } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

const petri = forEachTest()

type LabSlug = 'labcorp' | 'quest' | 'bioreference' | 'sonora_quest'

/** Orders a marker of a laboratory from a state, and returns `200` or the text of the refusal. */
async function ordering(lab: LabSlug, state: string, more: Record<string, unknown> = {}): Promise<unknown> {
  const markers = [...petri.world().services.catalogue.markers().values()]
  const marker = markers.find(
    (each) =>
      each.lab.slug === lab && each.a_la_carte_enabled && !each.isReflex && !each.aoe && each.is_insurable,
  )
  const { status, body } = await sendOrder(petri, {
    order_set: { add_on: { marker_ids: [marker?.id] } },
    collection_method: 'walk_in_test',
    patient_address: { ...address, state },
    ...more,
  })
  return status === 200 ? 200 : [status, body.detail]
}

const change = (id: string, changes: Partial<LabAccountRow>) => {
  const { db } = petri.world()
  db.put(labAccounts, { ...db.get(labAccounts, id), ...changes })
}

/** Has the team use an account for orders that name none. */
const link = (id: string) => linkLabAccount(petri.world(), id, [petri.world().identity.teamId])

const notInState = (type: string, state: string) =>
  `Billing type ${type} is not available in state ${state} for the lab account used for this order`

describe('the account of an order', () => {
  /** Names the account, or prepares the world for an order that names none. */
  const cases: [
    when: string,
    (id: (name: string) => Promise<string>) => Promise<unknown>,
    outcome: unknown,
  ][] = [
    ['the laboratory’s own', (id) => id('Every Billing Labcorp'), 200],
    ['a platform account', (id) => id('Junction Labcorp Account'), 200],
    ['another laboratory’s', (id) => id('Junction BioReference Account'), 200],
    ['absent, with one active account', async (id) => link(await id('Every Billing Labcorp')) && null, 200],
    ['absent, with none linked', async () => null, 200],
    [
      'absent, with none active',
      async (id) => {
        const own = await id('Every Billing Labcorp')
        link(own)
        change(own, { status: 'suspended' })
        return null
      },
      [400, 'No active lab account is available for this lab'],
    ],
    ['unknown', async () => '7f0c2d2c-0000-4000-8000-000000000000', [400, 'Lab account does not exist']],
    [
      'of another team',
      async (id) => {
        const own = await id('Every Billing Labcorp')
        change(own, { team_id_allowlist: ['7f0c2d2c-0000-4000-8000-000000000000'] })
        return own
      },
      [400, 'Lab account is not linked to your team'],
    ],
    ...(['pending', 'suspended', 'ready_to_launch'] as const).map((status): (typeof cases)[number] => [
      status,
      async (id) => {
        const own = await id('Every Billing Labcorp')
        change(own, { status })
        return own
      },
      [400, 'Lab account is not active'],
    ]),
  ]

  it.each(cases)('%s', async (_, prepare, outcome) => {
    const lab_account_id = await prepare((name) => accountId(petri, name))
    expect(await ordering('labcorp', 'AZ', { lab_account_id })).toEqual(outcome)
  })

  it('is the first listed of several active ones', async () => {
    const first = await accountId(petri, 'Every Billing Labcorp')
    const second = await accountId(petri, 'Own Labcorp')
    link(second)
    link(first)
    const { body } = await sendOrder(petri, {
      order_set: { add_on: { marker_ids: [1975] } },
      collection_method: 'walk_in_test',
    })
    expect(petri.world().db.get(orderMetadata, body.order.id).lab_account_id).toBe(first)
    expect(body.order).not.toHaveProperty('lab_account_id')
  })

  it('of another laboratory changes nothing', async () => {
    const lab_account_id = await accountId(petri, 'Junction BioReference Account')
    const order = { order_set: { add_on: { marker_ids: [1975] } }, collection_method: 'walk_in_test' }
    const { body } = await sendOrder(petri, { ...order, lab_account_id })
    expect(body.order.billing_type).toBe('client_bill')
    const used = petri.world().db.get(orderMetadata, body.order.id).lab_account_id
    expect(used).toBe(await accountId(petri, 'Junction Labcorp Account'))
    expect(
      await ordering('labcorp', 'AZ', { lab_account_id, billing_type: 'patient_bill_passthrough' }),
    ).toEqual([
      400,
      'Billing type patient_bill_passthrough is not supported by the lab account used for this order',
    ])
  })

  it('is checked in this order: exists, linked, active', async () => {
    const lab_account_id = await accountId(petri, 'Every Billing Labcorp')
    change(lab_account_id, { status: 'suspended', team_id_allowlist: [] })
    const named = { lab_account_id, billing_type: 'patient_bill' }
    expect(await ordering('labcorp', 'AZ', named)).toEqual([400, 'Lab account is not linked to your team'])
    change(lab_account_id, { team_id_allowlist: [petri.world().identity.teamId] })
    expect(await ordering('labcorp', 'AZ', named)).toEqual([400, 'Lab account is not active'])
  })

  it('may be pending for an import, and not suspended', async () => {
    const pending = await accountId(petri, 'Own Quest')
    change(pending, { status: 'pending' })
    const physician = { first_name: 'Pat', last_name: 'Sample', npi: '1999999992' }
    const order = await importedOrder(petri, { lab_account_id: pending, physician })
    expect(await petri.post('/v3/order/import', order)).toAnswer(200)
    change(pending, { status: 'suspended' })
    expect((await petri.post('/v3/order/import', { ...order, sample_id: 'A-2' })).body.detail).toBe(
      'Lab account is not active',
    )
  })
})

describe('the billing of an order', () => {
  const unsupported = (type: string) => [
    400,
    `Billing type ${type} is not supported by the lab account used for this order`,
  ]
  const noCodes = [400, 'Commercial insurance orders require at least one ICD code in icd_codes']
  const served = (lab: string, state: string) => [400, `Lab ${lab} does not support state ${state}`]

  const cases: [lab: LabSlug, state: string, billing_type: string | undefined, outcome: unknown][] = [
    ['labcorp', 'AZ', undefined, 200],
    ['labcorp', 'AZ', 'client_bill', 200],
    ['labcorp', 'AZ', 'patient_bill', unsupported('patient_bill')],
    ['labcorp', 'AZ', 'commercial_insurance', unsupported('commercial_insurance')],
    ['labcorp', 'DC', 'client_bill', 200],
    ['labcorp', 'NJ', 'client_bill', served('Labcorp', 'NJ')],
    ['labcorp', 'NY', undefined, served('Labcorp', 'NY')],
    ['labcorp', 'RI', 'commercial_insurance', served('Labcorp', 'RI')],
    ['quest', 'AZ', undefined, 200],
    ['quest', 'AZ', 'commercial_insurance', noCodes],
    ['quest', 'NY', 'commercial_insurance', noCodes],
    ['quest', 'RI', 'commercial_insurance', noCodes],
    ['quest', 'NY', 'client_bill', [400, notInState('client_bill', 'NY')]],
    ['quest', 'NY', undefined, [400, notInState('client_bill', 'NY')]],
    ['quest', 'NY', 'patient_bill', unsupported('patient_bill')],
    ['bioreference', 'NY', 'patient_bill_passthrough', 200],
    ['bioreference', 'NJ', 'patient_bill_passthrough', 200],
    ['bioreference', 'DC', 'patient_bill_passthrough', 200],
    ['bioreference', 'NY', undefined, [400, 'Lab 13 does not support billing type client_bill']],
    ['bioreference', 'NY', 'client_bill', unsupported('client_bill')],
    ['bioreference', 'CT', 'patient_bill_passthrough', served('BioReference', 'CT')],
    ['sonora_quest', 'AZ', undefined, 200],
    ['sonora_quest', 'NY', undefined, served('Sonora Quest', 'NY')],
  ]

  it.each(cases)('%s in %s by %s', async (lab, state, billing_type, outcome) => {
    expect(await ordering(lab, state, { billing_type })).toEqual(outcome)
  })

  it('of an insured patient in New York goes through at Quest', async () => {
    const user_id = await createUser(petri)
    await insure(petri, user_id)
    const insured = { user_id, billing_type: 'commercial_insurance', icd_codes: ['R53.83'] }
    expect(await ordering('quest', 'NY', insured)).toBe(200)
  })

  it('has client_bill where none is named', async () => {
    const order = { order_set: { add_on: { marker_ids: [1975] } }, collection_method: 'walk_in_test' }
    expect((await sendOrder(petri, order)).body.order.billing_type).toBe('client_bill')
  })

  it.each(['client_bill', 'commercial_insurance', 'patient_bill_passthrough', 'patient_bill'])(
    '%s can be tried in every state with an account that is named',
    async (billing_type) => {
      const lab_account_id = await accountId(petri, 'Every Billing Labcorp')
      const outcome = billing_type === 'commercial_insurance' ? noCodes : 200
      for (const state of ['AZ', 'NY', 'RI'])
        expect(await ordering('labcorp', state, { lab_account_id, billing_type })).toEqual(outcome)
    },
  )

  it('is checked after the state and the account', async () => {
    const unknown = { lab_account_id: '7f0c2d2c-0000-4000-8000-000000000000', billing_type: 'patient_bill' }
    expect(await ordering('labcorp', 'NY', unknown)).toEqual(served('Labcorp', 'NY'))
    expect(await ordering('labcorp', 'AZ', unknown)).toEqual([400, 'Lab account does not exist'])
  })
})
