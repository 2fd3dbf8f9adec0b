import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { checkSource, later } from '../api.ts'
import { Button, CopyCurl, Mono, Panel, saveAs, useTabTitle } from '../components.tsx'
import type { Editor } from '../editor.ts'
import { useForm } from '../forms.tsx'
import { go } from '../navigation.ts'
import type { ScenarioCheck, ScenarioInFull, ScenarioKind } from '../responses.ts'
import { perform, say } from '../store.ts'
import { openPlaced, placeForScenario } from './place-order.tsx'
import { FeedSteps, PlannedStatuses } from './planned-statuses.tsx'

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

export const SCENARIOS = '/_petri/scenarios'

/** The time from the last key to the check. */
const CHECK_MS = 200

interface DetailProps {
  readonly scenario: ScenarioInFull | undefined
  /** The kind of a new one. */
  readonly kind: ScenarioKind
}

/** The source of a scenario, checked while it is typed, and what will happen. */
export function ScenarioDetail({ scenario, kind: first }: DetailProps) {
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
