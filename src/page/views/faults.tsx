import { Button, CopyCurl, Empty, Link, Panel, Table, Title } from '../components.tsx'
import { Form, SelectField, TextField, useForm } from '../forms.tsx'
import type { Fault } from '../responses.ts'
import { perform, useData, useFields } from '../store.ts'

const PATH = '/_petri/faults'

const presets = [
  ['503 twice', { times: 2, respond: { status: 503 } }],
  ['429 once', { times: 1, respond: { status: 429, headers: { 'retry-after': '1' } } }],
  ['slow', { latency: '2s' }],
  ['cut off', { times: 1, drop: 'truncate' }],
  ['no response', { times: 1, drop: 'reset' }],
] as const

export const disarmFaults = (): Promise<unknown> => perform('Disarming all faults', 'DELETE', PATH)

/** The armed faults, and how often each was applied. */
export function FaultsView() {
  const { body } = useData<{ faults: Fault[] }>(PATH)
  const faults = body?.faults ?? []
  return (
    <>
      <Title title="Faults" note="calls that fail, arrive late or break off" shows={PATH}>
        <Button disabled={faults.length === 0} onClick={disarmFaults}>
          Disarm all
        </Button>
      </Title>
      <NewFault />
      {body && faults.length === 0 && (
        <Empty line="npx petri-sandbox faults add 'GET /v3/order/{order_id}' --status 503 --times 2">
          No fault is armed. Every call gets its usual response.
        </Empty>
      )}
      {faults.length > 0 && (
        <Panel title="Armed">
          <Table
            label="Armed faults"
            columns={[
              ['Operation', 'mono break'],
              ['Effect'],
              ['How often'],
              ['Calls', 'num'],
              ['Hits', 'num'],
              ['', 'act'],
            ]}
            rows={faults}
            keyOf={({ id }) => id}
            cells={(fault) => [
              <>
                {fault.operation}{' '}
                {fault.order_id && <Link to={`/orders/${fault.order_id}`}>for one order</Link>}
              </>,
              effectOf(fault),
              frequencyOf(fault),
              fault.seen,
              fault.hits > 0 ? <Link to={`/requests?fault=${fault.id}`}>{fault.hits}</Link> : 0,
              <Button
                class="small"
                onClick={() => perform('Disarming the fault', 'DELETE', `${PATH}/${fault.id}`)}
              >
                Disarm
              </Button>,
            ]}
          />
        </Panel>
      )}
    </>
  )
}

const drops = { reset: 'no response', truncate: 'breaks off' }

function effectOf({ respond, latency, drop }: Fault): string {
  const late = latency && [...new Set([latency.min, latency.max])].join(' to ')
  return [respond && `responds ${respond.status}`, late && `${late} late`, drop && drops[drop]]
    .filter(Boolean)
    .join(', ')
}

const frequencyOf = ({ times, rate, after }: Fault): string =>
  [
    times === null ? 'always' : `${times} ×`,
    rate < 1 && `${Math.round(rate * 100)} %`,
    after > 0 && `after ${after}`,
  ]
    .filter(Boolean)
    .join(', ')

/** What each option of a fault does, as the API describes it. */
function FaultOptions() {
  const { faults } = useFields('PetriFaultsInput')
  const options = Object.entries(faults?.items?.properties ?? {})
  return (
    <dl class="options">
      {options.map(([name, { description }]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Arms a fault in addition to the others. */
function NewFault() {
  const form = useForm('fault', { operation: 'GET /v3/order/{order_id}', preset: '0' })
  const { operation, preset } = form.values
  const body = { faults: [{ operation, ...presets[Number(preset)]?.[1] }] }
  return (
    <Panel title="Arm a fault">
      <Form class="row" onSubmit={() => perform('Arming the fault', 'POST', PATH, body)}>
        <TextField label="Operation: a route or an id" required size={40} {...form.bind('operation')} />
        <SelectField
          label="Effect"
          options={presets.map(([name], at) => [String(at), name] as const)}
          {...form.bind('preset')}
        />
        <button type="submit" class="primary">
          Arm
        </button>
        <CopyCurl call={['POST', PATH, body]} />
      </Form>
      <FaultOptions />
    </Panel>
  )
}
