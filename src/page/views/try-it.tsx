import { useSignal } from '@preact/signals'
import { type Answer, asCurl, ask } from '../api.ts'
import { Field, useDraft } from '../forms.tsx'
import { JsonBlock } from '../json.tsx'
import { type ApiDocument, type Described, exampleOf } from '../openapi.ts'
import { attempt, refresh } from '../store.ts'
import { Code, Copy, Panel } from '../ui.tsx'

/** A form that makes the call, as a program with this world's key would. */
export function TryIt({ document, operation }: { document: ApiDocument; operation: Described }) {
  const { id, method, parameters, body } = operation
  const draft = useDraft(`api.${id}`, body ? JSON.stringify(exampleOf(document, body), null, 2) : '')
  const values = useSignal<Readonly<Record<string, string>>>({})
  const answer = useSignal<Answer<unknown> | undefined>(undefined)
  const given = parameters.filter(({ where }) => where !== 'header')
  const submit = async (event: Event) => {
    event.preventDefault()
    const headers = { 'x-petri-aside': '0', 'x-petri-from': 'page' }
    const path = pathOf(operation, values.value)
    answer.value = await attempt('The call', () =>
      ask(method, path, { headers, ...(draft.value && { body: draft.value }) }),
    )
    refresh()
  }
  return (
    <div>
      <Panel
        title="Try it"
        aside={
          <Copy text={() => asCurl(method, pathOf(operation, values.value), draft.value)}>Copy as curl</Copy>
        }
      >
        <form onSubmit={(event) => void submit(event)}>
          {given.map(({ name, isRequired }) => (
            <Field key={name} label={name}>
              <input
                required={isRequired}
                value={values.value[name] ?? ''}
                onInput={(event) => {
                  values.value = { ...values.value, [name]: event.currentTarget.value }
                }}
              />
            </Field>
          ))}
          {body && (
            <Field label="Body">
              <textarea
                rows={Math.min(20, draft.value.split('\n').length + 1)}
                spellcheck={false}
                value={draft.value}
                onInput={(event) => draft.set(event.currentTarget.value)}
              />
            </Field>
          )}
          <button type="submit" class="primary">
            Send
          </button>
        </form>
      </Panel>
      {answer.value && (
        <Panel
          title="Answer"
          aside={
            <>
              <Code status={answer.value.status} />{' '}
              <span class="dim">{Math.round(answer.value.durationMs)} ms</span>
            </>
          }
        >
          <JsonBlock value={answer.value.body} label="The answer" />
        </Panel>
      )}
    </div>
  )
}

function pathOf({ path, parameters }: Described, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams()
  let filled = path
  for (const { name, where } of parameters) {
    const value = values[name] ?? ''
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    else if (where === 'query' && value !== '') query.append(name, value)
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}
