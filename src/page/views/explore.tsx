import { useSignal } from '@preact/signals'
import { compact } from '../../kernel/list.ts'
import {
  Button,
  Code,
  CopyLine,
  Dim,
  Empty,
  Panel,
  Scroll,
  StatusTag,
  saveAs,
  Table,
  Title,
} from '../components.tsx'
import { countOf, inWords, numberOf } from '../format.ts'
import { Check, Form, SelectField, Submit, TextField, useForm } from '../forms.tsx'
import type { Exploration, ExploreFinding, Replayed } from '../responses.ts'
import { perform, say, useData, useLifecycle } from '../store.ts'
import { ExploreMap, edgesOf } from './explore-map.tsx'

const PATH = '/_petri/explore'

/** Parts of histories. */
const parts = [
  ['orders', 'every edge of the lifecycles'],
  ['times', 'unusual times'],
  ['users', 'several users and orders'],
  ['cancellations', 'cancelled by the customer'],
  ['feeds', 'connections and their data'],
  ['deliveries', 'duplicates, reordered, late'],
  ['redeliveries', 'sent again days later'],
  ['outages', 'the receiver is down'],
  ['bodies', 'JSON spelled otherwise'],
  ['faults', 'calls that fail'],
  ['futures', 'unknown fields and values'],
  ['unmatched', 'results without an order'],
] as const

/** Searches legal histories for one that breaks a running program. */
export function ExploreView() {
  const { body } = useData<{ data: Exploration[] }>(PATH)
  const latest = body?.data.at(-1)
  const isRunning = latest?.state === 'running'
  return (
    <>
      <Title title="Explore" note="legal histories that break your program" shows={PATH}>
        {isRunning && (
          <Button onClick={() => perform('Stopping', 'DELETE', `${PATH}/${latest.id}`)}>Stop</Button>
        )}
      </Title>
      <NewExploration isRunning={isRunning} />
      {body && !latest && (
        <Empty line="npx petri-sandbox explore --webhook http://127.0.0.1:3000/webhooks">
          No exploration yet. Each history plays in a separate world, so this one does not change.
        </Empty>
      )}
      {latest && <Progress exploration={latest} />}
      {latest?.findings.map((finding) => (
        <Finding key={finding.name} finding={finding} exploration={latest} />
      ))}
      {latest && latest.runs > 0 && <Coverage exploration={latest} />}
    </>
  )
}

function NewExploration({ isRunning }: { isRunning: boolean }) {
  const form = useForm('explore', { webhook: '', check: '', at: 'status', runs: '100', without: '' })
  const { webhook, check, at, runs, without } = form.values
  const left = without.split(' ').filter(Boolean)
  const body = {
    webhook,
    runs: Number(runs),
    check: check || undefined,
    at: (check && at) || undefined,
    without: left.length > 0 ? left : undefined,
  }
  const choose = (part: string, isChosen: boolean) =>
    form.set({ without: compact([...left.filter((one) => one !== part), !isChosen && part]).join(' ') })
  return (
    <Panel title="Search for what breaks your program">
      <Form class="explore" onSubmit={() => perform('Exploring', 'POST', PATH, body)}>
        <TextField
          label="Webhook URL of your program"
          type="url"
          required
          placeholder="http://127.0.0.1:3000/webhooks"
          {...form.bind('webhook')}
        />
        <TextField
          label="URL where it shows an order"
          note="As JSON; without it, only refused webhooks are found."
          placeholder="http://127.0.0.1:3000/orders/{order_id}"
          {...form.bind('check')}
        />
        <TextField label="Where its status is" placeholder="order.status" {...form.bind('at')} />
        <TextField label="Histories" type="number" min="1" {...form.bind('runs')} />
        <fieldset class="parts">
          <legend>They consist of</legend>
          {parts.map(([part, what]) => (
            <Check key={part} checked={!left.includes(part)} onChange={(isChosen) => choose(part, isChosen)}>
              {part} <small class="dim">{what}</small>
            </Check>
          ))}
        </fieldset>
        <Submit disabled={isRunning} curl={['POST', PATH, body]}>
          Explore
        </Submit>
      </Form>
    </Panel>
  )
}

const tones = { running: 'attention', done: 'completed', stopped: 'cancelled', failed: 'failed' } as const

