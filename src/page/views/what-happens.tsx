import { useSignal } from '@preact/signals'
import { Choice } from '../forms.tsx'
import type { FeedStep, ScenarioInFull } from '../responses.ts'
import { Panel, Scroll } from '../ui.tsx'
import { inWords, spanOf } from '../words.ts'
import { Timeline } from './timeline.tsx'

interface Props {
  readonly trails: ScenarioInFull['trails']
  readonly onTry: () => void
}

/** The statuses a scenario of orders brings, by the workflow of the order. */
export function WhatHappens({ trails, onTry }: Props) {
  const workflows = Object.keys(trails)
  const chosen = useSignal(workflows[0] ?? '')
  const workflow = trails[chosen.value] ? chosen.value : (workflows[0] ?? '')
  return (
    <Panel
      title="What will happen"
      aside={
        <>
          {workflows.length > 1 && (
            <Choice
              label="Workflow"
              options={workflows.map((each) => [each, inWords(each)] as const)}
              chosen={workflow}
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
      <Trail trail={trails[workflow] ?? []} />
    </Panel>
  )
}

export const Trail = ({ trail }: { trail: ScenarioInFull['trails'][string] }) => (
  <div>
    <Scroll label="Timeline">
      <Timeline trail={trail} />
    </Scroll>
    <ol class="trail">
      {trail.map(({ status, after_ms, status_detail }, at) => (
        <li key={at} data-status={status} data-after={after_ms}>
          <span class="after">{after_ms === null ? 'when the customer acts' : afterOf(after_ms)}</span>{' '}
          <b>{inWords(status)}</b>
          {status_detail && <small>{inWords(status_detail)}</small>}
        </li>
      ))}
    </ol>
  </div>
)

const afterOf = (ms: number) => (ms === 0 ? 'at once' : `after ${spanOf(ms)}`)

/** What a scenario of connections does. */
export const FeedSteps = ({ steps }: { steps: readonly FeedStep[] }) => (
  <Panel title="What will happen">
    {steps.length === 0 && <p class="dim">Nothing goes wrong: the data come as they are measured.</p>}
    <ol class="trail">
      {steps.map(({ at_ms, does }, at) => (
        <li key={at} data-at={at_ms}>
          <span class="after">{afterOf(at_ms)}</span> <span class="grow">{does}</span>
        </li>
      ))}
    </ol>
  </Panel>
)
