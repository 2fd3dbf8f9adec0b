import { describe, expect, it } from 'vitest'
import {
  address,
  advance,
  cancelOrder,
  changeInfo,
  connectDemo,
  createUser,
  readOrder,
} from '../support/orders.ts'
import { ok, startTestWorld, type TestPetri } from '../support/petri.ts'

// What a public seeding tool of July 2026 does, and its smoke test: 14 orders, and 15 reads. Source: docs/contract/simulation.md.

interface Person {
  readonly first_name: string
  readonly last_name: string
  readonly zip: string
  readonly devices?: readonly string[]
}

const people: Readonly<Record<string, Person>> = {
  standard: { first_name: 'James', last_name: 'Hall', zip: '85004' },
  visit: { first_name: 'Maria', last_name: 'Diaz', zip: '85004' },
  walk_in: { first_name: 'Angela', last_name: 'White', zip: '85004' },
  fitbit: { first_name: 'Derek', last_name: 'Nash', zip: '94105', devices: ['fitbit'] },
  libre: { first_name: 'Samuel', last_name: 'Ode', zip: '94105', devices: ['freestyle_libre'] },
  multi: { first_name: 'Lauren', last_name: "O'Brien", zip: '94105', devices: ['fitbit', 'oura'] },
}

interface Plan {
  readonly user: string
  readonly method: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy'
  /** The status the simulation is asked for. */
  readonly to: string
  readonly flags?: object
}

/** The eleven orders that are simulated. */
const plans: readonly Plan[] = [
  {
    user: 'standard',
    method: 'testkit',
    to: 'completed.testkit.completed',
    flags: { interpretation: 'normal' },
  },
  { user: 'standard', method: 'walk_in_test', to: 'completed.walk_in_test.completed' },
  { user: 'visit', method: 'at_home_phlebotomy', to: 'completed.at_home_phlebotomy.completed' },
  {
    user: 'standard',
    method: 'testkit',
    to: 'completed.testkit.completed',
    flags: { interpretation: 'abnormal' },
  },
  {
    user: 'standard',
    method: 'testkit',
    to: 'completed.testkit.completed',
    flags: { interpretation: 'critical' },
  },
  {
    user: 'standard',
    method: 'testkit',
    to: 'completed.testkit.completed',
    flags: { interpretation: 'normal', has_missing_results: true },
  },
  {
    user: 'standard',
    method: 'walk_in_test',
    to: 'completed.walk_in_test.completed',
    flags: { interpretation: 'normal', result_types: ['numeric', 'comment', 'range'] },
  },
  { user: 'standard', method: 'testkit', to: 'collecting_sample.testkit.transit_customer' },
  { user: 'standard', method: 'testkit', to: 'sample_with_lab.testkit.delivered_to_lab' },
  { user: 'walk_in', method: 'walk_in_test', to: 'received.walk_in_test.requisition_created' },
  { user: 'standard', method: 'testkit', to: 'failed.testkit.sample_error' },
]

const contactOf = (name: string) => ({ email: `${name}@example.com`, phone_number: '+14155550101' })

/** Creates the people with their demographics and demo connections. Returns their ids. */
async function seedPeople(petri: TestPetri): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const [name, { first_name, last_name, zip, devices = [] }] of Object.entries(people)) {
    expect(await petri.get(`/v2/user/resolve/${name}`)).toAnswer(404)
    const id = await createUser(petri, name)
    const about = { first_name, last_name, ...contactOf(name), gender: 'female', dob: '1985-03-14' }
    await changeInfo(petri, id, { ...about, address: { ...address, zip } })
    await ok(petri.get(`/v2/user/providers/${id}`))
    for (const provider of devices) await ok(connectDemo(petri, id, provider))
    if (devices.some((each) => each !== 'freestyle_libre'))
      expect([200, 202]).toContain((await petri.post(`/v2/user/refresh/${id}`)).status)
    ids[name] = id
  }
  return ids
}

/** The first active lab test of each method. */
async function chooseTests(petri: TestPetri): Promise<Record<string, string>> {
  const tests: { id: string; method: string }[] = await ok(petri.get('/v3/lab_tests?status=active'))
  return Object.fromEntries(tests.toReversed().map(({ id, method }) => [method, id]))
}

/** Places the order, books a visit at home before it is simulated, and simulates it with a delay of a second. */
async function seedOrder(
  petri: TestPetri,
  placed: { id: string },
  { method, to, flags }: Plan,
): Promise<void> {
  const simulate = async (status: string, body?: object) => {
    await ok(petri.post(`/v3/order/${placed.id}/test?delay=1&final_status=${status}`, body))
    await advance(petri, '1m')
  }
  if (method === 'at_home_phlebotomy') {
    await simulate('received.at_home_phlebotomy.requisition_created')
    const { last_event } = await readOrder(petri, placed.id)
    expect(last_event.status).toBe('received.at_home_phlebotomy.requisition_created')
    const where = { first_line: '111 E Monroe St', city: 'Phoenix', state: 'AZ', zip_code: '85004' }
    const { slots } = await ok(petri.post('/v3/order/phlebotomy/appointment/availability', where))
    const { booking_key } = slots.flatMap((day: { slots: unknown[] }) => day.slots)[0]
    await ok(petri.post(`/v3/order/${placed.id}/phlebotomy/appointment/book`, { booking_key }))
  }
  await simulate(to, flags)
}

