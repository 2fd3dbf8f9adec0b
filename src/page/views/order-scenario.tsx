import { advance } from '../advance.ts'
import { call } from '../api.ts'
import { useData } from '../data.ts'
import { optionsOf, Select } from '../forms.tsx'
import type { OrderLife, Page, PlannedStatus, Scenario } from '../responses.ts'
import { attempt, now } from '../store.ts'
import { Link, Panel, StatusTag } from '../ui.tsx'
import { inWords, relativeTo, stampOf } from '../words.ts'
import { book } from './appointment.tsx'

/** What has happened to the order, what its scenario brings yet, and why it left it. */
export function OrderScenarioPanel({ life }: { life: OrderLife }) {
  const { order, scenario, planned } = life
  const { body: list } = useData<Page<Scenario>>('/_petri/scenarios', false)
  const choices = (list?.data ?? [])
    .filter((each) => each.method === order.details.type)
    .map(({ name }) => name)
  const name = scenario.scenario ?? ''
  const follow = (chosen: string) =>
    attempt('Choosing the scenario', () =>
      call('PUT', `/_petri/orders/${order.id}/scenario`, { scenario: chosen }),
    )
  return (
    <Panel
      title="Scenario"
      aside={
        <Select
          label="Scenario of this order"
          value={name}
          options={optionsOf([...new Set([name, ...choices])], (each) => each || 'none')}
          onChange={(chosen) => void follow(chosen)}
        />
      }
    >
      <p class="summary">
        {list?.data.find((each) => each.name === name)?.summary}{' '}
        {name && <Link to={`/scenarios/${name}`}>Open scenario</Link>}
      </p>
      {scenario.left_because && (
        <p class="note">
          The order left it: {scenario.left_because}.
          {scenario.dropped.length > 0 && ` Dropped: ${scenario.dropped.map(inWords).join(', ')}.`}
        </p>
      )}
      <ol class="trail">
        {order.events.map(({ id, created_at, status, status_detail }) => (
          <li key={id} class="was">
            <time dateTime={created_at}>{stampOf(created_at)}</time>
            <StatusTag status={status} />
            {status_detail && <small>{inWords(status_detail)}</small>}
          </li>
        ))}
        {planned.map((plan, at) => (
          <Planned key={`${at}${plan.status}`} plan={plan} life={life} isFirst={at === 0} />
        ))}
      </ol>
    </Panel>
  )
}

function Planned({ plan, life, isFirst }: { plan: PlannedStatus; life: OrderLife; isFirst: boolean }) {
  const { due, waits_for, status, status_detail } = plan
  return (
    <li class="plan">
      {due ? <time dateTime={due}>{stampOf(due)}</time> : <time>—</time>}
      <StatusTag status={status} />
      {status_detail && <small>{inWords(status_detail)}</small>}
      {waits_for && <small class="wait">waits for {waits_for}</small>}
      {due && <small class="dim">{relativeTo(due, now.value)}</small>}
      {due && (
        <button type="button" class="small" onClick={() => void advance({ to: due })}>
          Advance to here
        </button>
      )}
      {waits_for === 'registration' && isFirst && (
        <button type="button" class="small" onClick={() => void register(life)}>
          Register it
        </button>
      )}
      {waits_for === 'appointment' && isFirst && (
        <button type="button" class="small" onClick={() => void book(life)}>
          Book it
        </button>
      )}
    </li>
  )
}

/** Registers the kit through the service, for a made-up patient. */
function register({ order }: OrderLife) {
  const { sample_id, user_id, shipping_details: shipping } = order
  const [first_name = 'Ada', ...rest] = (shipping?.receiver_name ?? 'Ada Example').split(' ')
  return attempt('Registering the kit', () =>
    call('POST', '/v3/order/testkit/register', {
      sample_id,
      user_id,
      patient_details: {
        first_name,
        last_name: rest.join(' ') || 'Example',
        dob: '1984-05-17',
        gender: 'female',
        phone_number: shipping?.phone_number ?? '+14155550123',
        email: 'ada@example.com',
      },
      patient_address: { ...shipping },
    }),
  )
}
