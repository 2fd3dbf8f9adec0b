import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { hasWords } from '../../kernel/words.ts'
import { checkSource, later, withQuery } from '../api.ts'
import {
  Button,
  Choice,
  CopyCurl,
  Empty,
  ListItem,
  Mono,
  optionsOf,
  Panel,
  Split,
  saveAs,
  Title,
  useTabTitle,
} from '../components.tsx'
import type { Editor } from '../editor.ts'
import { methodNames } from '../format.ts'
import { SearchBy, Select, useForm } from '../forms.tsx'
import { go, parameter, setQuery } from '../navigation.ts'
import type { ListPage, Scenario, ScenarioCheck, ScenarioInFull, ScenarioKind } from '../responses.ts'
import { changeWorld, perform, say, useData, world } from '../store.ts'
import { openPlaced, placeForScenario } from './place-order.tsx'
import { FeedSteps, LifecycleStrip, PlannedStatuses } from './planned-statuses.tsx'

const METHODS = [
  ['', 'all'],
  ...Object.entries(methodNames),
  ['feed', 'feeds'],
  ['persona', 'personas'],
] as const

const NO_SCENARIOS: readonly Scenario[] = []

/** The scenarios of all kinds, next to the chosen one. */
export function ScenariosView({ name }: { name: string | undefined }) {
  const { body: list } = useData<ListPage<Scenario>>(`${SCENARIOS}?statuses=true`)
  const q = parameter('q')
  const isFound = hasWords(q)
  const method = parameter('method')
  const isNew = parameter('new') !== ''
  const all = list?.data ?? NO_SCENARIOS
  const ofKind = (kind: ScenarioKind) => all.filter((each) => each.kind === kind)
  const shown = all.filter(
    (each) =>
      isFound(`${each.name} ${each.summary} ${each.zip ?? ''}`) &&
      (!method || method === (each.method ?? each.kind)),
  )
  // The folders of the user come first.
  const groups = [...new Set(shown.map((each) => each.group))].sort(
    (a, b) => Number(a === '') - Number(b === '') || a.localeCompare(b),
  )
  const first = shown.find((each) => each.group === groups[0])
  const chosen = name ?? first?.name
  const kind = method === 'feed' || method === 'persona' ? method : 'order'
  return (
    <>
      <Title
        title="Scenarios"
        note={`${ofKind('order').length} for orders, ${ofKind('feed').length} for connections, ${ofKind('persona').length} personas`}
        shows={SCENARIOS}
      >
        <SearchBy name="q" label="Search scenarios" placeholder="lost, critical, 00112…" />
        <WorldScenario names={ofKind('order').map((each) => each.name)} />
        <button type="button" class="primary" onClick={() => setQuery({ new: '1' })}>
          New scenario
        </button>
      </Title>
      <Choice
        label="Kind"
        options={METHODS}
        value={method}
        onChange={(value) => setQuery({ method: value })}
      />
      <Split
        label="Scenarios"
        back={(isNew || name) && withQuery('/scenarios', { q, method })}
        list={
          <>
            {groups.map((group) => (
              <section key={group} aria-label={group || 'others'}>
                {groups.length > 1 && <h2 class="group">{group || 'others'}</h2>}
                {shown
                  .filter((each) => each.group === group)
                  .map((each) => (
                    <ScenarioItem key={each.name} scenario={each} isChosen={each.name === chosen && !isNew} />
                  ))}
              </section>
            ))}
            {list && shown.length === 0 && <Empty>No scenario contains “{q}”.</Empty>}
          </>
        }
      >
        {isNew && <ScenarioDetail key={`new ${method}`} scenario={undefined} kind={kind} />}
        {!isNew && list && chosen && <LoadedScenario key={chosen} name={chosen} />}
      </Split>
    </>
  )
}

/** The default scenario of orders of this world. */
function WorldScenario({ names }: { names: readonly string[] }) {
  const follow = (scenario: string) => changeWorld('Choosing the scenario', { scenario })
  return (
    <span class="inline">
      Orders of this world follow{' '}
      <Select
        label="Scenario of the orders of this world"
        value={world.value?.scenario ?? ''}
        options={optionsOf(names)}
        onChange={follow}
      />
    </span>
  )
}

function ScenarioItem({ scenario, isChosen }: { scenario: Scenario; isChosen: boolean }) {
  const { name, summary, error, zip, uploaded, statuses } = scenario
  return (
    <ListItem
      to={withQuery(`/scenarios/${name}`, { q: parameter('q'), method: parameter('method') })}
      isChosen={isChosen}
      title={name}
      note={
        <>
          {error ?? summary}
          {scenario.kind === 'order' && statuses && <LifecycleStrip statuses={statuses} />}
        </>
      }
      end={
        <span class="end">
          {zip && <code>{zip}</code>}
          {uploaded && <small class="warn">uploaded</small>}
        </span>
      }
    />
  )
}

function LoadedScenario({ name }: { name: string }) {
  const { body, error } = useData<ScenarioInFull>(`${SCENARIOS}/${encodeURIComponent(name)}`, false)
  if (error) return <Empty>{error.message}</Empty>
  return body ? <ScenarioDetail scenario={body} kind={body.kind} /> : null
}

const examples: Readonly<Record<ScenarioKind, string>> = {
  order: `name: my-scenario
summary: "What happens, in a sentence."
method: testkit
steps:
  - { after: 4h, status: requisition_created, only: registered_kit }
  - { after: 1d, status: transit_customer }
  - { after: 2d, status: with_customer }
  - { await: registration, only: registrable_kit }
  - { after: 1h, status: requisition_created, only: registrable_kit }
  - { after: 2d, status: transit_lab }
  - { after: 2d, status: delivered_to_lab }
  - { after: 1d, status: completed }
`,
  feed: `name: my-feed
summary: "What happens to the data of a connection, in a sentence."
kind: feed
steps:
  - { after: 6h, gap: 8h, arrives: 12h }
  - { after: 2d, error: token_refresh_failed }
  - { after: 1d, reconnect: true }
`,
  persona: `name: my-persona
summary: "Who the user is, in a sentence."
kind: persona
age: 52
conditions:
  - { name: hypertension, since: 3y }
`,
}

