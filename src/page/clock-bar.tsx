import type { ComponentChildren } from 'preact'
import { advance, lastAdvance, stopAdvance } from './advance.ts'
import { asCurl, call } from './api.ts'
import { Dialog, Opens } from './dialog.tsx'
import { Form, optionsOf, SelectField, TextField, useForm } from './forms.tsx'
import { Happened } from './happened.tsx'
import { advancing, attempt, clock, now } from './store.ts'
import { Copy } from './ui.tsx'
import { dayOf, relativeTo, timeOf } from './words.ts'

const STEPS = [
  ['1h', '+1h'],
  ['1d', '+1d'],
  ['7d', '+1w'],
] as const

/** Where the clock of the world stands, and what moves it. */
export function ClockBar() {
  const read = clock.value
  if (!read) return null
  const state = advancing.value ? 'advancing' : read.frozen ? 'frozen' : 'live'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in all browsers.
    <div class="clock" role="group" aria-label="Clock of this world">
      <span class={`state ${state}`}>{state}</span>
      <Now />
      <ClockButtons nextDue={read.next_due} pending={read.pending} />
      <Opens dialog="clock" class="more" aria-label="More about the clock">
        ⋯
      </Opens>
      <Dialog name="clock" title="Clock">
        <ClockForm />
      </Dialog>
      <Dialog name="happened" title="What happened">
        <Happened effects={lastAdvance.value?.effects ?? []} />
      </Dialog>
    </div>
  )
}

/** By itself, so that a live clock repaints nothing else. */
function Now() {
  const at = now.value
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      <b>{timeOf(at)}</b> {dayOf(at)} {at.slice(0, 4)} <small>UTC</small>
    </time>
  )
}

/** A button that keeps the focus while it does nothing, as one that is disabled would not. */
const Step = ({
  isOff,
  act,
  children,
}: {
  isOff: boolean
  act: () => unknown
  children: ComponentChildren
}) => (
  <button type="button" aria-disabled={isOff} onClick={() => void (isOff || act())}>
    {children}
  </button>
)

function ClockButtons({ nextDue, pending }: { nextDue: string | null; pending: number }) {
  const running = advancing.value
  const isBusy = running?.isOwn === true
  return (
    <>
      <span class="steps">
        {STEPS.map(([by, text]) => (
          <Step key={by} isOff={isBusy} act={() => advance({ by })}>
            {text}
          </Step>
        ))}
      </span>
      <Step isOff={isBusy || nextDue === null} act={() => advance({ to: nextDue })}>
        Next due {nextDue && <small>{relativeTo(nextDue, now.value)}</small>}
      </Step>
      {running ? (
        <Step key="idle" isOff={false} act={stopAdvance}>
          Stop <small>{running.happenings.toLocaleString('en')} happened</small>
        </Step>
      ) : (
        <Step key="idle" isOff={pending === 0} act={() => advance({ until: 'idle' })}>
          Until idle <small>{pending.toLocaleString('en')} waiting</small>
        </Step>
      )}
    </>
  )
}

function ClockForm() {
  const form = useForm('clock', { by: '3d', to: '' })
  const { by, to } = form.values
  const input = to ? { to: `${to}:00Z` } : { by }
  const read = clock.value
  const patch = (change: object) =>
    attempt('Changing the clock', () => call('PATCH', '/_petri/clock', change))
  const paces = [...new Set([1, 60, 1440, 8640, read?.pace ?? 1])].map(String)
  return (
    <>
      <Form onSubmit={() => advance(input)}>
        <TextField label="Advance by" {...form.bind('by')} />
        <TextField label="or to an instant, UTC" type="datetime-local" {...form.bind('to')} />
        <div class="row">
          <button type="submit" class="primary">
            Advance
          </button>
          <Copy text={() => asCurl('POST', '/_petri/clock/advance', input)}>Copy as curl</Copy>
        </div>
      </Form>
      <div class="row">
        <button type="button" onClick={() => void patch({ frozen: !read?.frozen })}>
          {read?.frozen ? 'Let it run' : 'Freeze'}
        </button>
        <SelectField
          label="Pace of a live clock"
          value={String(read?.pace)}
          options={optionsOf(paces, (pace) => (pace === '1' ? 'real time' : `${pace} times`))}
          onChange={(pace) => void patch({ pace: Number(pace) })}
        />
      </div>
    </>
  )
}
