import { useMemo } from 'preact/hooks'
import { groupBy } from '../../kernel/list.ts'
import { hasWords } from '../../kernel/words.ts'
import { petriUrl } from '../api.ts'
import {
  Code,
  CopyCurl,
  Dim,
  Empty,
  JsonBlock,
  Link,
  ListItem,
  Name,
  Panel,
  Split,
  Title,
  useTabTitle,
} from '../components.tsx'
import { Form, SearchBy, TextField, useForm } from '../forms.tsx'
import { parameter, query } from '../navigation.ts'
import {
  type ApiDocument,
  type ApiOperation,
  exampleOf,
  fieldsOf,
  operationsOf,
  resolve,
  type Schema,
  typeOf,
} from '../openapi.ts'
import type { Coverage } from '../responses.ts'
import { useData } from '../store.ts'
import { useCall } from './request.tsx'

const SHOWN = 400

/** Every operation of the service and of Petri: its parameters, its responses, and a form that calls it. */
export function ReferenceView({ id }: { id: string | undefined }) {
  const { body: document } = useData<ApiDocument>('/openapi.json', false)
  const { body: coverage } = useData<Coverage>('/_petri/coverage')
  const q = parameter('q')
  const all = useMemo(() => (document ? operationsOf(document) : []), [document])
  if (!document) return <p class="opening">Reading the description of the API…</p>
  const isFound = hasWords(q)
  const shown = all
    .filter((each) => isFound(`${each.method} ${each.path} ${each.summary} ${each.id}`))
    .slice(0, SHOWN)
  const chosen = id ? all.find((each) => each.id === id) : shown[0]
  const metById = new Map((coverage?.operations.met ?? []).map((each) => [each.id, each.statuses]))
  return (
    <>
      <Title title="API" note={`${all.length} operations`} shows="/openapi.json">
        <SearchBy name="q" label="Search operations" placeholder="path, words, id…" />
        <a class="button" href={`${petriUrl()}/openapi.json`} download="openapi.json">
          Download openapi.json
        </a>
      </Title>
      <Split
        label="Operations"
        class="operations"
        back={id && `/api?${query.value}`}
        list={
          <>
            {[...groupBy(shown, resourceOf)].map(([resource, own]) => (
              <details key={resource} open={q !== '' || (chosen !== undefined && own.includes(chosen))}>
                <summary class="group">
                  {resource} <small>{own.length}</small>
                </summary>
                {own.map((each) => (
                  <ListItem
                    key={each.id}
                    to={`/api/${each.id}?${query.value}`}
                    isChosen={each === chosen}
                    lead={<b class={`method ${each.method}`}>{each.method}</b>}
                    title={<Name text={each.path} />}
                    note={each.summary}
                    end={
                      metById.has(each.id) && (
                        <span class="met" role="img" aria-label="your program has called it" />
                      )
                    }
                  />
                ))}
              </details>
            ))}
            {shown.length === 0 && <Empty>No operation contains “{q}”.</Empty>}
          </>
        }
      >
        {chosen ? (
          <OperationDetail
            key={chosen.id}
            document={document}
            operation={chosen}
            statuses={metById.get(chosen.id)}
          />
        ) : (
          <Empty>There is no operation “{id}”.</Empty>
        )}
      </Split>
    </>
  )
}

/** The resource of an operation: its tag, of Petri's own its path too, because those are many. */
function resourceOf({ tag, path }: ApiOperation): string {
  const name = tag.replaceAll('_', ' ')
  const part = path.split('/')[2]?.replaceAll(/[-_]/g, ' ')
  return tag === 'petri' && part ? `${name}: ${part}` : name
}

interface OperationProps {
  readonly document: ApiDocument
  readonly operation: ApiOperation
}

interface DetailProps extends OperationProps {
  readonly statuses: Readonly<Record<string, number>> | undefined
}

