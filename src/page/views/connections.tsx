import { call } from '../api.ts'
import { useData } from '../data.ts'
import { Form, optionsOf, Select, useForm } from '../forms.tsx'
import type { Page } from '../responses.ts'
import { attempt, now } from '../store.ts'
import { Panel } from '../ui.tsx'
import { relativeTo, stampOf } from '../words.ts'
import { AddSamples } from './add-samples.tsx'

interface Provider {
  readonly slug: string
  readonly name: string
  readonly status: string
  readonly created_on: string
}

interface Feed {
  readonly scenario?: string
  readonly next: string | null
  readonly next_at: string | null
}

const DEMO = ['oura', 'fitbit', 'freestyle_libre', 'apple_health_kit']

const nameOf = (slug: string) => slug.replaceAll('_', ' ')

/** Where a user's data come from, and what their scenarios do to them. */
export function Connections({ userId }: { userId: string }) {
  const { body } = useData<{ providers: Provider[] }>(`/v2/user/providers/${userId}`)
  const own = (body?.providers ?? []).map(({ slug }) => slug)
  const form = useForm(`connect.${userId}`, { provider: DEMO[0] ?? '' })
  const connect = () =>
    attempt('Connecting', () => call('POST', '/v2/link/connect/demo', { user_id: userId, ...form.values }))
  return (
    <Panel title="Connections">
      {body?.providers.length === 0 && (
        <p class="quiet">None yet. Connect a demo device, or let the user link one.</p>
      )}
      <ul class="connections">
        {(body?.providers ?? []).map((each) => (
          <Connection key={each.slug} userId={userId} provider={each} />
        ))}
      </ul>
      <Form class="row" onSubmit={connect}>
        <Select label="Demo device" options={optionsOf(DEMO, nameOf)} {...form.bind('provider')} />
        <button type="submit">Connect</button>
        <button
          type="button"
          onClick={() => void attempt('The refresh', () => call('POST', `/v2/user/refresh/${userId}`))}
        >
          Refresh
        </button>
        <AddSamples userId={userId} providers={[...new Set([...own, ...DEMO])]} />
      </Form>
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
  const current = feed?.scenario ?? ''
  return (
    <li>
      <b>{name}</b>{' '}
      <span class={`tag ${status === 'connected' ? 'completed' : 'failed'}`}>
        <i aria-hidden="true" />
        {status}
      </span>
      <small class="dim"> since {stampOf(created_on)}</small>
      {feed && (
        <span class="inline">
          feed scenario{' '}
          <Select
            label={`Feed scenario of ${name}`}
            value={current}
            options={optionsOf([...new Set([current, ...(list?.data ?? []).map((each) => each.name)])])}
            onChange={(chosen) =>
              void attempt('Choosing the feed scenario', () => call('PUT', path, { scenario: chosen }))
            }
          />
        </span>
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
