import { readableInstant } from '../../kernel/readable.ts'
import { Button, optionsOf, Panel, StatusTag } from '../components.tsx'
import { countOf, relativeTo } from '../format.ts'
import { Dialog, Form, Opens, Select, SelectField, Submit, TextField, useForm } from '../forms.tsx'
import type { ConnectedProvider, ConnectionFeed, Scenario } from '../responses.ts'
import { now, perform, say, useData, useFields, useList } from '../store.ts'

const nameOf = (slug: string) => slug.replaceAll('_', ' ')

/** The name of the feed scenario without steps says nothing to those who do not know it. */
const feedNameOf = (scenario: string) => (scenario === 'steady' ? 'data as measured' : scenario)

/** The providers that a user is connected to. */
export function useProviders(userId: string): readonly ConnectedProvider[] | undefined {
  const { body } = useData<{ providers: ConnectedProvider[] }>(`/v2/user/providers/${userId}`)
  return body?.providers
}

/** The connections of a user, and their feed scenarios. */
export function Connections({ userId }: { userId: string }) {
  const providers = useProviders(userId)
  const own = (providers ?? []).map(({ slug }) => slug)
  const demo = (useFields('DemoConnection').provider?.enum ?? []).map(String)
  const form = useForm(`connect.${userId}`, { provider: 'oura' })
  const connect = () =>
    perform('Connecting', 'POST', '/v2/link/connect/demo', { user_id: userId, ...form.values })
  return (
    <Panel title="Connections">
      {providers?.length === 0 && (
        <p class="quiet">None yet. Connect a demo device, or let the user link one.</p>
      )}
      <ul class="connections">
        {(providers ?? []).map((each) => (
          <Connection key={each.slug} userId={userId} provider={each} />
        ))}
      </ul>
      <Form class="row" onSubmit={connect}>
        <Select label="Demo device" options={optionsOf(demo, nameOf)} {...form.bind('provider')} />
        <button type="submit">Connect</button>
        <Button onClick={() => perform('The refresh', 'POST', `/v2/user/refresh/${userId}`)}>Refresh</Button>
        <Opens dialog="samples">Add samples</Opens>
      </Form>
      <Dialog name="samples" title="Add samples">
        <SampleForm userId={userId} providers={[...new Set([...own, ...demo])]} />
      </Dialog>
    </Panel>
  )
}

function Connection({ userId, provider }: { userId: string; provider: ConnectedProvider }) {
  const { slug, name, status, created_on } = provider
  const path = `/_petri/users/${userId}/connections/${slug}/feed`
  const { body: feed } = useData<ConnectionFeed>(path)
  const feeds = useList<Scenario>('/_petri/scenarios?kind=feed', false)
  const current = feed?.scenario ?? ''
  const follow = (scenario: string) => perform('Choosing the feed scenario', 'PUT', path, { scenario })
  return (
    <li>
      <b>{name}</b> <StatusTag status={status} tone={status === 'connected' ? 'completed' : 'failed'} />
      <small class="dim"> since {readableInstant(created_on)}</small>
      {feed && (
        <span class="inline">
          feed scenario{' '}
          <Select
            label={`Feed scenario of ${name}`}
            value={current}
            options={optionsOf([...new Set([current, ...feeds.map((each) => each.name)])], feedNameOf)}
            onChange={follow}
          />
        </span>
      )}
      {feed?.next && (
        <small class="dim">
          next: {feed.next} {feed.next_at && relativeTo(feed.next_at, now.value)}
        </small>
      )}
      <Button
        class="small danger"
        onClick={() => perform('Disconnecting', 'DELETE', `/v2/user/${userId}/${slug}`)}
      >
        Disconnect
      </Button>
    </li>
  )
}

const SERIES = ['heartrate', 'glucose', 'steps', 'hrv', 'blood_oxygen', 'weight', 'body_temperature']
const MINUTE_MS = 60_000

/** Adds samples manually, the last of them now. */
function SampleForm({ userId, providers }: { userId: string; providers: readonly string[] }) {
  const form = useForm(`samples.${userId}`, {
    resource: SERIES[0] ?? '',
    provider: providers[0] ?? '',
    values: '',
    minutes: '5',
  })
  const { resource, provider, values, minutes } = form.values
  const numbers = values.split(/[\s,;]+/).filter(Boolean)
  const samples = numbers.map((value, at) => {
    const agoMs = (numbers.length - 1 - at) * Number(minutes) * MINUTE_MS
    return { timestamp: new Date(Date.parse(now.value) - agoMs).toISOString(), value: Number(value) }
  })
  const path = `/_petri/users/${userId}/data`
  const body = { resource, provider, samples }
  const add = async () => {
    if (await form.send('Adding the samples', 'POST', path, body))
      say({ title: `${countOf(samples.length, 'sample')} added`, lines: [`${resource} of ${provider}`] })
  }
  return (
    <Form errors={form.errors} onSubmit={add}>
      <SelectField label="Series" options={optionsOf(SERIES, nameOf)} {...form.bind('resource')} />
      <SelectField label="Provider" options={optionsOf(providers, nameOf)} {...form.bind('provider')} />
      <TextField
        label="Values, the last of them now"
        required
        placeholder="61 62 63"
        {...form.bind('values')}
      />
      <TextField label="Minutes between them" {...form.bind('minutes')} />
      <Submit curl={['POST', path, body]}>Add</Submit>
    </Form>
  )
}
