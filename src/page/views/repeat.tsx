import { useSignal } from '@preact/signals'
import type { RequestInFull } from '../answers.ts'
import { type Answer, ask } from '../api.ts'
import { Dialog } from '../forms.tsx'
import { JsonBlock } from '../json.tsx'
import { attempt, refresh } from '../store.ts'
import { Code } from '../ui.tsx'

/** The call once more, changed if wanted. */
export function Repeat({ request, onClose }: { request: RequestInFull; onClose: () => void }) {
  const path = useSignal(request.path)
  const body = useSignal(request.body === null ? '' : JSON.stringify(request.body, null, 2))
  const answer = useSignal<Answer<unknown> | undefined>(undefined)
  const submit = async (event: Event) => {
    event.preventDefault()
    const headers = request.method === 'GET' ? { 'x-petri-aside': '0', 'x-petri-from': 'page' } : {}
    answer.value = await attempt('Sending', () =>
      ask(request.method, path.value, { headers, ...(body.value && { body: body.value }) }),
    )
    refresh()
  }
  return (
    <Dialog title={`Send again: ${request.method}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>Path</span>
          <input
            value={path.value}
            onInput={(event) => {
              path.value = event.currentTarget.value
            }}
          />
        </label>
        {request.method !== 'GET' && (
          <label class="field">
            <span>Body</span>
            <textarea
              rows={14}
              spellcheck={false}
              value={body.value}
              onInput={(event) => {
                body.value = event.currentTarget.value
              }}
            />
          </label>
        )}
        <button type="submit" class="primary">
          Send
        </button>
      </form>
      {answer.value && (
        <>
          <p>
            <Code status={answer.value.status} /> in {Math.round(answer.value.durationMs)} ms
          </p>
          <JsonBlock value={answer.value.body} label="The answer" />
        </>
      )}
    </Dialog>
  )
}
