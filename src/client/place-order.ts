import { makePatient } from '../kernel/people.ts'
import { createRandom } from '../kernel/random.ts'
import { type Caller, withQuery } from './caller.ts'
import type { OrderInput } from './inputs.ts'
import type { UsersKit } from './kit.ts'
import { assertKnownOptions, type OptionNames } from './known-options.ts'
import type { Order, Scenario } from './responses.ts'

type Call = Caller['call']

const random = createRandom('client')

const orderOptions: OptionNames<OrderInput> = {
  id: true,
  scenario: true,
  zip: true,
  userId: true,
  labTestId: true,
  registrable: true,
}

/** Places an order as a client would; fields that are left out are made up. */
export async function placeOrder(call: Call, users: UsersKit, input: OrderInput = {}): Promise<Order> {
  assertKnownOptions('orders.place', input, orderOptions)
  const { id, scenario, registrable = false } = input
  if (id !== undefined) {
    const { zip, userId: user_id, labTestId: lab_test_id } = input
    return call('POST', '/_petri/orders', { id, scenario, registrable, zip, user_id, lab_test_id })
  }
  const lab_test_id = input.labTestId ?? (await someTest(call, await methodOf(call, input)))
  const user_id = input.userId ?? (await users.create()).user_id
  const { patient, address } = makePatient(random, user_id, input.zip)
  const recipient = registrable
    ? { shipping_details: address }
    : { patient_details: patient, patient_address: address }
  const { order } = await call<{ order: Order }>(
    'POST',
    registrable ? '/v3/order/testkit' : '/v3/order',
    { lab_test_id, user_id, ...recipient },
    scenario === undefined ? {} : { 'x-petri-scenario': scenario },
  )
  return order
}

async function methodOf(call: Call, { scenario, zip }: OrderInput): Promise<string> {
  if (scenario === undefined && zip === undefined) return 'testkit'
  const { data } = await call<{ data: readonly Scenario[] }>('GET', '/_petri/scenarios')
  const found =
    data.find(({ name }) => name === scenario) ?? data.find((each) => each.zip !== null && each.zip === zip)
  return found?.method ?? 'testkit'
}

/** A slug that begins with the first characters of a team's id. Standard lab tests have another. */
const OF_TEAM = /^[0-9a-f]{8}-/

/** A lab test of the team, whose markers are listed, or a standard one. */
async function someTest(call: Call, method: string): Promise<string> {
  const path = withQuery('/v3/lab_tests', { collection_method: method })
  const labTests = await call<readonly { id: string; slug: string }[]>('GET', path)
  const labTest = labTests.find(({ slug }) => OF_TEAM.test(slug)) ?? labTests[0]
  if (!labTest) throw new Error(`The catalogue has no lab test with the collection method ${method}.`)
  return labTest.id
}