function OperationDetail({ document, operation, statuses }: DetailProps) {
  const { id, method, path, summary, parameters, body, responses } = operation
  useTabTitle(`${method} ${path} · API`)
  const counts = Object.entries(statuses ?? {}).map(([status, count]) => `${count} × ${status}`)
  return (
    <>
      <Panel
        title={
          <span class="mono break">
            {method} {path}
          </span>
        }
        note={id}
      >
        <p>{summary}.</p>
        {counts.length === 0 ? (
          <p class="dim">Your program has never called it.</p>
        ) : (
          <p class="dim">
            Your program has called it; the responses were {counts.join(', ')}.{' '}
            <Link to={`/requests?q=${encodeURIComponent(path.split('{')[0] ?? '')}`}>Its calls</Link>
          </p>
        )}
      </Panel>
      <div class="cols">
        <div>
          {parameters.length > 0 && (
            <Panel title="Parameters">
              <ul class="fields">
                {parameters.map(({ name, where, isRequired, type }) => (
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
          {body && (
            <Panel title="Body">
              <Fields document={document} schema={body} />
            </Panel>
          )}
          <Panel title="Responses">
            {responses.map(({ status, description, schema }) => (
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

const MAX_DEPTH = 5

interface FieldsProps {
  readonly document: ApiDocument
  readonly schema: Schema
  readonly depth?: number
}

/** The fields of a schema; those that have fields themselves open on a click. */
function Fields({ document, schema, depth = 0 }: FieldsProps) {
  const { fields, required } = fieldsOf(document, schema)
  const entries = Object.entries(fields)
  if (entries.length === 0 || depth > MAX_DEPTH) return <p class="dim">{typeOf(document, schema)}</p>
  return (
    <ul class="fields">
      {entries.map(([name, field]) => {
        const isNested = depth < MAX_DEPTH && Object.keys(fieldsOf(document, field).fields).length > 0
        const description = field.description ?? resolve(document, field).description
        const head = (
          <>
            <code>{name}</code> <small class="dim">{isNested ? 'object' : typeOf(document, field)}</small>
            {required.includes(name) && <small class="warn"> required</small>}
            {description && <small class="dim"> {description}</small>}
          </>
        )
        return (
          <li key={name}>
            {isNested ? (
              <details>
                <summary>{head}</summary>
                <Fields document={document} schema={field} depth={depth + 1} />
              </details>
            ) : (
              head
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The field of the form that holds the body; no parameter has this name. */
const BODY = 'the body'

/** A form that makes the call, as a program with this world's key would. */
function TryIt({ document, operation }: OperationProps) {
  const { id, method, parameters, body } = operation
  const given = parameters.filter(({ where }) => where !== 'header')
  const form = useForm<Readonly<Record<string, string>>>(`api.${id}`, {
    [BODY]: body ? JSON.stringify(exampleOf(document, body), null, 2) : '',
    ...Object.fromEntries(given.map(({ name }) => [name, ''])),
  })
  const { response, send } = useCall()
  const text = form.values[BODY] ?? ''
  const path = pathOf(operation, form.values)
  return (
    <div>
      <Panel title="Try it" aside={<CopyCurl call={[method, path, text]} />}>
        <Form onSubmit={() => send(method, path, text)}>
          {given.map(({ name, isRequired }) => (
            <TextField key={name} label={name} required={isRequired} {...form.bind(name)} />
          ))}
          {body && (
            <TextField label="Body" rows={Math.min(20, text.split('\n').length + 1)} {...form.bind(BODY)} />
          )}
          <button type="submit" class="primary">
            Send
          </button>
        </Form>
      </Panel>
      {response && (
        <Panel
          title="Response"
          aside={
            <>
              <Code status={response.status} /> <Dim>{Math.round(response.durationMs)} ms</Dim>
            </>
          }
        >
          <JsonBlock value={response.body} label="Response body" />
        </Panel>
      )}
    </div>
  )
}

function pathOf({ path, parameters }: ApiOperation, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams()
  let filled = path
  for (const { name, where } of parameters) {
    const value = values[name] ?? ''
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    else if (where === 'query' && value !== '') query.append(name, value)
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}
