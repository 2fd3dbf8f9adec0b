import type { ComponentChildren } from 'preact'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../kernel/instant.ts'
import { readableDate, readableDuration, readableTime } from '../kernel/readable.ts'
import { Effects } from './activity.tsx'
import { advance, lastAdvance, patchClock, stopAdvance } from './advance.ts'
import { Button, optionsOf } from './components.tsx'
import { numberOf, relativeTo } from './format.ts'
import { Dialog, Form, Opens, SelectField, Submit, TextField, useForm } from './forms.tsx'
import { advancing, clock, now } from './store.ts'

const STEPS = [
  ['1h', '+1h'],
  ['1d', '+1d'],
  ['7d', '+1w'],
] as const

/** The time of the world, and the controls that move it. */
export function ClockBar() {
  const read = clock.value
  if (!read) return null
  const ownState = read.frozen ? 'frozen' : 'live'
  const state = advancing.value ? 'advancing' : ownState
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in all browsers.
    <div class="clock" role="group" aria-label="Clock of this world">
      <Button
        class={`state ${state}`}
        role="switch"
        aria-checked={!read.frozen}
        aria-label="Live"
        onClick={() => patchClock({ frozen: !read.frozen })}
      >
        {state}
      </Button>
      <Now />
      <ClockButtons nextDue={read.next_due} pending={read.pending} />
      <Opens dialog="clock" class="more" aria-label="More about the clock">
        ⋯
      </Opens>
      <Dialog name="clock" title="Clock">
        <ClockForm />
      </Dialog>
      <Dialog name="effects" title="What happened">
        <Effects effects={lastAdvance.value?.effects ?? []} />
      </Dialog>
    </div>
  )
}

/** By itself, so that a live clock renders nothing else again. */
function Now() {
  const at = now.value
  return (
    <time dateTime={at} title={`${new Date(at).toLocaleString()} on this machine`}>
      <b>{readableTime(at)}</b> <span>{readableDate(at)}</span> <small>UTC</small>
    </time>
  )
}

interface StepProps {
  readonly isOff: boolean
  readonly act: () => unknown
  readonly children: ComponentChildren
}

/** A button that keeps the focus while it is off, unlike a disabled one. */
const Step = ({ isOff, act, children }: StepProps) => (
  <Button aria-disabled={isOff} onClick={() => isOff || act()}>
    {children}
  </Button>
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
          Stop <small>{numberOf(running.effects)} happened</small>
        </Step>
      ) : (
        <Step key="idle" isOff={pending === 0} act={() => advance({ until: 'idle' })}>
          Until idle {pending > 0 && <small>{numberOf(pending)} pending</small>}
        </Step>
      )}
    </>
  )
}

/** How long a day of a scenario can take in a live world, in milliseconds. */
const dayLengths = [DAY_MS, 24 * MINUTE_MS, MINUTE_MS, 10 * SECOND_MS]

const dayAt = (pace: string): string => readableDuration(Math.round(DAY_MS / Number(pace)))

function ClockForm() {
  const form = useForm('clock', { by: '3d', to: '' })
  const { by, to } = form.values
  const input = to ? { to: `${to}:00Z` } : { by }
  const read = clock.value
  const paces = [...new Set([...dayLengths.map((length) => DAY_MS / length), read?.pace ?? 1])].map(String)
  return (
    <>
      <Form errors={form.errors} onSubmit={() => advance(input, form.run)}>
        <TextField label="Advance by" {...form.bind('by')} />
        <TextField label="or to an instant, UTC" type="datetime-local" {...form.bind('to')} />
        <Submit curl={['POST', '/_petri/clock/advance', input]}>Advance</Submit>
      </Form>
      <div class="row">
        <SelectField
          label="A day of a scenario takes"
          value={String(read?.pace)}
          options={optionsOf(paces, dayAt)}
          onChange={(pace) => void patchClock({ pace: Number(pace) })}
        />
      </div>
    </>
  )
}
