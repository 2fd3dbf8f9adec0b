import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ScenarioCheck, ScenarioInFull } from '../answers.ts'
import { ask, call, later } from '../api.ts'
import { useData } from '../data.ts'
import { openDialog } from '../dialog.tsx'
import type { Editor } from '../editor.ts'
import { Choice, useForm } from '../forms.tsx'
import { JsonBlock } from '../json.tsx'
import { go } from '../route.ts'
import { attempt } from '../store.ts'
import { say } from '../toast.ts'
import { Empty, Panel } from '../ui.tsx'
import { inWords, spanOf } from '../words.ts'
import { saveAs } from './order-parts.tsx'
import { PlaceOrder } from './place-order.tsx'
import { Timeline } from './timeline.tsx'

const EXAMPLE = `name: my-scenario
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
`

/** How long after the last key a text is checked. */
const CHECK_MS = 200

/** The source of a scenario, checked as it is typed, and what would happen. */
export function ScenarioDetail({ scenario }: { scenario: ScenarioInFull | undefined }) {
  const form = useForm(`scenario.${scenario?.name ?? 'new'}`, { source: scenario?.source ?? EXAMPLE })
  const check = useSignal<ScenarioCheck | undefined>(undefined)
  const { source } = form.values
  useEffect(
    () =>
      later(CHECK_MS, () => {
        void ask<ScenarioCheck>('POST', '/_petri/scenarios/check', { body: { source } }).then(
          ({ status, body }) => {
            if (status === 200) check.value = body
          },
        )
      }),
    [source],
  )
  const save = async () => {
    const name = check.value?.name ?? ''
    const kept = await attempt('Saving', () =>
      call('PUT', `/_petri/scenarios/${encodeURIComponent(name)}`, { source }),
    )
    if (kept === undefined) return
    form.clear()
    say({ title: `${name} is kept in this world` })
    go(`/scenarios/${name}`)
  }
  const issues = check.value?.refusals ?? []
  return (
    <>
      <Panel
        title={<span class="mono">{check.value?.name ?? scenario?.name ?? 'new scenario'}.yaml</span>}
        aside={<Actions scenario={scenario} check={check.value} source={source} onSave={() => void save()} />}
      >
        <SourceEditor source={source} issues={issues} onChange={(typed) => form.set({ source: typed })} />
        <Issues issues={issues} />
      </Panel>
      {check.value?.valid && <WhatHappens trails={check.value.trails} onTry={() => openDialog('place')} />}
      <PlaceOrder />
    </>
  )
}

interface ActionsProps {
  readonly scenario: ScenarioInFull | undefined
  readonly check: ScenarioCheck | undefined
  readonly source: string
  readonly onSave: () => void
}

const Actions = ({ scenario, check, source, onSave }: ActionsProps) => (
  <>
    {check?.valid && <span class="ok">✓ every way through is legal</span>}
    <button
      type="button"
      class="small"
      onClick={() => saveAs(`${check?.name ?? 'scenario'}.yaml`, new Blob([source]))}
    >
      Download
    </button>
    {scenario?.uploaded && (
      <button
        type="button"
        class="small danger"
        onClick={() => void attempt('Removing', () => call('DELETE', `/_petri/scenarios/${scenario.name}`))}
      >
        Remove
      </button>
    )}
    <button type="button" class="small primary" disabled={!check?.valid} onClick={onSave}>
      Save to this world
    </button>
  </>
)

const Issues = ({ issues }: { issues: ScenarioCheck['refusals'] }) =>
  issues.length === 0 ? null : (
    <ul class="issues" aria-label="What is wrong">
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
  readonly onChange: (source: string) => void
}

/** The editor is loaded when it is first shown; it lives in a shadow root, where its styles keep to the policy. */
function SourceEditor({ source, issues, onChange }: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | undefined>(undefined)
  useEffect(() => {
    let isGone = false
    void import('../editor.ts').then(({ openEditor }) => {
      if (!isGone && host.current) editor.current = openEditor(host.current, source, onChange)
    })
    return () => {
      isGone = true
      editor.current?.close()
    }
  }, [])
  useEffect(() => editor.current?.mark(issues), [issues])
  return <div ref={host} class="editor" />
}

function WhatHappens({ trails, onTry }: { trails: ScenarioCheck['trails']; onTry: () => void }) {
  const roads = Object.keys(trails)
  const chosen = useSignal(roads[0] ?? '')
  const road = trails[chosen.value] ? chosen.value : (roads[0] ?? '')
  const trail = trails[road] ?? []
  return (
    <Panel
      title="What will happen"
      aside={
        <>
          {roads.length > 1 && (
            <Choice
              label="Workflow"
              options={roads.map((each) => [each, inWords(each)] as const)}
              chosen={road}
              onChoose={(value) => {
                chosen.value = value
              }}
            />
          )}
          <button type="button" class="small" onClick={onTry}>
            Place an order
          </button>
        </>
      }
    >
      <Timeline trail={trail} />
      <ol class="trail">
        {trail.map(({ status, after_ms, status_detail }, at) => (
          <li key={at} data-status={status} data-after={after_ms}>
            <span class="after">
              {after_ms === null
                ? 'when the customer acts'
                : after_ms === 0
                  ? 'at once'
                  : `after ${spanOf(after_ms)}`}
            </span>{' '}
            <b>{inWords(status)}</b>
            {status_detail && <small>{inWords(status_detail)}</small>}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

interface FeedInFull {
  readonly name: string
  readonly summary: string
  readonly steps: readonly { readonly at_ms: number; readonly does: string }[]
  readonly source: string
}

/** A scenario of connections: what it does and when. */
export function FeedDetail({ name }: { name: string }) {
  const { body: feed, error } = useData<FeedInFull>(`/_petri/feeds/${encodeURIComponent(name)}`, false)
  if (error) return <Empty>{error.message}</Empty>
  if (!feed) return null
  return (
    <Panel
      title={<span class="mono">{feed.name}</span>}
      aside={
        <button
          type="button"
          class="small"
          onClick={() => saveAs(`${feed.name}.yaml`, new Blob([feed.source]))}
        >
          Download
        </button>
      }
    >
      <p>{feed.summary}</p>
      <ol class="trail">
        {feed.steps.map(({ at_ms, does }) => (
          <li key={`${at_ms}${does}`}>
            <span class="after">{at_ms === 0 ? 'at once' : `after ${spanOf(at_ms)}`}</span> {does}
          </li>
        ))}
      </ol>
      <JsonBlock value={feed.source} label="Source" />
    </Panel>
  )
}
