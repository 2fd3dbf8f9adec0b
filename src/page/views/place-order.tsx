import { useSignal } from '@preact/signals'
import { type asCurl, ask, call, get } from '../api.ts'
import { optionsOf } from '../components.tsx'
import { detailOf, methodNames } from '../format.ts'
import { closeDialog, Dialog, Form, SelectField, Submit, TextField, useForm } from '../forms.tsx'
import { go } from '../navigation.ts'
import type { Order, Scenario, User, UserSummaries, UserTruth, World } from '../responses.ts'
import { attempt, say, useData, useScenarios } from '../store.ts'

type OrderInput = Readonly<Record<'method' | 'user' | 'labTest' | 'scenario' | 'patient', string>>

const address = {
  receiver_name: 'Ada Example',
  first_line: '1 Example Street',
  second_line: null,
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+14155550123',
}

type Person = Pick<UserTruth, 'sex' | 'birth_date'>

/** A patient with this name: the person behind the user's data if it is known. */
function patientNamed(name: string, person: Person = { sex: 'female', birth_date: '1984-05-17' }) {
  const [first_name = 'Ada', ...rest] = name.split(' ')
  return {
    first_name,
    last_name: rest.join(' ') || 'Example',
    dob: person.birth_date,
    gender: person.sex,
    phone_number: '+14155550123',
    email: 'ada@example.com',
  }
}

/** Whether the order is a kit without a patient, who registers it later. */
const isRegistrable = ({ method, patient }: OrderInput) => method === 'testkit' && patient === ''

/** The call of the service that places such an order. */
function orderCall(input: OrderInput, person?: Person) {
  const { user, labTest, scenario, patient } = input
  const headers: Record<string, string> = scenario ? { 'x-petri-scenario': scenario } : {}
  const base = { user_id: user, lab_test_id: labTest || undefined }
  if (isRegistrable(input))
    return { path: '/v3/order/testkit', headers, body: { ...base, shipping_details: address } }
  const patient_details = patientNamed(patient || 'Ada Example', person)
  return { path: '/v3/order', headers, body: { ...base, patient_details, patient_address: address } }
}

function curlArguments(input: OrderInput): Parameters<typeof asCurl> {
  const { path, body, headers } = orderCall(input)
  return ['POST', path, body, headers]
}

const testsPath = (method: string) => `/v3/lab_tests?collection_method=${method}`

/** Places an order through the service, as a program would. */
export const PlaceOrder = () => (
  <Dialog name="place" title="Place an order">
    <OrderForm />
  </Dialog>
)

function OrderForm() {
  const form = useForm<OrderInput>('place', {
    method: 'testkit',
    user: '',
    labTest: '',
    scenario: '',
    patient: '',
  })
  const { method, labTest } = form.values
  const { body: list } = useData<UserSummaries>('/_petri/users?limit=100', false)
  const { body: tests } = useData<Order['lab_test'][]>(testsPath(method), false)
  const scenarios = useScenarios()
  const refusal = useSignal('')
  const users = list?.data ?? []
  const input = { ...form.values, labTest: labTest || (tests?.[0]?.id ?? '') }
  const own = scenarios.filter((each) => each.method === method)
  const isKit = method === 'testkit'
  const place = async () => {
    const placed = await attempt('Placing the order', () => placeOrder(input))
    if (typeof placed === 'string') refusal.value = placed
    if (typeof placed !== 'object') return
    form.clear()
    closeDialog()
    say({ title: 'Order placed', lines: [placed.id] })
    go(`/orders/${placed.id}`)
  }
  return (
    <Form onSubmit={place}>
      <SelectField
        {...form.bind('method')}
        label="Collection method"
        options={Object.entries(methodNames)}
        onChange={(value) => form.set({ method: value, labTest: '', scenario: '' })}
      />
      <SelectField
        {...form.bind('user')}
        label="User"
        options={[
          ['', 'a new user'],
          ...users.map(
            ({ user_id, client_user_id, name }) =>
              [user_id, name ? `${name} (${client_user_id})` : client_user_id] as const,
          ),
        ]}
      />
      <SelectField
        {...form.bind('labTest')}
        label="Lab test"
        value={input.labTest}
        options={(tests ?? []).map(({ id, name }) => [id, name] as const)}
      />
      <SelectField
        {...form.bind('scenario')}
        label="Scenario"
        options={[['', 'as set for the user or this world'], ...optionsOf(own.map(({ name }) => name))]}
      />
      <TextField
        {...form.bind('patient')}
        label={isKit ? 'Patient; empty for a kit to be registered later' : 'Patient'}
        placeholder={isKit ? '' : 'Ada Example'}
      />
      {refusal.value && <p class="error">{refusal.value}</p>}
      <Submit
        disabled={input.labTest === ''}
        curl={curlArguments({ ...input, user: input.user || (users[0]?.user_id ?? 'USER_ID') })}
      >
        Place
      </Submit>
    </Form>
  )
}

/** Returns the order, or the reason why the service refuses it. */
async function placeOrder(input: OrderInput): Promise<Order | string> {
  const user = input.user || (await createUser())
  const person = isRegistrable(input) ? undefined : await personOf(user)
  const { path, body, headers } = orderCall({ ...input, user }, person)
  const response = await ask<{ order: Order }>('POST', path, { body, headers })
  return response.status < 300 ? response.body.order : detailOf(response.body)
}

const personOf = (user: string): Promise<UserTruth> => get(`/_petri/users/${user}/truth`)

async function createUser(): Promise<string> {
  const { counts } = await get<World>('/_petri/world')
  const client_user_id = `user-${(counts.users ?? 0) + 1}`
  return (await call<User>('POST', '/v2/user', { client_user_id })).user_id
}

/** Places an order that follows a scenario; everything else is made up. */
export async function placeForScenario({ method, name }: Scenario): Promise<Order> {
  const [test] = await get<Order['lab_test'][]>(testsPath(method))
  const placed = await placeOrder({ method, scenario: name, user: '', patient: '', labTest: test?.id ?? '' })
  if (typeof placed === 'string') throw new Error(placed)
  return placed
}
