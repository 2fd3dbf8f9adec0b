/** What is used here of a JSON schema. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** The name of the schema that this one refers to. */
export const nameOfRef = (schema: Schema | undefined): string | undefined => schema?.$ref?.split('/').at(-1)

/** The names of the schemas that a value refers to, anywhere in it. */
export function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.split('/').at(-1) ?? ''] : refsIn(inner),
  )
}

/** A type in Markdown, with links to the schemas that have a name. */
export function typeInWords(schema: Schema, link: (name: string) => string): string {
  const name = nameOfRef(schema)
  const text = name ? link(name) : (alternatives(schema, link) ?? plainType(schema, link))
  return [text, ...limitsOf(schema)].join(', ')
}

function alternatives({ anyOf, oneOf, enum: values, const: only }: Schema, link: (name: string) => string) {
  const choices = anyOf ?? oneOf
  if (choices) return choices.map((choice) => typeInWords(choice, link)).join(' or ')
  if (values) return values.map((value) => `\`${String(value)}\``).join(' or ')
  return only === undefined ? undefined : `\`${String(only)}\``
}

function plainType(schema: Schema, link: (name: string) => string): string {
  const { type = 'any', format, items, properties, additionalProperties, required = [] } = schema
  const types = typeof type === 'string' ? [type] : type
  const kinds = types.map((kind) => {
    if (kind === 'array') return `array of ${typeInWords(items ?? {}, link)}`
    if (kind === 'string' && format) return format
    if (kind !== 'object') return kind
    if (properties) {
      const fields = Object.entries(properties).map(
        ([field, value]) => `\`${field}\`${required.includes(field) ? '' : '?'}: ${typeInWords(value, link)}`,
      )
      return `object {${fields.join('; ')}}`
    }
    return typeof additionalProperties === 'object'
      ? `object of ${typeInWords(additionalProperties, link)}`
      : 'object'
  })
  return kinds.join(' or ')
}

function limitsOf(schema: Schema): string[] {
  const said: readonly (readonly [words: string, value: unknown])[] = [
    ['at least', schema.minimum],
    ['at most', schema.maximum],
    ['at least this long:', schema.minLength],
    ['at most this long:', schema.maxLength],
    ['at most so many:', schema.maxItems],
    ['by default', schema.default ?? undefined],
  ]
  return said
    .filter(([, value]) => value !== undefined)
    .map(
      ([words, value]) => `${words} \`${typeof value === 'object' ? JSON.stringify(value) : String(value)}\``,
    )
}
