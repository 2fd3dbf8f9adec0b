import { useSignal } from '@preact/signals'
import type { Page, Scenario } from '../answers.ts'
import { asCurl, ask, call } from '../api.ts'
import { useData } from '../data.ts'
import { Dialog, Field, Select } from '../forms.tsx'
import { go } from '../route.ts'
import { attempt, say } from '../store.ts'
import { Copy } from '../ui.tsx'
import { detailOf, methodNames } from '../words.ts'

interface Input {
  readonly method: string
  readonly user: string
  readonly labTest: string
  readonly scenario: string
  readonly patient: string
}

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
export function PlaceOrder({ onClose }: { onClose: () => void }) {
  const input = useSignal<Input>({ method: 'testkit', user: '', labTest: '', scenario: '', patient: '' })
  const { method, user, labTest, scenario, patient } = input.value
  const set = (change: Partial<Input>) => {
    input.value = { ...input.value, ...change }
  }
  const { body: users } = useData<{ users: { user_id: string; client_user_id: string }[] }>(
    '/v2/user?limit=100',
    false,
  )
  const { body: tests } = useData<{ id: string; name: string }[]>(
    `/v3/lab_tests?collection_method=${method}`,
    false,
  )
  const { body: scenarios } = useData<Page<Scenario>>('/_petri/scenarios', false)
  const lab = labTest || tests?.[0]?.id || ''
  const { refusal, place } = usePlacing(() => ({ ...input.value, labTest: lab }))
  return (
    <Dialog title="Place an order" onClose={onClose}>
      <form onSubmit={place}>
        <Labelled
          label="How the sample is collected"
          value={method}
          options={Object.entries(methodNames)}
          onChange={(value) => set({ method: value, labTest: '', scenario: '' })}
        />
        <Labelled
          label="User"
          value={user}
          options={[
            ['', 'a new user'],
            ...(users?.users ?? []).map(({ user_id, client_user_id }) => [user_id, client_user_id] as const),
          ]}
          onChange={(value) => set({ user: value })}
        />
        <Labelled
          label="Lab test"
          value={lab}
          options={(tests ?? []).map(({ id, name }) => [id, name] as const)}
          onChange={(value) => set({ labTest: value })}
        />
        <Labelled
          label="Scenario"
          value={scenario}
          options={[
            ['', 'as the user or the world says'],
            ...(scenarios?.data ?? [])
              .filter((each) => each.method === method)
              .map(({ name }) => [name, name] as const),
          ]}
          onChange={(value) => set({ scenario: value })}
        />
        <Field label={method === 'testkit' ? 'Patient; empty for a kit to be registered later' : 'Patient'}>
          <input
            value={patient}
            placeholder={method === 'testkit' ? '' : 'Ada Example'}
            onInput={(event) => set({ patient: event.currentTarget.value })}
          />
        </Field>
        {refusal && <p class="error">{refusal}</p>}
        <div class="row">
          <button type="submit" class="primary" disabled={lab === ''}>
            Place
          </button>
          <Copy text={() => curlOf({ ...input.value, labTest: lab, user: user || 'USER_ID' })}>
            Copy as curl
          </Copy>
        </div>
      </form>
    </Dialog>
  )
}

/** Places the order, and goes there; keeps why the service refused it. */
function usePlacing(input: () => Input) {
  const refusal = useSignal('')
  const send = async () => {
    const placed = await attempt('Placing the order', () => placeFor(input()))
    if (placed === undefined) return
    if (typeof placed === 'string') {
      refusal.value = placed
      return
    }
    say({ title: 'The order is placed', lines: [placed.id] })
    go(`/orders/${placed.id}`)
  }
  const place = (event: Event) => {
    event.preventDefault()
    void send()
  }
  return { refusal: refusal.value, place }
}

const Labelled = (props: Parameters<typeof Select>[0]) => (
  <Field label={props.label}>
    <Select {...props} />
  </Field>
)

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
