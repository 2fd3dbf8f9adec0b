import { useSignal } from '@preact/signals'
import { type Answer, asCurl, ask } from '../api.ts'
import { Dialog } from '../dialog.tsx'
import { Form, TextArea, TextField, useForm } from '../forms.tsx'
import { JsonBlock } from '../json.tsx'
import type { CallInFull } from '../responses.ts'
import { attempt, refresh } from '../store.ts'
import { Code, Copy } from '../ui.tsx'
import { meantHeaders } from './request-headers.ts'

/** The call once more, changed if wanted. */
export const Repeat = ({ request }: { request: CallInFull }) => (
  <Dialog name="repeat" title={`Send again: ${request.method}`}>
    <RepeatForm request={request} />
  </Dialog>
)

function RepeatForm({ request: { id, method, path, body, headers } }: { request: CallInFull }) {
  const form = useForm(`repeat.${id}`, {
    path,
    body: body === null ? '' : JSON.stringify(body, null, 2),
  })
  const answer = useSignal<Answer<unknown> | undefined>(undefined)
  const submit = async () => {
    const sent = { ...meantHeaders(headers), 'x-petri-aside': '0', 'x-petri-from': 'page' }
    answer.value = await attempt('Sending', () =>
      ask(method, form.values.path, { headers: sent, ...(form.values.body && { body: form.values.body }) }),
    )
    refresh()
  }
  return (
    <>
      <Form onSubmit={submit}>
        <TextField label="Path" {...form.bind('path')} />
        {method !== 'GET' && <TextArea label="Body" rows={14} {...form.bind('body')} />}
        <div class="row">
          <button type="submit" class="primary">
            Send
          </button>
          <Copy text={() => asCurl(method, form.values.path, form.values.body, meantHeaders(headers))}>
            Copy as curl
          </Copy>
        </div>
      </Form>
      {answer.value && (
        <>
          <p>
            <Code status={answer.value.status} /> in {Math.round(answer.value.durationMs)} ms
          </p>
          <JsonBlock value={answer.value.body} label="The answer" />
        </>
      )}
    </>
  )
}
