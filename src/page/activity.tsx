import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { groupBy } from '../kernel/list.ts'
import { readableDate, readableTime } from '../kernel/readable.ts'
import { type ActivityLine, linesOf } from './activity-log.ts'
import type { StreamData } from './api.ts'
import {
  Button,
  bound,
  Choice,
  Code,
  Link,
  messageUrl,
  Name,
  OrderLink,
  StatusTag,
  Time,
  toggle,
} from './components.tsx'
import { countOf, inWords } from './format.ts'
import { Person } from './people.tsx'
import { activity, connection } from './store.ts'

const SHOWN = 60
const KINDS = [
  ['all', 'All'],
  ['order', 'Orders'],
  ['request', 'Calls'],
  ['delivery', 'Webhooks'],
] as const

const connectionNames = { live: 'live', waiting: 'connecting', off: 'not connected' }

/** Events of the world as they happen, newest first. */
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
        <span>{connectionNames[connection.value]}</span>
        <Button class="small" aria-pressed={isPaused.value} onClick={() => toggle(isPaused)}>
          Pause
        </Button>
      </header>
      <Choice label="Show" options={KINDS} {...bound(kind)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ol tabIndex={0} aria-label="Newest first">
        {lines.slice(0, SHOWN).map((line) => (
          <li key={line.key}>
            <time dateTime={line.at}>
              {readableTime(line.at)}
              <small class="dim">{readableDate(line.at)}</small>
            </time>
            <LineText line={line} />
          </li>
        ))}
      </ol>
      {lines.length === 0 && (
        <p class="quiet">The calls of your program, the moves of orders and deliveries appear here live.</p>
      )}
    </aside>
  )
}

/** The order of an item, by its person. */
function About({ item: { order_id, user_id } }: { item: StreamData }) {
  const person = typeof user_id === 'string' ? <Person id={user_id} /> : undefined
  return typeof order_id === 'string' ? <OrderLink id={order_id}>{person}</OrderLink> : (person ?? null)
}

function LineText({ line: { first, count, failed, kind } }: { line: ActivityLine }) {
  const text = (name: string) => String(first[name] ?? '')
  switch (kind) {
    case 'data':
      return (
        <div>
          {count} × health data{failed > 0 && <b class="warn">, {failed} failed</b>}
        </div>
      )
    case 'order':
      return (
        <div>
          <StatusTag status={text('status')} /> <About item={first} />
        </div>
      )
    case 'request':
      return (
        <div>
          <Code status={Number(first.status)} />{' '}
          <Link to={`/requests/${text('request_id')}`} class="mono">
            {text('method')} <Name text={text('path')} />
          </Link>
        </div>
      )
    case 'delivery':
      return (
        <div>
          <Code status={typeof first.status === 'number' ? first.status : null} />{' '}
          <Link to={messageUrl(text('message_id'))} class="mono">
            {text('event_type')}
          </Link>{' '}
          {text('subject_status') && <>{inWords(text('subject_status'))} </>}
          <About item={first} />
          {count > 1 && <small> × {count}</small>}
        </div>
      )
    default:
      return (
        <div class="dim">
          {kind} <span class="mono">{text('event_type') || text('detail')}</span>
        </div>
      )
  }
}

const MAX_EFFECTS = 200

/** The effects of an advance, by instant. */
export function Effects({ effects }: { effects: readonly StreamData[] }) {
  const lines = linesOf([...effects].reverse()).reverse()
  const instants = groupBy(lines.slice(0, MAX_EFFECTS), ({ at }) => at)
  if (lines.length === 0) return <p class="quiet">Nothing has happened since this tab was opened.</p>
  return (
    <>
      <dl class="happened">
        {[...instants].map(([at, own]) => (
          <div key={at}>
            <dt>
              <Time at={at} />
            </dt>
            {own.map((line) => (
              <dd key={line.key}>
                <LineText line={line} />
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {lines.length > MAX_EFFECTS && (
        <p class="quiet">and {countOf(lines.length - MAX_EFFECTS, 'more line')}</p>
      )}
    </>
  )
}
