import { parseDuration } from '../../kernel/duration.ts'
import { parseJson } from '../../kernel/json.ts'
import { readableDuration } from '../../kernel/readable.ts'
import { call } from '../api.ts'
import {
  Button,
  Empty,
  Link,
  type Options,
  optionsOf,
  Panel,
  StatusTag,
  Table,
  Title,
} from '../components.tsx'
import { countOf } from '../format.ts'
import { Form, SelectField, Submit, SuggestField, TextField, useForm } from '../forms.tsx'
import { type ApiDocument, operationsOf } from '../openapi.ts'
import type { Fault } from '../responses.ts'
import { perform, useData, useFields } from '../store.ts'

const PATH = '/_petri/faults'

const NOTHING = {
  times: '',
  rate: '',
  after: '',
  status: '',
  detail: '',
  body: '',
  retryAfter: '',
  latency: '',
  latencyMax: '',
  drop: '',
}

/** Frequent faults, as the fields that differ from nothing. */
const presets: readonly (readonly [name: string, fields: Partial<typeof NOTHING>])[] = [
  ['503 twice', { times: '2', status: '503' }],
  ['429 once', { times: '1', status: '429', retryAfter: '1' }],
  ['slow', { latency: '2s' }],
  ['cut off', { times: '1', drop: 'truncate' }],
  ['no response', { times: '1', drop: 'reset' }],
]

export const disarmFaults = (): Promise<unknown> => perform('Disarming all faults', 'DELETE', PATH)

/** The faults of this world, and how often each was applied. */
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
          There are no faults. Every call gets its usual response.
        </Empty>
      )}
      {faults.length > 0 && (
        <Panel title="Faults of this world">
          <Table
            label="Faults of this world"
            columns={[
              ['Operation', 'wraps'],
              ['State'],
              ['Effect', 'wraps'],
              ['How often'],
              ['Calls', 'num'],
              ['Hits', 'num'],
              ['', 'act'],
            ]}
            rows={faults}
            keyOf={({ id }) => id}
            rowClass={(fault) => (isSpent(fault) ? 'spent' : '')}
            cells={(fault) => [
              <>
                <code>{fault.operation}</code>{' '}
                {fault.order_id && <Link to={`/orders/${fault.order_id}`}>for one order</Link>}
              </>,
              isSpent(fault) ? (
                <StatusTag status="spent" tone="cancelled" />
              ) : (
                <StatusTag status="armed" tone="attention" />
              ),
              effectOf(fault),
              frequencyOf(fault),
              fault.seen,
              fault.hits > 0 ? <Link to={`/requests?fault=${fault.id}`}>{fault.hits}</Link> : 0,
              <Button
                class="small"
                onClick={() => perform('Removing the fault', 'DELETE', `${PATH}/${fault.id}`)}
              >
                {isSpent(fault) ? 'Remove' : 'Disarm'}
              </Button>,
            ]}
          />
        </Panel>
      )}
    </>
  )
}

/** Whether a fault was applied as often as it may be. */
const isSpent = ({ times, hits }: Fault): boolean => times !== null && hits >= times

const drops = { reset: 'no response', truncate: 'breaks off' }

function effectOf({ respond, latency, drop }: Fault): string {
  const late = latency && [...new Set([latency.min, latency.max].map(inUnits))].join(' to ')
  return [respond && `responds ${respond.status}`, late && `${late} late`, drop && drops[drop]]
    .filter(Boolean)
    .join(', ')
}

const inUnits = (duration: string): string => readableDuration(parseDuration(duration) ?? 0)

function frequencyOf({ times, rate, after }: Fault): string {
  const often = [
    rate < 1 && `${Math.round(rate * 100)} % of calls`,
    times !== null && countOf(times, 'time'),
    after > 0 && `after ${countOf(after, 'call')}`,
  ].filter(Boolean)
  return often.join(', ') || 'always'
}

