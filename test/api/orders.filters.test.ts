import { beforeAll, describe, expect, it } from 'vitest'
import { advance, createUser, orderBy, orderKit, patient, setFeatures } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

// Each filter of the list of orders at its boundary. Three orders: `early`, a kit without a patient; `middle`, a completed walk-in
// order an hour later; `late`, a scheduled one of another user, another hour later.

let petri: TestPetri
/** Names of orders by id. */
const names = new Map<string, string>()
let [ada, grace, transaction] = ['', '', '']

beforeAll(async () => {
  petri = await startTestWorld()
  await setFeatures(petri, { redraws: false })
  ;[ada, grace] = [await createUser(petri, 'ada'), await createUser(petri, 'grace-client')]
  const early = await orderKit(petri, { user: ada, scenario: 'manual' })
  await advance(petri, '1h')
  const middle = await orderBy(petri, 'walk_in_test', { user_id: ada })
  await petri.post(`/_petri/orders/${middle.id}/move`, {
    status: 'completed',
    force: true,
    results: { interpretation: 'critical' },
  })
  await advance(petri, '1h')
  const details = { ...patient, first_name: 'Grace', dob: '1985-02-03', email: 'Grace.H@Example.com' }
  const late = await orderBy(petri, 'at_home_phlebotomy', {
    user_id: grace,
    patient_details: details,
    activate_by: '2026-01-06',
  })
  transaction = late.order_transaction.id
  for (const [name, { id }] of Object.entries({ early, middle, late })) names.set(id, name)
})

const list = (query: string) => petri.read(`/v3/orders?${query}`)
const found = async (query: string): Promise<string> =>
  (await list(`order_direction=asc&${query}`)).orders.map(({ id }: { id: string }) => names.get(id)).join(' ')
const idOf = (wanted: string) => [...names].find(([, name]) => name === wanted)?.[0] ?? ''

describe('orders are listed', () => {
  it.each([
    ['', 'early middle late'],
    ['start_date=2026-01-05T10:00:00Z', 'middle late'],
    ['start_date=2026-01-05T10:00:01Z', 'late'],
    ['end_date=2026-01-05T10:00:00Z', 'early middle'],
    ['end_date=2026-01-05T09:59:59Z', 'early'],
    ['start_date=2026-01-05&end_date=2026-01-05', 'early middle late'],
    ['end_date=2026-01-04', ''],
    ['updated_start_date=2026-01-05T10:00:00Z', 'middle late'],
    ['updated_start_date=2026-01-05T10:00:01Z', 'late'],
    ['updated_end_date=2026-01-05T10:00:00Z', 'early middle'],
    ['updated_end_date=2026-01-05T09:59:59Z', 'early'],
    ['status=completed', 'middle'],
    ['status=completed&status=awaiting_registration', 'early middle'],
    ['order_type=testkit', 'early'],
    ['order_type=walk_in_test&order_type=at_home_phlebotomy', 'middle late'],
    ['interpretation=critical', 'middle'],
    ['interpretation=normal', ''],
    ['is_critical=true', 'middle'],
    ['is_critical=false', 'early late'],
    ['patient_name=a%20ex', 'middle'],
    ['patient_name=GRACE', 'late'],
    ['patient_name=example', 'middle late'],
    ['shipping_recipient_name=ADA%20ex', 'early'],
    ['shipping_recipient_name=grace', ''],
    ['order_activation_types=scheduled', 'late'],
    ['order_activation_types=current', 'early middle'],
    ['order_activation_types=current&order_activation_types=scheduled', 'early middle late'],
    ['search_input=1985-02-03', 'late'],
    ['search_input=GRACE.h@', 'late'],
    ['search_input=Ada%20Example', 'early middle'],
    ['search_input=grace-client', 'late'],
    ['search_input=Ada%0A', ''],
    ['search_input=nobody', ''],
    ['order_type=walk_in_test&is_critical=false', ''],
  ])('by %j: %s', async (query, expected) => {
    expect(await found(query)).toBe(expected)
  })

  it('by user, by id and by transaction', async () => {
    expect(await found(`user_id=${ada}`)).toBe('early middle')
    expect(await found(`user_id=${grace}`)).toBe('late')
    expect(await found(`order_ids=${idOf('early')}&order_ids=${idOf('late')}`)).toBe('early late')
    expect(await found(`order_transaction_id=${transaction}`)).toBe('late')
    expect(await found(`search_input=${transaction.toUpperCase()}`)).toBe('late')
    expect(await found(`search_input=${idOf('middle')}`)).toBe('middle')
    expect(await found(`search_input=${ada}`)).toBe('early middle')
    expect(await petri.get('/v3/orders?user_id=7f0c2d2c-0000-4000-8000-000000000000')).toAnswer(404)
  })

  it.each([
    ['', 'late middle early'],
    ['order_direction=desc', 'late middle early'],
    ['order_key=created_at', 'late middle early'],
    ['order_key=patient_name', 'late middle early'],
    ['order_key=patient_name&order_direction=asc', 'early middle late'],
    ['order_key=last_status&order_direction=asc', 'early middle late'],
  ])('sorted by %j: %s', async (query, expected) => {
    expect((await list(query)).orders.map(({ id }: { id: string }) => names.get(id)).join(' ')).toBe(expected)
  })

  it('in pages, with how many there are in all', async () => {
    const page = async (query: string) => {
      const { orders, ...counts } = await list(`order_direction=asc&${query}`)
      return [orders.map(({ id }: { id: string }) => names.get(id)).join(' '), counts]
    }
    expect(await page('')).toEqual(['early middle late', { total: 3, page: 1, size: 50 }])
    expect(await page('size=2')).toEqual(['early middle', { total: 3, page: 1, size: 2 }])
    expect(await page('size=2&page=2')).toEqual(['late', { total: 3, page: 2, size: 2 }])
    expect(await page('size=2&page=3')).toEqual(['', { total: 3, page: 3, size: 2 }])
    expect(await petri.get('/v3/orders?size=101')).toAnswer(422)
  })
})
