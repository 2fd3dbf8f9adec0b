import { advance } from '../advance.ts'
import { Button, Link, optionsOf, Panel, StatusTag, Time } from '../components.tsx'
import { inWords, relativeTo } from '../format.ts'
import { Select } from '../forms.tsx'
import type { OrderLife, PlannedStatus } from '../responses.ts'
import { now, perform, useScenarios } from '../store.ts'

/** The past of the order, what its scenario plans, and why it left it. */
export function OrderScenarioPanel({ life }: { life: OrderLife }) {
  const { order, scenario, planned } = life
  const scenarios = useScenarios()
  const choices = scenarios.filter(({ method }) => method === order.details.type)
  const name = scenario.scenario ?? ''
  const names = new Set([name, ...choices.map((each) => each.name)])
  const follow = (chosen: string) =>
    perform('Choosing the scenario', 'PUT', `/_petri/orders/${order.id}/scenario`, { scenario: chosen })
  return (
    <Panel
      title="Scenario"
      aside={
        <Select
          label="Scenario of this order"
          value={name}
          options={optionsOf([...names], (each) => each || 'none')}
          onChange={follow}
        />
      }
    >
      <p class="summary">
        {scenarios.find((each) => each.name === name)?.summary}{' '}
        {name && <Link to={`/scenarios/${name}`}>Open scenario</Link>}
      </p>
      {scenario.left_because && (
        <p class="note">
          The order left it: {scenario.left_because}.
          {scenario.dropped.length > 0 && ` Dropped: ${scenario.dropped.map(inWords).join(', ')}.`}
        </p>
      )}
      <ol class="statuses">
        {order.events.map(({ id, created_at, status, status_detail }) => (
          <li key={id} class="was">
            <Time at={created_at} />
            <StatusTag status={status} />
            {status_detail && <small>{inWords(status_detail)}</small>}
          </li>
        ))}
        {planned.map((each, at) => (
          <PlannedItem key={`${at}${each.status}`} planned={each} />
        ))}
      </ol>
    </Panel>
  )
}

function PlannedItem({ planned: { due, waits_for, status, status_detail } }: { planned: PlannedStatus }) {
  return (
    <li class="plan">
      {due ? <Time at={due} /> : <time>—</time>}
      <StatusTag status={status} />
      {status_detail && <small>{inWords(status_detail)}</small>}
      {waits_for && <small class="wait">waits for {waits_for}</small>}
      {due && <small class="dim">{relativeTo(due, now.value)}</small>}
      {due && (
        <Button class="small" onClick={() => advance({ to: due })}>
          Advance to here
        </Button>
      )}
    </li>
  )
}
