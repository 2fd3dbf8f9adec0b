import { useSignal } from '@preact/signals'
import { headerNames } from '../../kernel/headers.ts'
import { asText } from '../../kernel/json.ts'
import { readableInstant } from '../../kernel/readable.ts'
import { ask, petriUrl, type TimedResponse, wallNow } from '../api.ts'
import {
  Button,
  Code,
  CopyCurl,
  Empty,
  Facts,
  Id,
  JsonBlock,
  Link,
  Mono,
  messageUrl,
  Panel,
  saveAs,
  useTabTitle,
} from '../components.tsx'
import { inWords } from '../format.ts'
import { Dialog, Form, Opens, Submit, TextField, useForm } from '../forms.tsx'
import type { CallInFull } from '../responses.ts'
import { attempt, perform, say, useData } from '../store.ts'

/** One call: request and response, ignored fields, and what it caused. */
export function RequestDetail({ id }: { id: string }) {
  const { body: request, error } = useData<CallInFull>(`/_petri/requests/${encodeURIComponent(id)}`)
  useTabTitle(`${request ? `${request.method} ${request.path}` : 'Request'} · Requests`)
  if (error && !request) return <Empty>{error.message}</Empty>
  if (!request) return null
  return (
    <>
      <Panel
        title={
          <span class="mono break">
            {request.method} {request.path}
          </span>
        }
        aside={<Actions request={request} />}
      >
        {request.ignored.length > 0 && <UnknownFields request={request} />}
        {request.nearest.length > 0 && (
          <p class="note">
            No operation has this path. Similar ones:{' '}
            {request.nearest.map((route) => (
              <code key={route}>{route} </code>
            ))}
          </p>
        )}
        <RequestFacts request={request} />
      </Panel>
      <Dialog name="repeat" title={`Send again: ${request.method}`}>
        <RepeatForm request={request} />
      </Dialog>
      <div class="cols">
        <Panel title="Request">
          {request.body === null ? (
            <p class="quiet">No body.</p>
          ) : (
            <JsonBlock value={request.body} label="Request body" />
          )}
          <details>
            <summary>Headers</summary>
            <JsonBlock value={request.headers} label="Request headers" />
          </details>
        </Panel>
        <Panel title="Response" aside={<Code status={request.status} />}>
          <JsonBlock value={request.response} label="Response body" />
        </Panel>
      </div>
    </>
  )
}

const MEANINGFUL = /^(x-petri-scenario|x-?idempotency-.*|idempotency-.*|accept|content-type)$/

/** The headers that change the effect of a call, without those that every client adds. */
const meaningfulHeaders = ({ headers }: CallInFull): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => MEANINGFUL.test(name) && value !== '*/*' && !value.startsWith('application/json'),
    ),
  )

function Actions({ request }: { request: CallInFull }) {
  const { method, path, body, operation } = request
  return (
    <>
      <CopyCurl call={[method, path, body, meaningfulHeaders(request)]} />
      <Button class="small" onClick={() => saveAs('petri.har', JSON.stringify(harOf(request)))}>
        HAR
      </Button>
      {operation && (
        <Button class="small" onClick={() => failNext(operation)}>
          Fail the next one
        </Button>
      )}
      <Opens dialog="repeat" class="small primary">
        Send again
      </Opens>
    </>
  )
}

async function failNext(operation: string): Promise<void> {
  const fault = { operation, times: 1, respond: { status: 503 } }
  if (await perform('Arming the fault', 'POST', '/_petri/faults', { faults: [fault] }))
    say({
      title: 'The next call of this operation fails',
      lines: ['with 503, once'],
      link: { to: '/faults', text: 'See faults' },
    })
}

/** The ignored fields, each with the declared field that may have been meant. */
const UnknownFields = ({ request: { ignored, nearest_fields } }: { request: CallInFull }) => (
  <p class="note warn">
    <b>{ignored.length === 1 ? 'Unknown field' : 'Unknown fields'}, ignored:</b>{' '}
    {ignored.map((path) => (
      <span key={path}>
        <code>{path}</code>
        {nearest_fields[path] && (
          <>
            {' '}
            (did you mean <code>{nearest_fields[path]}</code>?)
          </>
        )}{' '}
      </span>
    ))}
  </p>
)

const RequestFacts = ({ request: { status, operation, fault_id, at, caused } }: { request: CallInFull }) => (
  <Facts
    facts={[
      ['Status', <Code status={status} />],
      ['Operation', <Mono>{operation ? <Link to={`/api/${operation}`}>{operation}</Link> : 'none'}</Mono>],
      [
        'Injected fault',
        fault_id && (
          <Link to="/faults">
            <Id id={fault_id} />
          </Link>
        ),
      ],
      ['At', readableInstant(at)],
      [
        'Caused',
        <>
          {caused.length === 0 && 'nothing'}
          {caused.map(({ event_id, event_type, subject_status, messages: [message] }) => (
            <div key={event_id}>
              {message ? <Link to={messageUrl(message.id)}>{event_type}</Link> : event_type}
              {subject_status && `: ${inWords(subject_status)}`}
            </div>
          ))}
        </>,
      ],
    ]}
  />
)

/** Sends the call again, changed if wanted. */
function RepeatForm({ request }: { request: CallInFull }) {
  const { id, method, path, body } = request
  const form = useForm(`repeat.${id}`, { path, body: body === null ? '' : JSON.stringify(body, null, 2) })
  const { response, send } = useCall()
  const { path: changedPath, body: text } = form.values
  const headers = meaningfulHeaders(request)
  return (
    <>
      <Form onSubmit={() => send(method, changedPath, text, headers)}>
        <TextField label="Path" {...form.bind('path')} />
        {method !== 'GET' && <TextField label="Body" rows={14} {...form.bind('body')} />}
        <Submit curl={[method, changedPath, text, headers]}>Send</Submit>
      </Form>
      {response && (
        <>
          <p>
            <Code status={response.status} /> in {Math.round(response.durationMs)} ms
          </p>
          <JsonBlock value={response.body} label="Response body" />
        </>
      )}
    </>
  )
}

/** Headers with which a call is recorded as one of the page, also a GET. */
const asCallOfPage = { [headerNames.aside]: '0', [headerNames.origin]: 'page' }

/** Makes a call as a program would, and keeps its response. */
export function useCall() {
  const response = useSignal<TimedResponse<unknown> | undefined>(undefined)
  return {
    response: response.value,
    async send(method: string, path: string, body: string, headers = {}): Promise<void> {
      const options = { headers: { ...headers, ...asCallOfPage }, body: body || undefined }
      response.value = await attempt('The call', () => ask(method, path, options))
    },
  }
}

/** The call in the format of browsers' network tools. */
function harOf({ method, path, status, headers, body, response, duration_ms }: CallInFull) {
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }
  const entry = {
    startedDateTime: new Date(wallNow()).toISOString(),
    time: duration_ms,
    request: {
      ...common,
      method,
      url: `${petriUrl()}${path}`,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      queryString: [],
      postData: body === null ? undefined : { mimeType: 'application/json', text: asText(body) },
    },
    response: {
      ...common,
      status,
      statusText: '',
      headers: [],
      redirectURL: '',
      content: { size: -1, mimeType: 'application/json', text: asText(response) },
    },
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
  }
  return { log: { version: '1.2', creator: { name: 'Petri', version: '1' }, entries: [entry] } }
}
