import { headerNames } from '../../kernel/headers.ts'
import { isObject, listIn, objectIn } from '../../kernel/json.ts'
import { UUIDS } from '../../kernel/uuid.ts'
import type { DescribedOperation, Description, Field, Node } from '../drift/description.ts'
import type { Reply } from '../team-api.ts'

/** The replies of both sides to a question, by its title. */
export interface Answered {
  readonly title: string
  readonly own: Reply
  readonly other: Reply
}

/** Describes the replies of one side as an OpenAPI document would, with the values that are to be compared as enums. */
export function describeReplies(answered: readonly Answered[], side: 'own' | 'other'): Description {
  const counterpart = side === 'own' ? 'other' : 'own'
  const operations = answered.map(({ title, ...replies }): [string, DescribedOperation] => {
    const [reply, other] = [replies[side], replies[counterpart]]
    // Nothing in the bodies of different statuses can be compared.
    const isComparable = reply.status === other.status && reply.body !== undefined
    const operation = {
      route: title,
      deprecated: false,
      isManagement: false,
      parameters: describeHead(reply),
      request: [],
      answer: isComparable ? [describe(reply.body, other.body, '')] : [],
    }
    return [title, operation]
  })
  return { document: {}, operations: new Map(operations), events: new Map() }
}

/** Headers of the network on the way and of this very reply. Whether it is compressed depends on its length. */
const ignoredHeaders: ReadonlySet<string> = new Set([
  ...['date', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'via', 'server', 'alt-svc'],
  ...['traceresponse', 'x-envoy-upstream-service-time', 'set-cookie', 'age', 'content-encoding'],
])

/** Headers that are compared by presence only. */
const variableHeaders: ReadonlySet<string> = new Set([
  headerNames.requestId,
  'etag',
  'last-modified',
  'retry-after',
])

/** The status and the headers. */
function describeHead({ status, headers }: Reply): Map<string, Field> {
  const values = [...headers]
    .map(([name, value]) => [name, name === 'vary' ? withoutEncoding(value) : value] as const)
    .filter(
      ([name, value]) => value !== '' && !ignoredHeaders.has(name) && !name.startsWith(headerNames.version),
    )
    .map(([name, value]) => [`header.${name}`, variableHeaders.has(name) ? '' : shapeOf(value)] as const)
  const described = [['status', String(status)] as const, ...values]
  return new Map(
    described.map(([name, value]) => [name, { schemas: [only('string', value)], required: true }]),
  )
}

const withoutEncoding = (vary: string): string =>
  vary
    .split(/\s*,\s*/)
    .filter((name) => name.toLowerCase() !== 'accept-encoding')
    .join(',')

/** The schema of one value. */
const only = (type: string, value: unknown): Node => ({ type, enum: [value] })

/** Fields whose values differ from reply to reply, by the end of their path. */
const variable = [
  /(^|\.)(next_cursor|(source_)?sample_id|external_id|(specimen|control)_number|medical_director|user_key|\w*_token|\w+bound_(courier|tracking_number))$/,
  /\b(last_event|event|events\[\d+\])\.id$/,
  /\bphysician\.\w+$/,
  /\bclinical_information\.(fasting|information)$/,
  /(^|\bmetadata\.)provider$/,
]

/** Fields of a result, which may also be null. */
const free =
  /\bresults\[[^\]]*\]\.(value|result|type|unit|notes|\w*interpretation|reference_range|(min|max)_range_value|is_\w+_range)$/

/** Objects whose keys are ids of one reply. */
const keyedByIds = /(^|\.)sample_information$/

/** Describes a value. Rows of lists are named as in the counterpart, so that the same rows are compared. */
function describe(value: unknown, counterpart: unknown, path: string): Node {
  if (Array.isArray(value)) return describeList(value, listIn(counterpart), path)
  if (free.test(path)) return {}
  if (isObject(value)) {
    const other = objectIn(counterpart)
    if (keyedByIds.test(path)) return describeList(Object.values(value), Object.values(other), path)
    return describeFields(
      Object.entries(value).map(([name, each]) => [name, each, other[name]]),
      path,
      '.',
    )
  }
  if (value === null) return { type: 'null' }
  if (variable.some((pattern) => pattern.test(path))) return { type: typeof value }
  return only(typeof value, typeof value === 'string' ? shapeOf(value) : value)
}

type NamedValue = readonly [name: string, value: unknown, counterpart: unknown]

const describeFields = (fields: readonly NamedValue[], path: string, separator: string): Node => ({
  type: separator === '.' ? 'object' : 'array',
  properties: Object.fromEntries(
    fields.map(([name, value, counterpart]) => [
      name,
      describe(value, counterpart, `${path}${path && separator}${name}`),
    ]),
  ),
  required: fields.map(([name]) => name),
})

/** A list of objects has a property for each row; any other list is one value. */
function describeList(list: readonly unknown[], counterpart: readonly unknown[], path: string): Node {
  const rows = [...list, ...counterpart]
  if (rows.length === 0 || !rows.every(isObject)) return only('array', shapeOf(JSON.stringify(list)))
  const nameOf = namerOf(list.filter(isObject), counterpart.filter(isObject))
  const others = new Map(counterpart.map((row, at) => [nameOf(row, at), row]))
  return describeFields(
    list.map((row, at) => [nameOf(row, at), row, others.get(nameOf(row, at))]),
    path,
    '',
  )
}

/** Fields that name a row, the most telling one first. */
const naming = ['slug', 'payor_code', 'code', 'site_code', 'provider_id', 'account_name', 'lab', 'name']

/** Names rows by a field that tells them apart on both sides, or else by their positions. */
function namerOf(list: readonly Node[], counterpart: readonly Node[]) {
  const nameIn = (row: Node, field: string) => shapeOf(String(row[field]))
  const isTelling = (rows: readonly Node[], field: string) =>
    rows.every((row) => typeof row[field] === 'string') &&
    new Set(rows.map((row) => nameIn(row, field))).size === rows.length
  const field = naming.find((each) => isTelling(list, each) && isTelling(counterpart, each))
  return (row: unknown, at: number): string =>
    `[${field !== undefined && isObject(row) ? nameIn(row, field) : at}]`
}

/** A text with ids, times and addresses replaced by their shapes. */
function shapeOf(text: string): string {
  if (/^https?:\/\/(?:<id \d+>|\S)+$/.test(text)) return '<URL>'
  return text
    .replace(UUIDS, '<id>')
    .replace(/^[0-9a-f]{8}-(?=[a-z])/, '<team>-')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, (time) =>
      time.replace(/\d/g, '0'),
    )
    .replace(/\b(\d{4}-\d\d-\d\d|\d\d-\d\d-\d{4})\b/g, (date) => date.replace(/\d/g, '0'))
    .replace(/\b\d{1,2}(:\d\d)? [AP]M\b/g, '0 AM')
}
