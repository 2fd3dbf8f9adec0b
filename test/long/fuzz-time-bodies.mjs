// Requests of an operation in which one part is made larger and larger.

const MAX_DEPTH = 6

/** For every text, list and object of a request: its path, and a function that builds the request with that part at a size. */
export function* bodiesOf({ method, parameters, body }, document, known) {
  for (const { name, in: where } of parameters) {
    if (where !== 'query') continue
    const path = (size) => (size > 10_000 ? undefined : `?${name}=${'x'.repeat(size)}`)
    yield { field: `?${name}`, grow: (size) => sized({ path: path(size) }) }
  }
  const schema = body?.['application/json']?.schema
  if (!schema || method === 'GET') return
  const whole = sample(schema, document, known)
  const isSource = /yaml/.test(Object.keys(body).join())
  if (isSource)
    yield {
      field: 'yaml',
      grow: (size) => sized({ body: 'a: '.repeat(size), contentType: 'application/yaml' }),
    }
  for (const letters of ['x', ' ', '{', 'a.', '1d', '-eyJ'])
    yield { field: `body as ${letters}`, grow: (size) => sized({ body: letters.repeat(size) }) }
  for (const { at, larger } of partsOf(whole, [])) {
    yield { field: at, grow: (size) => sized({ body: JSON.stringify(larger(size)) }) }
  }
}

const sized = (sent) =>
  sent.path === undefined && sent.body === undefined
    ? undefined
    : { ...sent, length: (sent.body ?? sent.path).length }

export const fillPath = (path, known) =>
  path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known[name] ?? 'x'))

/** Each part of a value, and the value with that part larger. */
function* partsOf(value, path) {
  const at = path.length === 0 ? 'body' : path.join('.')
  if (typeof value === 'string') {
    yield { at, larger: (size) => 'x'.repeat(size) }
    yield { at: `${at} in words`, larger: (size) => 'x '.repeat(size) }
    return
  }
  if (Array.isArray(value)) {
    const items = (make) => (size) => Array.from({ length: size }, (_, index) => make(index))
    yield { at: `${at} as a list`, larger: items(() => value[0] ?? 'x') }
    yield { at: `${at} as a list of other texts`, larger: items((index) => `x${index}`) }
    for (const part of partsOf(value[0] ?? 'x', [...path, '0']))
      yield { at: part.at, larger: (size) => [part.larger(size)] }
    return
  }
  if (typeof value !== 'object' || value === null) return
  yield {
    at: `${at} with unknown fields`,
    larger: (size) => ({
      ...value,
      ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}`, index])),
    }),
  }
  for (const [name, field] of Object.entries(value))
    for (const part of partsOf(field, [...path, name]))
      yield { at: part.at, larger: (size) => ({ ...value, [name]: part.larger(size) }) }
}

const formats = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '1990-01-01',
  'date-time': '2026-01-05T09:00:00+00:00',
  email: 'ada@example.com',
  uri: 'http://127.0.0.1:9/x',
}

/** JSON that matches a schema well enough to pass its validation. */
function sample(schema, document, known, name = '', depth = 0) {
  const again = (other, field = name) => sample(other, document, known, field, depth + 1)
  if (depth > MAX_DEPTH) return null
  if (schema.$ref) return again(document.components.schemas[schema.$ref.split('/').at(-1)])
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices) return again(choices.find(({ type }) => type !== 'null') ?? choices[0])
  if (schema.type === 'object' || schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([field, of]) => [field, again(of, field)]),
    )
  if (schema.type === 'array') return schema.items ? [again(schema.items)] : []
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return false
  if (schema.type === 'null') return null
  return known[name] ?? schema.examples?.[0] ?? formats[schema.format] ?? 'x'
}
