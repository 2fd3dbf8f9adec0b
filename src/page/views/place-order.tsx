import { headerNames } from '../../kernel/headers.ts'
import { ask, CallError, call, get } from '../api.ts'
import { optionsOf } from '../components.tsx'
import { methodNames } from '../format.ts'
import { Dialog, Form, SelectField, Submit, TextField, useForm } from '../forms.tsx'
import { go } from '../navigation.ts'
import type { Order, User, UserSummary, UserTruth, World } from '../responses.ts'
import { perform, say, useData, useList, useScenarios, world } from '../store.ts'

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
  const headers: Record<string, string> = scenario ? { [headerNames.scenario]: scenario } : {}
  const base = { user_id: user, lab_test_id: labTest || undefined }
  if (isRegistrable(input))
    return { path: '/v3/order/testkit', headers, body: { ...base, shipping_details: address } }
  const patient_details = patientNamed(patient || PATIENT, person)
  return { path: '/v3/order', headers, body: { ...base, patient_details, patient_address: address } }
}

/** Of an order unless another one is typed. */
const PATIENT = 'Ada Example'

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
    patient: PATIENT,
  })
  const { method, labTest, scenario } = form.values
  const users = useList<UserSummary>('/_petri/users?limit=100', false)
  const { body: tests } = useData<Order['lab_test'][]>(`/v3/lab_tests?collection_method=${method}`, false)
  const scenarios = useScenarios()
  const input = { ...form.values, labTest: labTest || (tests?.[0]?.id ?? '') }
  const own = scenarios.filter((each) => each.method === method)
  const isKit = method === 'testkit'
  const order = orderCall({ ...input, user: input.user || (users[0]?.user_id ?? 'USER_ID') })
  const place = async () => {
    const placed = await form.run('Placing the order', () => placeOrder(input))
    if (placed) form.clear()
    openPlaced(placed)
  }
  return (
    <Form errors={form.errors} onSubmit={place}>
      <TextField
        {...form.bind('patient')}
        label={isKit ? 'Patient; empty for a kit to be registered later' : 'Patient'}
        placeholder={isKit ? '' : PATIENT}
      />
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
        note={own.find(({ name }) => name === (scenario || world.value?.scenario))?.summary}
        options={[
          ['', `the default of the user, else of this world: ${world.value?.scenario}`],
          ...optionsOf(own.map(({ name }) => name)),
        ]}
      />
      <Submit disabled={input.labTest === ''} curl={['POST', order.path, order.body, order.headers]}>
        Place
      </Submit>
    </Form>
  )
}

/** Opens an order that was placed, if it was, and says something about it; by default its id. */
export function openPlaced(placed: Order | undefined, line = placed?.id ?? ''): void {
  if (!placed) return
  go(`/orders/${placed.id}`)
  say({ title: 'Order placed', lines: [line] })
}

/** Throws a CallError with the service's reason if it refuses the order. */
async function placeOrder(input: OrderInput): Promise<Order> {
  const user = input.user || (await createUser())
  const person = isRegistrable(input) ? undefined : await get<UserTruth>(`/_petri/users/${user}/truth`)
  const { path, body, headers } = orderCall({ ...input, user }, person)
  const response = await ask<{ order: Order }>('POST', path, { body, headers })
  if (response.status >= 300) throw new CallError(response.status, response.body)
  return response.body.order
}

async function createUser(): Promise<string> {
  const { counts } = await get<World>('/_petri/world')
  const client_user_id = `user-${(counts.users ?? 0) + 1}`
  return (await call<User>('POST', '/v2/user', { client_user_id })).user_id
}

/** Places an order that follows a scenario, by default that of the world; everything else is made up. */
export const placeForScenario = (scenario?: string, registrable?: boolean): Promise<Order | undefined> =>
  perform('Placing the order', 'POST', '/_petri/orders', { scenario, registrable: registrable || undefined })