function Progress({ exploration }: { exploration: Exploration }) {
  const { state, detail, runs, of, plays, per_second, findings, webhook, api_key } = exploration
  return (
    <Panel
      title={`Histories on ${webhook}`}
      aside={<progress value={runs} max={of} aria-label="Histories played" />}
    >
      <p data-state={state}>
        <StatusTag
          {...(findings.length > 0
            ? { status: countOf(findings.length, 'finding'), tone: 'failed' }
            : { status: state, tone: tones[state] })}
        />{' '}
        {state === 'failed'
          ? detail
          : `${numberOf(runs)} of ${numberOf(of)} histories, ${per_second} a second`}
        {plays > runs && <Dim> ({numberOf(plays)} played to make findings smaller)</Dim>}
      </p>
      {state === 'done' && detail !== null && <p class="dim">{detail}</p>}
      {state === 'running' && (
        <>
          <p class="dim">
            Webhooks are signed with the secret of this world. If your program calls the service, start it
            with this key:
          </p>
          <CopyLine text={api_key} />
        </>
      )}
    </Panel>
  )
}

/** The story of a finding, next to the webhooks that the program got. */
function Finding({ finding, exploration }: { finding: ExploreFinding; exploration: Exploration }) {
  const { name, problem, story, webhooks, scenario, test, again } = finding
  const { webhook, check, at, map } = exploration
  const replay = async () => {
    const body = { webhook, check, at, map, scenario }
    const played = await perform<Replayed>('Replaying', 'POST', `${PATH}/replay`, body)
    if (played?.finding) say({ title: `${name} still fails`, lines: [played.finding.problem], isError: true })
    else if (played) say({ title: `${name} passes now` })
  }
  return (
    <Panel
      title={name}
      aside={
        <>
          <Button class="small" onClick={replay}>
            Replay
          </Button>
          <Button class="small" onClick={() => saveAs(`${name}.test.js`, test)}>
            Download the test
          </Button>
          <Button class="small" onClick={() => saveAs(`${name}.yaml`, scenario)}>
            Download the scenario
          </Button>
        </>
      }
    >
      <div class="finding" data-finding={name}>
        <div>
          <p class="problem">{problem}</p>
          {again > 0 && (
            <p class="dim">{countOf(again, 'more history', 'more histories')} went wrong like this</p>
          )}
          <pre class="story">{story.slice(0, -1).join('\n')}</pre>
        </div>
        <Table
          label={`Webhooks of ${name}`}
          columns={[['After', 'num'], ['Webhook', 'wraps'], ['Status'], ['Answer', 'num']]}
          rows={webhooks.map((webhook, at) => ({ ...webhook, at }))}
          keyOf={({ at }) => String(at)}
          cells={({ after, event_type, status, marks, answer }) => [
            after,
            <>
              {event_type}{' '}
              {marks.map((mark) => (
                <StatusTag key={mark} status={mark} tone="attention" />
              ))}
            </>,
            inWords(status),
            <Code status={answer} />,
          ]}
        />
      </div>
    </Panel>
  )
}

/** The edges that histories have come along, on the map of a lifecycle. */
function Coverage({ exploration }: { exploration: Exploration }) {
  const lifecycle = useLifecycle()
  const chosen = useSignal('registered_kit')
  const { edges, events, pairs } = exploration.coverage
  const workflow = lifecycle?.workflows.find(({ name }) => name === chosen.value)
  if (!workflow) return null
  const own = edgesOf(workflow, edges.met)
  return (
    <Panel
      title="Covered"
      note={`${countOf(Object.keys(events).length, 'event type')}, ${countOf(Object.keys(pairs).length, 'pair')} of anomaly and event`}
      aside={
        <>
          <b>{edges.covered}</b> <Dim>of {edges.of} edges of all lifecycles</Dim>
          <progress value={edges.covered} max={edges.of} aria-label="Edges covered" />
        </>
      }
    >
      <SelectField
        label="Lifecycle"
        value={chosen.value}
        options={lifecycle?.workflows.map(({ name }) => [name, inWords(name)] as const) ?? []}
        note={`${own.filter(({ isCovered }) => isCovered).length} of ${own.length} edges`}
        onChange={(name) => {
          chosen.value = name
        }}
      />
      <Scroll label="Map of the lifecycle">
        <ExploreMap workflow={workflow} met={edges.met} />
      </Scroll>
    </Panel>
  )
}
