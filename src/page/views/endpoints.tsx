import { call } from '../api.ts'
import { Form, TextField, useForm } from '../forms.tsx'
import type { Endpoint } from '../responses.ts'
import { attempt } from '../store.ts'
import { Panel, Secret } from '../ui.tsx'

/** Where webhooks go. */
export const Endpoints = ({ endpoints }: { endpoints: readonly Endpoint[] }) => (
  <Panel title="Endpoints" aside={<span class="dim">{endpoints.length}</span>}>
    <ul class="endpoints">
      {endpoints.map((endpoint) => (
        <EndpointItem key={endpoint.id} endpoint={endpoint} />
      ))}
    </ul>
    <NewEndpoint />
  </Panel>
)

function EndpointItem({ endpoint }: { endpoint: Endpoint }) {
  const path = `/_petri/webhooks/endpoints/${encodeURIComponent(endpoint.id)}`
  return (
    <li>
      <code class="break">{endpoint.url}</code>
      <small class="dim">
        {endpoint.disabled ? 'disabled' : 'enabled'} ·{' '}
        {endpoint.event_types ? endpoint.event_types.join(', ') : 'all events'}
      </small>
      <Secret value={endpoint.secret} />
      <div class="row">
        <button
          type="button"
          class="small"
          onClick={() =>
            void attempt('Changing the endpoint', () => call('PATCH', path, { disabled: !endpoint.disabled }))
          }
        >
          {endpoint.disabled ? 'Enable' : 'Disable'}
        </button>
        <button
          type="button"
          class="small"
          onClick={() => void attempt('Making a new secret', () => call('POST', `${path}/rotate-secret`))}
        >
          New secret
        </button>
        <button
          type="button"
          class="small danger"
          onClick={() => void attempt('Removing the endpoint', () => call('DELETE', path))}
        >
          Remove
        </button>
      </div>
    </li>
  )
}

function NewEndpoint() {
  const form = useForm('endpoint', { url: '', types: '' })
  const add = async () => {
    const event_types = form.values.types.split(/[\s,]+/).filter(Boolean)
    const added = await attempt('Adding the endpoint', () =>
      call('POST', '/_petri/webhooks/endpoints', {
        url: form.values.url,
        ...(event_types.length > 0 && { event_types }),
      }),
    )
    if (added !== undefined) form.clear()
  }
  return (
    <Form onSubmit={add}>
      <TextField
        label="URL of a new endpoint"
        type="url"
        required
        placeholder="http://127.0.0.1:3000/webhooks"
        {...form.bind('url')}
      />
      <TextField
        label="Event types; all if empty"
        placeholder="labtest.order.updated"
        {...form.bind('types')}
      />
      <div class="row">
        <button type="submit">Add</button>
      </div>
    </Form>
  )
}
