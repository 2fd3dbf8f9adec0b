import { useSignal } from '@preact/signals'
import type { Page } from '../answers.ts'
import { call } from '../api.ts'
import { useData } from '../data.ts'
import { attempt, now } from '../store.ts'
import { Panel } from '../ui.tsx'
import { relativeTo, stampOf } from '../words.ts'

interface Provider {
  readonly slug: string
  readonly name: string
  readonly status: string
  readonly created_on: string
}

interface Feed {
  readonly scenario?: string
  readonly story?: string
  readonly next: string | null
  readonly next_at: string | null
}

const DEMO = ['oura', 'fitbit', 'freestyle_libre', 'apple_health_kit']

/** What a user's data come from, and what befalls it. */
export function Connections({ userId }: { userId: string }) {
  const { body } = useData<{ providers: Provider[] }>(`/v2/user/providers/${userId}`)
  const provider = useSignal(DEMO[0] ?? '')
  const connect = (event: Event) => {
    event.preventDefault()
    void attempt('Connecting', () =>
      call('POST', '/v2/link/connect/demo', { user_id: userId, provider: provider.value }),
    )
  }
  return (
    <Panel title="Connections">
      {body?.providers.length === 0 && (
        <p class="quiet">None; connect a demo device, or let the user link one.</p>
      )}
      <ul class="connections">
        {(body?.providers ?? []).map((each) => (
          <Connection key={each.slug} userId={userId} provider={each} />
        ))}
      </ul>
      <form class="row" onSubmit={connect}>
        <select
          aria-label="Demo device"
          value={provider.value}
          onChange={(event) => {
            provider.value = event.currentTarget.value
          }}
        >
          {DEMO.map((slug) => (
            <option key={slug} value={slug}>
              {slug.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
        <button type="submit">Connect</button>
        <button
          type="button"
          onClick={() => void attempt('The refresh', () => call('POST', `/v2/user/refresh/${userId}`))}
        >
          Refresh
        </button>
      </form>
    </Panel>
  )
}

function Connection({
  userId,
  provider: { slug, name, status, created_on },
}: {
  userId: string
  provider: Provider
}) {
  const path = `/_petri/users/${userId}/connections/${slug}/feed`
  const { body: feed } = useData<Feed>(path)
  const { body: list } = useData<Page<{ name: string }>>('/_petri/feeds', false)
  const current = feed?.scenario ?? feed?.story ?? ''
  const field = feed && 'scenario' in feed ? 'scenario' : 'story'
  return (
    <li>
      <b>{name}</b>{' '}
      <span class={`tag ${status === 'connected' ? 'completed' : 'failed'}`}>
        <i aria-hidden="true" />
        {status}
      </span>
      <small class="dim"> since {stampOf(created_on)}</small>
      {feed && (
        <label class="inline">
          feed scenario{' '}
          <select
            value={current}
            onChange={(event) =>
              void attempt('The feed', () => call('PUT', path, { [field]: event.currentTarget.value }))
            }
          >
            {[...new Set([current, ...(list?.data ?? []).map((each) => each.name)])].map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      )}
      {feed?.next && (
        <small class="dim">
          next: {feed.next} {feed.next_at && relativeTo(feed.next_at, now.value)}
        </small>
      )}
      <button
        type="button"
        class="small danger"
        onClick={() => void attempt('Disconnecting', () => call('DELETE', `/v2/user/${userId}/${slug}`))}
      >
        Disconnect
      </button>
    </li>
  )
}
