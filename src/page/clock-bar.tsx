import { useSignal } from '@preact/signals'
import { call } from './api.ts'
import { Dialog, Field } from './forms.tsx'
import { advance, advancing, attempt, clock, now } from './store.ts'
import { countOf, dayOf, relativeTo, timeOf } from './words.ts'

const STEPS = [
  ['1h', '+1h'],
  ['1d', '+1d'],
  ['7d', '+1w'],
] as const

/** Where the clock of the world stands, and what moves it. */
export function ClockBar() {
  const isMoreOpen = useSignal(false)
  const read = clock.value
  if (!read) return null
  const isBusy = advancing.value !== undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in all browsers.
    <div class="clock" role="group" aria-label="Clock of this world">
      <span class={`state ${read.frozen ? 'frozen' : 'running'}`}>{read.frozen ? 'Frozen' : 'Live'}</span>
      <Now />
      {isBusy ? (
        <span class="busy">advancing, {countOf(advancing.value?.happenings ?? 0, 'happening')} so far</span>
      ) : (
        <ClockButtons nextDue={read.next_due} pending={read.pending} />
      )}
      <button
        type="button"
        class="more"
        aria-label="More about the clock"
        onClick={() => {
          isMoreOpen.value = true
        }}
      >
        ⋯
      </button>
      {isMoreOpen.value && (
        <ClockDialog
          onClose={() => {
            isMoreOpen.value = false
          }}
        />
      )}
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

function ClockButtons({ nextDue, pending }: { nextDue: string | null; pending: number }) {
  return (
    <>
      <span class="steps">
        {STEPS.map(([by, text]) => (
          <button key={by} type="button" onClick={() => void advance({ by })}>
            {text}
          </button>
        ))}
      </span>
      <button type="button" disabled={nextDue === null} onClick={() => void advance({ to: nextDue })}>
        Next due {nextDue && <small>{relativeTo(nextDue, now.value)}</small>}
      </button>
      <button type="button" disabled={pending === 0} onClick={() => void advance({ until: 'idle' })}>
        Until idle <small>{pending} waiting</small>
      </button>
    </>
  )
}

function ClockDialog({ onClose }: { onClose: () => void }) {
  const by = useSignal('3d')
  const to = useSignal('')
  const read = clock.value
  const patch = (change: object) => attempt('The change', () => call('PATCH', '/_petri/clock', change))
  return (
    <Dialog title="Clock" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void advance(to.value ? { to: `${to.value}:00Z` } : { by: by.value })
        }}
      >
        <Field label="Advance by">
          <input
            value={by.value}
            onInput={(event) => {
              by.value = event.currentTarget.value
            }}
          />
        </Field>
        <Field label="or to an instant, UTC">
          <input
            type="datetime-local"
            value={to.value}
            onInput={(event) => {
              to.value = event.currentTarget.value
            }}
          />
        </Field>
        <button type="submit" class="primary">
          Advance
        </button>
      </form>
      <div class="row">
        <button type="button" onClick={() => void patch({ frozen: !read?.frozen })}>
          {read?.frozen ? 'Let it run' : 'Freeze'}
        </button>
        <Field label="Pace of a live clock">
          <select
            value={String(read?.pace)}
            onChange={(event) => void patch({ pace: Number(event.currentTarget.value) })}
          >
            {[...new Set([1, 60, 1440, 8640, read?.pace ?? 1])].map((pace) => (
              <option key={pace} value={String(pace)}>
                {pace === 1 ? 'true speed' : `${pace} times`}
              </option>
            ))}
          </select>
        </Field>
      </div>
    </Dialog>
  )
}