/** Runs all steps. Returns the ids of the people and orders. */
async function seed(petri: TestPetri) {
  const users = await seedPeople(petri)
  const tests = await chooseTests(petri)
  const bodyOf = (user: string, method: string) => {
    const { first_name, last_name, zip } = people[user] as Person
    const about = { first_name, last_name, ...contactOf(user), gender: 'female', dob: '1985-03-14' }
    return {
      user_id: users[user],
      lab_test_id: tests[method],
      patient_details: about,
      patient_address: { ...address, zip },
    }
  }
  const place = async (user: string, method: string, more = {}) =>
    (await ok(petri.post('/v3/order', { ...bodyOf(user, method), ...more }))).order
  const simulated: string[] = []
  for (const plan of plans) {
    const order = await place(plan.user, plan.method)
    await seedOrder(petri, order, plan)
    simulated.push(order.id)
  }
  const cancelled = (await place('standard', 'testkit')).id
  await ok(cancelOrder(petri, cancelled))
  const shipping_details = { ...address, phone_number: '+14155550101' }
  const kit = { user_id: users.standard, lab_test_id: tests.testkit, shipping_details }
  const unregistered = (await ok(petri.post('/v3/order/testkit', kit))).order.id
  const scheduled = (await place('standard', 'testkit', { activate_by: '2026-01-19' })).id
  return { users, simulated, cancelled, unregistered, scheduled }
}

const lastStatus = async (petri: TestPetri, id: string) => (await readOrder(petri, id)).last_event.status

describe.each([null, 'sandbox'])('a seeding tool, in a world like %s', (like) => {
  it('gets every order to what it asked for, and reads all back', { tags: 'slow' }, async () => {
    const petri = await startTestWorld()
    await petri.patch('/_petri/world', { like })
    const { users, simulated, cancelled, unregistered, scheduled } = await seed(petri)
    const reached = await Promise.all(simulated.map((id) => lastStatus(petri, id)))
    expect(reached).toEqual(plans.map(({ to }) => to))
    expect(await lastStatus(petri, cancelled)).toBe('cancelled.testkit.cancelled')
    expect(await lastStatus(petri, unregistered)).toMatch(
      /^received\.testkit\.(ordered|awaiting_registration)$/,
    )
    expect(await lastStatus(petri, scheduled)).toBe('received.testkit.ordered')
    const critical = await readOrder(petri, simulated[4] as string)
    expect(critical).toMatchObject({ interpretation: 'critical' })
    expect((await readOrder(petri, simulated[5] as string)).has_missing_results).toBe(true)

    const days = 'start_date=2025-12-29&end_date=2026-01-05'
    const lastDays = 'start_date=2026-01-02&end_date=2026-01-05'
    const read = async (path: string) => ok(petri.get(path))
    expect((await read('/v2/user/')).users).toHaveLength(Object.keys(people).length)
    expect((await read('/v2/user/search?search_input=lauren&limit=5')).users).toHaveLength(1)
    expect(Object.values(await read(`/v2/user/providers/${users.multi}`)).flat()).toHaveLength(2)
    expect((await read(`/v2/summary/sleep/${users.multi}?${days}`)).sleep).not.toEqual([])
    expect((await read(`/v2/summary/activity/${users.multi}?${days}`)).activity).not.toEqual([])
    expect(await read(`/v2/timeseries/${users.multi}/hrv?${lastDays}`)).not.toEqual([])
    expect(await read(`/v2/timeseries/${users.libre}/glucose?${lastDays}`)).not.toEqual([])
    expect(await read('/v3/lab_tests')).not.toEqual([])
    expect((await read('/v3/lab_test?name=panel&lab_test_limit=3')).data).not.toEqual([])
    expect((await read('/v3/lab_tests/markers?name=glucose&size=3')).markers).not.toEqual([])
    expect((await read('/v3/orders?size=5')).orders).toHaveLength(5)
    expect((await read('/v3/orders?search_input=james&size=50')).total).toBe(11)
    expect((await read(`/v3/order/${simulated[3]}`)).interpretation).toBe('abnormal')
    expect((await read(`/v3/order/${simulated[3]}/result`)).metadata.interpretation).toBe('abnormal')
    const results = await read('/v3/result?results_limit=3')
    expect(results.data).toHaveLength(3)
    expect(results.next_cursor).not.toBeNull()
  })
})
