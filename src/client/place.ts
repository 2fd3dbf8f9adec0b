import type { Order, Story } from './answers.ts'
import { type Caller, withQuery } from './caller.ts'
import type { OrderWish } from './inputs.ts'
import type { UsersKit } from './kit.ts'

type Call = Caller['call']

/** Made up. */
export const madeUpAddress = {
  receiver_name: 'Ada Example',
  first_line: '1 Test Street',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+16025550123',
}

/** Made up. */
export const madeUpPatient = {
  first_name: 'Ada',
  last_name: 'Example',
  dob: '1990-01-01',
  gender: 'female',
  phone_number: '+16025550123',
  email: 'ada@example.com',
}

/** An order as a client would place it, what nobody asked for being made up. */
export async function placeOrder(
  call: Call,
  users: UsersKit,
  wish: OrderWish = {},
): Promise<{ readonly order: Order }> {
  const { scenario, registrable = false } = wish
  const where = { ...madeUpAddress, ...(wish.zip !== undefined && { zip: wish.zip }) }
  const [path, whom] = registrable
    ? ['/v3/order/testkit', { shipping_details: where }]
    : ['/v3/order', { patient_details: madeUpPatient, patient_address: where }]
  const body = {
    lab_test_id: wish.labTestId ?? (await firstTest(call, await methodOf(call, wish))),
    user_id: wish.userId ?? (await users.create()).user_id,
    ...whom,
  }
  return call('POST', path, body, scenario === undefined ? {} : { 'x-petri-scenario': scenario })
}

async function methodOf(call: Call, { scenario, zip }: OrderWish): Promise<string> {
  if (scenario === undefined && zip === undefined) return 'testkit'
  const { data } = await call<{ data: readonly Story[] }>('GET', '/_petri/scenarios')
  const story =
    data.find(({ name }) => name === scenario) ?? data.find((each) => each.zip !== null && each.zip === zip)
  return story?.method ?? 'testkit'
}

async function firstTest(call: Call, method: string): Promise<string> {
  const path = withQuery('/v3/lab_tests', { collection_method: method })
  const [first] = await call<readonly { id: string }[]>('GET', path)
  if (!first) throw new Error(`The catalogue has no lab test that is collected by ${method}.`)
  return first.id
}
