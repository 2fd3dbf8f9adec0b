import { type ApiDocument, fieldsOf, resolve, type Schema, typeOf } from '../openapi.ts'

const DEEPEST = 5

/** The fields of a schema; those that have fields themselves open on a click. */
export function Fields({
  document,
  schema,
  depth = 0,
}: {
  document: ApiDocument
  schema: Schema
  depth?: number
}) {
  const { fields, required } = fieldsOf(document, schema)
  const entries = Object.entries(fields)
  if (entries.length === 0 || depth > DEEPEST) return <p class="dim">{typeOf(document, schema)}</p>
  return (
    <ul class="fields">
      {entries.map(([name, field]) => (
        <FieldItem key={name} {...{ document, name, field, depth }} isRequired={required.includes(name)} />
      ))}
    </ul>
  )
}

interface ItemProps {
  readonly document: ApiDocument
  readonly name: string
  readonly field: Schema
  readonly depth: number
  readonly isRequired: boolean
}

function FieldItem({ document, name, field, depth, isRequired }: ItemProps) {
  const nests = Object.keys(fieldsOf(document, field).fields).length > 0
  const description = field.description ?? resolve(document, field).description
  const head = (
    <>
      <code>{name}</code> <small class="dim">{nests ? 'object' : typeOf(document, field)}</small>
      {isRequired && <small class="warn"> required</small>}
      {description && <small class="dim"> {description}</small>}
    </>
  )
  if (!nests || depth >= DEEPEST) return <li>{head}</li>
  return (
    <li>
      <details>
        <summary>{head}</summary>
        <Fields document={document} schema={field} depth={depth + 1} />
      </details>
    </li>
  )
}
