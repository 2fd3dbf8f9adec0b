import { useSignal } from '@preact/signals'
import { type Answer, asCurl, ask } from '../api.ts'
import { Form, TextArea, TextField, useForm } from '../forms.tsx'
import { JsonBlock } from '../json.tsx'
import { type ApiDocument, type Described, exampleOf } from '../openapi.ts'
import { attempt, refresh } from '../store.ts'
import { Code, Copy, Panel } from '../ui.tsx'

/** The field of the form that holds the body; no parameter is called so. */
const BODY = 'the body'

/** A form that makes the call, as a program with this world's key would. */
export function TryIt({ document, operation }: { document: ApiDocument; operation: Described }) {
  const { id, method, parameters, body } = operation
  const given = parameters.filter(({ where }) => where !== 'header')
  const form = useForm<Readonly<Record<string, string>>>(`api.${id}`, {
    [BODY]: body ? JSON.stringify(exampleOf(document, body), null, 2) : '',
    ...Object.fromEntries(given.map(({ name }) => [name, ''])),
  })
  const answer = useSignal<Answer<unknown> | undefined>(undefined)
  const text = form.values[BODY] ?? ''
  const submit = async () => {
    const headers = { 'x-petri-aside': '0', 'x-petri-from': 'page' }
    const path = pathOf(operation, form.values)
    answer.value = await attempt('The call', () =>
      ask(method, path, { headers, ...(text && { body: text }) }),
    )
    refresh()
  }
  return (
    <div>
      <Panel
        title="Try it"
        aside={<Copy text={() => asCurl(method, pathOf(operation, form.values), text)}>Copy as curl</Copy>}
      >
        <Form onSubmit={submit}>
          {given.map(({ name, isRequired }) => (
            <TextField key={name} label={name} required={isRequired} {...form.bind(name)} />
          ))}
          {body && (
            <TextArea label="Body" rows={Math.min(20, text.split('\n').length + 1)} {...form.bind(BODY)} />
          )}
          <button type="submit" class="primary">
            Send
          </button>
        </Form>
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
