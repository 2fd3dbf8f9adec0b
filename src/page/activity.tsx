import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Line, linesOf } from './activity-lines.ts'
import type { StreamData } from './api.ts'
import { Choice } from './forms.tsx'
import { activity, connection } from './store.ts'
import { Code, Id, Link, Name, StatusTag } from './ui.tsx'
import { dayOf, timeOf } from './words.ts'

const SHOWN = 60
const KINDS = [
  ['all', 'All'],
  ['order', 'Orders'],
  ['request', 'Calls'],
  ['delivery', 'Webhooks'],
] as const

const connectionWords = { live: 'live', waiting: 'connecting', off: 'not connected' }

/** What happens in the world, as it happens; the newest first. */
export function Activity() {
  const kind = useSignal('all')
  const isPaused = useSignal(false)
  const held = useRef<readonly StreamData[]>([])
  if (!isPaused.value) held.current = activity.value
  const lines = linesOf(held.current).filter((line) => kind.value === 'all' || line.kind === kind.value)
  return (
    <aside class="activity" aria-label="Activity">
      <header>
        <h2>Activity</h2>
        <span class={`dot ${connection.value}`} aria-hidden="true" />
        <span>{connectionWords[connection.value]}</span>
        <button
          type="button"
          class="small"
          aria-pressed={isPaused.value}
          onClick={() => {
            isPaused.value = !isPaused.value
          }}
        >
          Pause
        </button>
      </header>
      <Choice
        label="Show"
        options={KINDS}
        chosen={kind.value}
        onChoose={(value) => {
          kind.value = value
        }}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ol tabIndex={0} aria-label="Newest first">
        {lines.slice(0, SHOWN).map((line) => (
          <li key={line.key}>
            <time dateTime={line.at} title={dayOf(line.at)}>
              {timeOf(line.at)}
            </time>
            <LineText line={line} />
          </li>
        ))}
      </ol>
      {lines.length === 0 && (
        <p class="quiet">
          What your program asks, what orders do and what is delivered appears here as it happens.
        </p>
      )}
    </aside>
  )
}

export function LineText({ line: { first, count, failed, kind } }: { line: Line }) {
  const text = (name: string) => String(first[name] ?? '')
  if (kind === 'data') {
    return (
      <div>
        {count} × health data{failed > 0 && <b class="warn">, {failed} failed</b>}
      </div>
    )
  }
  if (kind === 'order') {
    return (
      <div>
        <StatusTag status={text('status')} />{' '}
        <Link to={`/orders/${text('order_id')}`}>
          <Id id={text('order_id')} />
        </Link>
      </div>
    )
  }
  if (kind === 'request') {
    return (
      <div>
        <Code status={Number(first.status)} />{' '}
        <Link to={`/requests/${text('request_id')}`} class="mono">
          {text('method')} <Name text={text('path')} />
        </Link>
      </div>
    )
  }
  if (kind === 'delivery') {
    return (
      <div>
        <Code status={typeof first.status === 'number' ? first.status : null} />{' '}
        <Link to={`/webhooks/${encodeURIComponent(text('message_id'))}`} class="mono">
          {text('event_type')}
        </Link>
        {count > 1 && <small> × {count}</small>}
      </div>
    )
  }
  return (
    <div class="dim">
      {kind} <span class="mono">{text('event_type') || text('detail')}</span>
    </div>
  )
}
