import { useSignal } from '@preact/signals'
import { asCurl, ask, call } from '../api.ts'
import { useData } from '../data.ts'
import { Dialog } from '../dialog.tsx'
import { Form, optionsOf, SelectField, TextField, useForm } from '../forms.tsx'
import type { Page, Scenario } from '../responses.ts'
import { go } from '../route.ts'
import { attempt } from '../store.ts'
import { say } from '../toast.ts'
import { Copy } from '../ui.tsx'
import { detailOf, methodNames } from '../words.ts'

type Input = Readonly<Record<'method' | 'user' | 'labTest' | 'scenario' | 'patient', string>>

interface Sent {
  readonly path: string
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
}

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

/** The call of the service that places such an order. A kit without a patient is registered later. */
function orderCall({ method, user, labTest, scenario, patient }: Input): Sent {
  const headers: Record<string, string> = scenario ? { 'x-petri-scenario': scenario } : {}
  const base = { user_id: user, ...(labTest && { lab_test_id: labTest }) }
  if (method === 'testkit' && patient === '') {
    return { path: '/v3/order/testkit', headers, body: { ...base, shipping_details: address } }
  }
  const [first_name = 'Ada', ...rest] = (patient || 'Ada Example').split(' ')
  const patient_details = {
    first_name,
    last_name: rest.join(' ') || 'Example',
    dob: '1984-05-17',
    gender: 'female',
    phone_number: '+14155550123',
    email: 'ada@example.com',
  }
  return { path: '/v3/order', headers, body: { ...base, patient_details, patient_address: address } }
}

/** Places an order through the service, as a program would. */
export const PlaceOrder = () => (
  <Dialog name="place" title="Place an order">
    <OrderForm />
  </Dialog>
)

function OrderForm() {
  const form = useForm<Input>('place', {
    method: 'testkit',
    user: '',
    labTest: '',
    scenario: '',
    patient: '',
  })
  const { method, labTest } = form.values
  const { body: users } = useData<{ users: { user_id: string; client_user_id: string }[] }>(
    '/v2/user?limit=100',
    false,
  )
  const { body: tests } = useData<{ id: string; name: string }[]>(
    `/v3/lab_tests?collection_method=${method}`,
    false,
  )
  const { body: scenarios } = useData<Page<Scenario>>('/_petri/scenarios', false)
  const input = { ...form.values, labTest: labTest || (tests?.[0]?.id ?? '') }
  const { refusal, place } = usePlacing(input, form.clear)
  const own = (scenarios?.data ?? []).filter((each) => each.method === method)
  return (
    <Form onSubmit={place}>
      <SelectField
        {...form.bind('method')}
        label="How the sample is collected"
        options={Object.entries(methodNames)}
        onChange={(value) => form.set({ method: value, labTest: '', scenario: '' })}
      />
      <SelectField
        {...form.bind('user')}
        label="User"
        options={[
          ['', 'a new user'],
          ...(users?.users ?? []).map(({ user_id, client_user_id }) => [user_id, client_user_id] as const),
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
        options={[['', 'as the user or the world says'], ...optionsOf(own.map(({ name }) => name))]}
      />
      <TextField
        {...form.bind('patient')}
        label={method === 'testkit' ? 'Patient; empty for a kit to be registered later' : 'Patient'}
        placeholder={method === 'testkit' ? '' : 'Ada Example'}
      />
      {refusal && <p class="error">{refusal}</p>}
      <div class="row">
        <button type="submit" class="primary" disabled={input.labTest === ''}>
          Place
        </button>
        <Copy text={() => curlOf({ ...input, user: input.user || (users?.users[0]?.user_id ?? 'USER_ID') })}>
          Copy as curl
        </Copy>
      </div>
    </Form>
  )
}

/** Places the order, and goes there; keeps why the service refused it. */
function usePlacing(input: Input, onPlaced: () => void) {
  const refusal = useSignal('')
  const place = async () => {
    const placed = await attempt('Placing the order', () => placeFor(input))
    if (placed === undefined) return
    if (typeof placed === 'string') {
      refusal.value = placed
      return
    }
    onPlaced()
    say({ title: 'The order is placed', lines: [placed.id] })
    go(`/orders/${placed.id}`)
  }
  return { refusal: refusal.value, place }
}

/** The line that orders a kit for a user. */
export const curlOfKit = (user: string, labTest: string): string =>
  curlOf({ method: 'testkit', user, labTest, scenario: '', patient: '' })

const curlOf = (input: Input) => {
  const { path, body, headers } = orderCall(input)
  return asCurl('POST', path, body, headers)
}

/** The order, or why the service refuses it. */
async function placeFor(input: Input): Promise<{ id: string } | string> {
  const user = input.user || (await newUser())
  const { path, body, headers } = orderCall({ ...input, user })
  const answer = await ask<{ order: { id: string } }>('POST', path, { body, headers })
  return answer.status < 300 ? answer.body.order : detailOf(answer.body)
}

async function newUser(): Promise<string> {
  const { counts } = await call<{ counts: Record<string, number> }>('GET', '/_petri/world')
  const client_user_id = `user-${(counts.users ?? 0) + 1}`
  return (await call<{ user_id: string }>('POST', '/v2/user', { client_user_id })).user_id
}

/** Places an order that follows a scenario, with all else made up; answers its id. */
export async function placeForScenario(method: string, scenario: string): Promise<string> {
  const tests = await call<{ id: string }[]>('GET', `/v3/lab_tests?collection_method=${method}`)
  const placed = await placeFor({ method, scenario, user: '', patient: '', labTest: tests[0]?.id ?? '' })
  if (typeof placed === 'string') throw new Error(placed)
  return placed.id
}
