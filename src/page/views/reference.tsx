import { useMemo } from 'preact/hooks'
import { useData } from '../data.ts'
import { Search } from '../forms.tsx'
import { type ApiDocument, type Described, operationsOf } from '../openapi.ts'
import type { Coverage } from '../responses.ts'
import { query, setQuery } from '../route.ts'
import { Code, Empty, Link, Name, Panel, Title } from '../ui.tsx'
import { Fields } from './schema-fields.tsx'
import { TryIt } from './try-it.tsx'

const SHOWN = 400

/** Every operation of the service and of Petri: what it takes, what it answers, and a form that calls it. */
export function ReferenceView({ id }: { id: string | undefined }) {
  const { body: document } = useData<ApiDocument>('/openapi.json', false)
  const { body: coverage } = useData<Coverage>('/_petri/coverage')
  const q = query.value.get('q') ?? ''
  const all = useMemo(() => (document ? operationsOf(document) : []), [document])
  if (!document) return <p class="opening">Reading the description of the API…</p>
  const shown = all
    .filter((each) =>
      `${each.method} ${each.path} ${each.summary} ${each.id}`.toLowerCase().includes(q.toLowerCase()),
    )
    .slice(0, SHOWN)
  const chosen = id ? all.find((each) => each.id === id) : shown[0]
  const metBy = new Map((coverage?.operations.met ?? []).map((each) => [each.id, each.statuses]))
  return (
    <>
      <Title title="API" note={`${all.length} operations`} shows="/openapi.json">
        <Search
          label="Search operations"
          placeholder="path, words, id…"
          value={q}
          onChange={(text) => setQuery({ q: text })}
        />
        <a class="button" href="/openapi.json" download="openapi.json">
          Download openapi.json
        </a>
      </Title>
      <div class="split">
        <nav class="list operations" aria-label="Operations">
          {shown.map((each) => (
            <Link
              key={each.id}
              data-row=""
              to={`/api/${each.id}?${query.value}`}
              aria-current={each === chosen ? 'true' : undefined}
            >
              <b class={`method ${each.method}`}>{each.method}</b>
              <span>
                <b class="mono">
                  <Name text={each.path} />
                </b>
                <small class="dim">{each.summary}</small>
              </span>
              {metBy.has(each.id) && <span class="met" role="img" aria-label="your program has called it" />}
            </Link>
          ))}
          {shown.length === 0 && <Empty>No operation has “{q}” in it.</Empty>}
        </nav>
        <div class="detail">
          {chosen ? (
            <Operation
              key={chosen.id}
              document={document}
              operation={chosen}
              statuses={metBy.get(chosen.id)}
            />
          ) : (
            <Empty>There is no operation “{id}”.</Empty>
          )}
        </div>
      </div>
    </>
  )
}

interface Props {
  readonly document: ApiDocument
  readonly operation: Described
  readonly statuses: Readonly<Record<string, number>> | undefined
}

function Operation({ document, operation, statuses }: Props) {
  const called = statuses && Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  return (
    <>
      <Panel
        title={
          <span class="mono break">
            {operation.method} {operation.path}
          </span>
        }
        aside={<span class="dim">{operation.id}</span>}
      >
        <p>{operation.summary}.</p>
        <p class="dim">
          {called
            ? `Your program has called it, answered with ${called.join(', ')}. `
            : 'Your program has never called it. '}
          {called && (
            <Link to={`/requests?q=${encodeURIComponent(operation.path.split('{')[0] ?? '')}`}>
              Its calls
            </Link>
          )}
        </p>
      </Panel>
      <div class="cols">
        <div>
          {operation.parameters.length > 0 && (
            <Panel title="Parameters">
              <ul class="fields">
                {operation.parameters.map(({ name, where, isRequired, type }) => (
                  <li key={`${where}${name}`}>
                    <code>{name}</code>{' '}
                    <small class="dim">
                      {where} · {type}
                    </small>
                    {isRequired && <small class="warn"> required</small>}
                  </li>
                ))}
              </ul>
            </Panel>
          )}
          {operation.body && (
            <Panel title="Body">
              <Fields document={document} schema={operation.body} />
            </Panel>
          )}
          <Panel title="Answers">
            {operation.answers.map(({ status, description, schema }) => (
              <details key={status}>
                <summary>
                  <Code status={Number(status)} /> {description}
                </summary>
                {schema && <Fields document={document} schema={schema} />}
              </details>
            ))}
          </Panel>
        </div>
        <TryIt document={document} operation={operation} />
      </div>
    </>
  )
}
