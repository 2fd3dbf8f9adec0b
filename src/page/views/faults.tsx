import { asCurl, call } from '../api.ts'
import { useData } from '../data.ts'
import { Form, SelectField, TextField, useForm } from '../forms.tsx'
import type { Fault } from '../responses.ts'
import { attempt } from '../store.ts'
import { Copy, Empty, Link, Panel, Rows, Title } from '../ui.tsx'

const presets = [
  ['503 twice', { times: 2, respond: { status: 503 } }],
  ['429 once', { times: 1, respond: { status: 429, headers: { 'retry-after': '1' } } }],
  ['slow', { latency: '2s' }],
  ['cut off', { times: 1, drop: 'truncate' }],
  ['no answer', { times: 1, drop: 'reset' }],
] as const

/** What is made to go wrong, and how often it has. */
export function FaultsView() {
  const { body } = useData<{ faults: Fault[] }>('/_petri/faults')
  const faults = body?.faults ?? []
  return (
    <>
      <Title
        title="Faults"
        note="calls of the service that fail, come late or break off"
        shows="/_petri/faults"
      >
        <button
          type="button"
          disabled={faults.length === 0}
          onClick={() => void attempt('Disarming all faults', () => call('DELETE', '/_petri/faults'))}
        >
          Disarm all
        </button>
      </Title>
      <NewFault />
      {body && faults.length === 0 && (
        <Empty line="petri faults add 'GET /v3/order/{order_id}' --status 503 --times 2">
          No fault is armed: every call is answered as it should be.
        </Empty>
      )}
      {faults.length > 0 && (
        <Panel title="Armed">
          <Rows
            label="Armed faults"
            heads={['Operation', 'What happens', 'How often', 'Calls', 'Hits', '']}
            numbers={['Calls', 'Hits']}
          >
            {faults.map((fault) => (
              <FaultRow key={fault.id} fault={fault} />
            ))}
          </Rows>
        </Panel>
      )}
    </>
  )
}

function FaultRow({ fault }: { fault: Fault }) {
  const { respond, latency, drop, times, rate, after } = fault
  const does = [
    respond && `answers ${respond.status}`,
    latency &&
      (latency.min === latency.max ? `${latency.min} late` : `${latency.min} to ${latency.max} late`),
    drop === 'reset' && 'no answer',
    drop === 'truncate' && 'breaks off',
  ].filter(Boolean)
  const often = [
    times === null ? 'always' : `${times} ×`,
    rate < 1 && `${Math.round(rate * 100)} %`,
    after > 0 && `after ${after}`,
  ].filter(Boolean)
  return (
    <tr>
      <td class="mono break">
        {fault.operation} {fault.order_id && <Link to={`/orders/${fault.order_id}`}>for one order</Link>}
      </td>
      <td>{does.join(', ')}</td>
      <td>{often.join(', ')}</td>
      <td class="num">{fault.seen}</td>
      <td class="num">{fault.hits > 0 ? <Link to={`/requests?fault=${fault.id}`}>{fault.hits}</Link> : 0}</td>
      <td class="act">
        <button
          type="button"
          class="small"
          onClick={() =>
            void attempt('Disarming the fault', () => call('DELETE', `/_petri/faults/${fault.id}`))
          }
        >
          Disarm
        </button>
      </td>
    </tr>
  )
}

/** Arms one beside those that are armed. */
function NewFault() {
  const form = useForm('fault', { operation: 'GET /v3/order/{order_id}', what: '0' })
  const { operation, what } = form.values
  const fault = () => ({ faults: [{ operation, ...presets[Number(what)]?.[1] }] })
  const arm = () => attempt('Arming the fault', () => call('POST', '/_petri/faults', fault()))
  return (
    <Panel title="Arm a fault">
      <Form class="row" onSubmit={arm}>
        <TextField label="Operation: a route or an id" required size={40} {...form.bind('operation')} />
        <SelectField
          label="What happens"
          options={presets.map(([name], at) => [String(at), name] as const)}
          {...form.bind('what')}
        />
        <button type="submit" class="primary">
          Arm
        </button>
        <Copy text={() => asCurl('POST', '/_petri/faults', fault())}>Copy as curl</Copy>
      </Form>
    </Panel>
  )
}
