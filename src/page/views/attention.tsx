import type { Board } from '../responses.ts'
import { Link } from '../ui.tsx'
import { nounOf } from '../words.ts'

interface AttentionLink {
  readonly name: keyof Board['attention']
  readonly words: (count: number) => string
  readonly to: string
  readonly tone: 'failed' | 'attention'
}

const attentionLinks: readonly AttentionLink[] = [
  {
    name: 'failing_messages',
    words: (count) => nounOf(count, 'delivery failing', 'deliveries failing'),
    to: '/webhooks?status=failing',
    tone: 'failed',
  },
  {
    name: 'refused_requests',
    words: (count) => nounOf(count, 'call refused', 'calls refused'),
    to: '/requests?status=refused',
    tone: 'failed',
  },
  {
    name: 'requests_with_unread_fields',
    words: (count) => nounOf(count, 'call with unread fields', 'calls with unread fields'),
    to: '/requests?unread=1',
    tone: 'attention',
  },
  {
    name: 'critical_results',
    words: (count) => nounOf(count, 'critical result', 'critical results'),
    to: '/orders?interpretation=critical',
    tone: 'attention',
  },
  {
    name: 'waiting_for_registration',
    words: (count) => nounOf(count, 'kit waits to be registered', 'kits wait to be registered'),
    to: '/orders?status=with_customer&method=testkit',
    tone: 'attention',
  },
]

/** What somebody wants to know before anything else. */
export function Attention({ board }: { board: Board }) {
  const shown = attentionLinks
    .map((link) => ({ ...link, count: board.attention[link.name] }))
    .filter(({ count }) => count > 0)
  if (shown.length === 0) return null
  return (
    <ul class="attention-strip" aria-label="Needs attention">
      {shown.map(({ name, words, to, tone, count }) => (
        <li key={name} class={tone} data-attention={name}>
          <Link to={to}>
            <b>{count.toLocaleString('en')}</b> {words(count)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