const SCENARIOS = '/_petri/scenarios'

/** The time from the last key to the check. */
const CHECK_MS = 200

interface DetailProps {
  readonly scenario: ScenarioInFull | undefined
  /** The kind of a new one. */
  readonly kind: ScenarioKind
}

/** The source of a scenario, checked while it is typed, and what will happen. */
function ScenarioDetail({ scenario, kind: first }: DetailProps) {
  const form = useForm(`scenario.${scenario?.name ?? `new.${first}`}`, {
    source: scenario?.source ?? examples[first],
  })
  const { source } = form.values
  const check = useCheck(source)
  const kind = check?.kind ?? first
  const name = check?.name ?? scenario?.name ?? ''
  // A persona belongs to all worlds.
  const path = `${SCENARIOS}/${encodeURIComponent(name)}${kind === 'persona' ? '?all_worlds=true' : ''}`
  const keep = async () => {
    const kept = await perform('Saving the scenario', 'PUT', path, { source })
    if (kept !== undefined) form.clear()
    return kept
  }
  const save = async () => {
    if (!(await keep())) return
    go(`/scenarios/${name}`)
    say({ title: `${name} is saved` })
  }
  /** Places an order that follows what is shown, which is saved before. */
  const place = async (workflow: string) => {
    if (source !== scenario?.source && !(await keep())) return
    openPlaced(await placeForScenario(name, workflow === 'registrable_kit'), `It follows ${name}.`)
  }
  /** The check of the last valid text. */
  const lastValid = useRef<ScenarioCheck | undefined>(undefined)
  if (check?.valid) lastValid.current = check
  const shown = lastValid.current
  const issues = check?.refusals ?? []
  useTabTitle(`${name || 'New scenario'} · Scenarios`)
  return (
    <>
      <Panel
        title={<Mono>{name || 'new scenario'}.yaml</Mono>}
        aside={<Actions {...{ scenario, check, source, path }} onSave={save} />}
      >
        <SourceEditor
          source={source}
          issues={issues}
          kind={kind}
          onChange={(typed) => form.set({ source: typed })}
        />
        <Issues issues={issues} />
      </Panel>
      {shown?.kind === 'order' && (
        <PlannedStatuses statuses={shown.statuses} onPlace={check?.valid && place} />
      )}
      {shown?.kind === 'feed' && <FeedSteps steps={shown.steps} />}
    </>
  )
}

/** The result of checking a text, a moment after it was typed. */
function useCheck(source: string): ScenarioCheck | undefined {
  const check = useSignal<ScenarioCheck | undefined>(undefined)
  useEffect(
    () =>
      later(CHECK_MS, () => {
        void checkSource(source).then((checked) => {
          check.value = checked ?? check.value
        })
      }),
    [source],
  )
  return check.value
}

interface ActionsProps {
  readonly scenario: DetailProps['scenario']
  readonly check: ScenarioCheck | undefined
  readonly source: string
  /** The path it is saved at. */
  readonly path: string
  readonly onSave: () => unknown
}

const validNotes: Readonly<Record<ScenarioKind, string>> = {
  order: 'every way through is legal',
  feed: 'every step is legal',
  persona: 'valid',
}

const Actions = ({ scenario, check, source, path, onSave }: ActionsProps) => (
  <>
    {check?.valid && <span class="ok">✓ {validNotes[check.kind]}</span>}
    <Button class="small" onClick={() => saveAs(`${check?.name ?? 'scenario'}.yaml`, source)}>
      Download
    </Button>
    <CopyCurl call={['PUT', path, { source }]} />
    {scenario?.uploaded && (
      <Button
        class="small danger"
        onClick={() =>
          perform('Removing the scenario', 'DELETE', `${SCENARIOS}/${encodeURIComponent(scenario.name)}`)
        }
      >
        Remove
      </Button>
    )}
    <Button class="small primary" disabled={!check?.valid} onClick={onSave}>
      {check?.kind === 'persona' ? 'Save to all worlds' : 'Save to this world'}
    </Button>
  </>
)

const Issues = ({ issues }: { issues: ScenarioCheck['refusals'] }) =>
  issues.length === 0 ? null : (
    <ul class="issues" aria-label="Errors">
      {issues.map(({ line, step, message }) => (
        <li key={`${line}${message}`}>
          <b>line {line}</b>
          {step !== null && <> step {step}</>}: {message}
        </li>
      ))}
    </ul>
  )

interface EditorProps {
  readonly source: string
  readonly issues: ScenarioCheck['refusals']
  readonly kind: ScenarioKind
  readonly onChange: (source: string) => void
}

/** The editor is loaded when it is first shown; it is in a shadow root, where its styles conform to the content security policy. */
function SourceEditor({ source, issues, kind, onChange }: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | undefined>(undefined)
  const latest = useRef({ issues, kind })
  latest.current = { issues, kind }
  useEffect(() => {
    let isGone = false
    void import('../editor.ts').then(({ openEditor }) => {
      if (isGone || !host.current) return
      editor.current = openEditor(host.current, source, onChange)
      editor.current.mark(latest.current.issues, latest.current.kind)
    })
    return () => {
      isGone = true
      editor.current?.close()
    }
  }, [])
  useEffect(() => editor.current?.mark(issues, kind), [issues, kind])
  return <div ref={host} class="editor" />
}
