import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { asCurl, ask, call, later } from '../api.ts'
import { openDialog } from '../dialog.tsx'
import type { Editor } from '../editor.ts'
import { useForm } from '../forms.tsx'
import type { FeedInFull, ScenarioCheck, ScenarioInFull, ScenarioKind } from '../responses.ts'
import { go } from '../route.ts'
import { attempt } from '../store.ts'
import { say } from '../toast.ts'
import { Copy, Panel } from '../ui.tsx'
import { saveAs } from './order-parts.tsx'
import { PlaceOrder } from './place-order.tsx'
import { FeedSteps, WhatHappens } from './what-happens.tsx'

const examples: Readonly<Record<ScenarioKind, string>> = {
  orders: `name: my-scenario
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
  feeds: `name: my-feed
summary: "What happens to the data of a connection, in a sentence."
kind: feed
steps:
  - { after: 6h, gap: 8h, arrives: 12h }
  - { after: 2d, error: token_refresh_failed }
  - { after: 1d, reconnect: true }
`,
}

/** A scenario of connections says so itself. */
const kindOf = (source: string): ScenarioKind =>
  /^["']?kind["']?:\s*["']?feed\b/m.test(source) ? 'feeds' : 'orders'

const paths: Readonly<Record<ScenarioKind, string>> = { orders: '/_petri/scenarios', feeds: '/_petri/feeds' }

/** How long after the last key a text is checked. */
const CHECK_MS = 200

interface DetailProps {
  readonly scenario: ScenarioInFull | FeedInFull | undefined
  /** What a new one is about. */
  readonly kind: ScenarioKind
}

/** The source of a scenario, checked as it is typed, and what would happen. */
export function ScenarioDetail({ scenario, kind: first }: DetailProps) {
  const form = useForm(`scenario.${scenario?.name ?? `new.${first}`}`, {
    source: scenario?.source ?? examples[first],
  })
  const { source } = form.values
  const kind = kindOf(source)
  const check = useCheck(source, `${paths[kind]}/check`)
  const name = check?.name ?? scenario?.name ?? ''
  const path = `${paths[kind]}/${encodeURIComponent(name)}`
  const save = async () => {
    const kept = await attempt('Saving the scenario', () => call('PUT', path, { source }))
    if (kept === undefined) return
    form.clear()
    say({ title: `${name} is saved in this world` })
    go(`/scenarios/${name}`)
  }
  const issues = check?.refusals ?? []
  return (
    <>
      <Panel
        title={<span class="mono">{check?.name ?? scenario?.name ?? 'new scenario'}.yaml</span>}
        aside={<Actions {...{ scenario, check, source, path, kind }} onSave={() => void save()} />}
      >
        <SourceEditor
          source={source}
          issues={issues}
          kind={kind}
          onChange={(typed) => form.set({ source: typed })}
        />
        <Issues issues={issues} />
      </Panel>
      {check?.trails && check.valid && (
        <WhatHappens trails={check.trails} onTry={() => openDialog('place')} />
      )}
      {check?.steps && check.valid && <FeedSteps steps={check.steps} />}
      <PlaceOrder />
    </>
  )
}

/** What the check says to a text, a moment after it was typed. */
function useCheck(source: string, path: string): ScenarioCheck | undefined {
  const check = useSignal<ScenarioCheck | undefined>(undefined)
  useEffect(
    () =>
      later(CHECK_MS, () => {
        void ask<ScenarioCheck>('POST', path, { body: { source } }).then(({ status, body }) => {
          if (status === 200) check.value = body
        })
      }),
    [source, path],
  )
  return check.value
}

interface ActionsProps {
  readonly scenario: DetailProps['scenario']
  readonly kind: ScenarioKind
  readonly check: ScenarioCheck | undefined
  readonly source: string
  /** Where it is kept. */
  readonly path: string
  readonly onSave: () => void
}

const Actions = ({ scenario, kind, check, source, path, onSave }: ActionsProps) => (
  <>
    {check?.valid && (
      <span class="ok">✓ {kind === 'feeds' ? 'every step is legal' : 'every way through is legal'}</span>
    )}
    <button
      type="button"
      class="small"
      onClick={() => saveAs(`${check?.name ?? 'scenario'}.yaml`, new Blob([source]))}
    >
      Download
    </button>
    <Copy text={() => asCurl('PUT', path, { source })}>Copy as curl</Copy>
    {scenario?.uploaded && (
      <button
        type="button"
        class="small danger"
        onClick={() =>
          void attempt('Removing the scenario', () =>
            call('DELETE', `${paths[kind]}/${encodeURIComponent(scenario.name)}`),
          )
        }
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
  readonly kind: ScenarioKind
  readonly onChange: (source: string) => void
}

/** The editor is loaded when it is first shown; it lives in a shadow root, where its styles keep to the policy. */
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