/** Each with what is meant when it is empty. */
const numberFields = [
  { name: 'times', label: 'Times', min: '1', step: '1', placeholder: 'always' },
  { name: 'rate', label: 'Rate', min: '0', step: 'any', placeholder: '1' },
  { name: 'after', label: 'After so many calls', min: '0', step: '1', placeholder: '0' },
  {
    name: 'status',
    label: 'Respond with status',
    min: '200',
    step: '1',
    placeholder: 'the usual response',
  },
] as const

/** Arms a fault in addition to the others. */
function NewFault() {
  const form = useForm('fault', { operation: 'GET /v3/order/{order_id}', ...NOTHING, ...presets[0]?.[1] })
  const fields = useFields('PetriFaultsInput').faults?.items?.properties ?? {}
  const body = { faults: [faultOf(form.values)] }
  return (
    <Panel
      title="Arm a fault"
      aside={presets.map(([name, values]) => (
        <Button key={name} class="small" onClick={() => form.set({ ...NOTHING, ...values })}>
          {name}
        </Button>
      ))}
    >
      <Form
        class="fault"
        errors={form.errors}
        onSubmit={() => form.run('Arming the fault', () => call('POST', PATH, body))}
      >
        <SuggestField
          label="Operation: a route or an id"
          note={fields.operation?.description}
          required
          options={useServiceOperations()}
          {...form.bind('operation')}
        />
        {numberFields.map(({ name, ...field }) => (
          <TextField
            key={name}
            type="number"
            note={fields[name === 'status' ? 'respond' : name]?.description}
            {...field}
            {...form.bind(name)}
          />
        ))}
        <TextField label="Detail of the response" {...form.bind('detail')} />
        <TextField
          label="Body of the response instead: JSON, or a text that is sent as it is"
          {...form.bind('body')}
        />
        <TextField label="Retry-After, in seconds" type="number" min="0" {...form.bind('retryAfter')} />
        <TextField
          label="Latency"
          note={fields.latency?.description}
          placeholder="200ms"
          {...form.bind('latency')}
        />
        <TextField label="Latency at most, if it varies" placeholder="2s" {...form.bind('latencyMax')} />
        <SelectField
          label="Drop"
          note={fields.drop?.description}
          options={[
            ['', 'nothing'],
            ...optionsOf(Object.keys(drops), (drop) => `${drop}: ${drops[drop as keyof typeof drops]}`),
          ]}
          {...form.bind('drop')}
        />
        <Submit curl={['POST', PATH, body]}>Arm</Submit>
      </Form>
    </Panel>
  )
}

/** The operations of the service, each with its summary. */
function useServiceOperations(): Options {
  const { body: document } = useData<ApiDocument>('/openapi.json', false)
  const all = document ? operationsOf(document) : []
  return all
    .filter(({ path }) => !path.startsWith('/_petri/'))
    .map(({ method, path, summary }) => [`${method} ${path}`, summary])
}

type FaultValues = Readonly<Record<'operation' | keyof typeof NOTHING, string>>

/** The fault as the API takes it; empty fields are left out. */
function faultOf(values: FaultValues) {
  const { operation, times, rate, after, status, detail, body, retryAfter, latency, latencyMax, drop } =
    values
  const fault = {
    operation,
    times: numberOrNone(times),
    rate: numberOrNone(rate),
    after: numberOrNone(after),
    respond:
      status === ''
        ? undefined
        : {
            status: Number(status),
            detail: detail || undefined,
            body: body === '' ? undefined : (parseJson(body) ?? body),
            headers: retryAfter === '' ? undefined : { 'retry-after': retryAfter },
          },
    latency: latency !== '' && latencyMax !== '' ? { min: latency, max: latencyMax } : latency || undefined,
    drop: drop || undefined,
  }
  // Without the fields that are undefined.
  return JSON.parse(JSON.stringify(fault)) as Partial<typeof fault>
}

const numberOrNone = (text: string): number | undefined => (text === '' ? undefined : Number(text))
