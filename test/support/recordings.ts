import { isDeepStrictEqual } from 'node:util'
import {
  type Given,
  type RecordedCall,
  type RecordedStep,
  type Recording,
  type RecordingFile,
  readGiven,
} from '../../scripts/recordings.ts'
import { once } from '../../src/kernel/once.ts'
import { startTestWorld, type TestPetri } from './petri.ts'

/** What earlier calls have kept, and the values of the files. */
type Values = Map<string, unknown>

const given = once(readGiven)

/** Makes the calls of a recording in a world of its own. Returns what is not as recorded, a line for each field. */
export async function play(
  { calls, columns = '', rows = [[]], ...recording }: Recording,
  { values: own }: Pick<RecordingFile, 'values'>,
): Promise<string[]> {
  const petri = await startTestWorld()
  const { like, features } = recording
  if (like || features) await petri.patch('/_petri/world', { like, features })
  const values: Values = new Map(Object.entries({ ...given().values, ...own }))
  const prepared = new Set<string>()
  for (const name of recording.given) await prepare(petri, name, values, prepared)
  const differences: string[] = []
  const names = columns.split(/\s+/)
  for (const row of rows) {
    const scope: Values = new Map(values)
    for (const [nth, value] of row.entries()) scope.set(names[nth] ?? '', insert(value, values))
    const label = row.length > 0 ? `${JSON.stringify(row)}: ` : ''
    for (const found of await playAll(petri, calls, scope)) differences.push(`${label}${found}`)
  }
  return differences
}

async function prepare(petri: TestPetri, name: string, values: Values, done: Set<string>): Promise<void> {
  if (done.has(name)) return
  done.add(name)
  const { needs, calls } = given().given[name] as Given['given'][string]
  for (const need of needs) await prepare(petri, need, values, done)
  const differences = await playAll(petri, calls, values)
  if (differences.length > 0) throw new Error(`${name} cannot be prepared: ${differences.join('\n')}`)
}

async function playAll(petri: TestPetri, steps: readonly RecordedStep[], values: Values): Promise<string[]> {
  const differences: string[] = []
  for (const step of steps) {
    if ('advance' in step) await petri.post('/_petri/clock/advance', { by: step.advance })
    else differences.push(...(await playCall(petri, step, values)))
  }
  return differences
}

async function playCall(petri: TestPetri, step: RecordedCall, values: Values): Promise<string[]> {
  const [method = '', path = ''] = String(insert(step.call, values)).split(' ')
  const body = insert(step.body, values)
  const changed = structuredClone(body)
  for (const [at, value] of Object.entries(step.change ?? {})) {
    const where = String(insert(at, values))
    setAt(changed, where.split('.'), insert(value, values))
  }
  const response = await petri.petri.app.request(path, {
    method,
    headers: { 'x-vital-api-key': petri.key, 'content-type': 'application/json', ...step.headers },
    ...(changed !== undefined && { body: JSON.stringify(changed) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const reply: unknown = isJson ? JSON.parse(text) : text
  for (const [name, at] of Object.entries(step.keep ?? {}))
    values.set(name, valueAt(reply, String(insert(at, values))))

  const expected = (value: unknown) => insert(value, values)
  const checks: [what: string, expected: unknown, found: unknown][] = [
    ['status', expected(step.status), response.status],
    ...Object.entries(step.fields ?? {}).map(([at, value]): (typeof checks)[number] => {
      const where = String(expected(at))
      return [where, expected(value), valueAt(reply, where)]
    }),
    ...Object.entries(step.keys ?? {}).map(([at, keys]): (typeof checks)[number] => [
      `keys of ${at}`,
      String(expected(keys)).split(' '),
      Object.keys(valueAt(reply, String(expected(at))) ?? {}),
    ]),
    ...(step.absent ?? []).map((at): (typeof checks)[number] => [at, undefined, valueAt(reply, at)]),
    ...Object.entries(step.response_headers ?? {}).map(([name, value]): (typeof checks)[number] => [
      `header ${name}`,
      value,
      response.headers.get(name),
    ]),
  ]
  if (step.text !== undefined) checks.push(['text', step.text, text])
  if (step.bytes !== undefined) checks.push(['bytes', step.bytes, Buffer.byteLength(text)])
  return checks
    .filter(([, wanted, found]) => !matches(wanted, found))
    .map(
      ([what, wanted, found]) =>
        `${step.call} ${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`,
    )
}

const REGEX = /^\/(.*)\/$/s

/** Whether a value is the expected one; a text between slashes is a regular expression, also inside of lists and objects. */
function matches(expected: unknown, found: unknown): boolean {
  const pattern = typeof expected === 'string' ? REGEX.exec(expected)?.[1] : undefined
  if (pattern !== undefined) return new RegExp(pattern, 's').test(String(found))
  if (Array.isArray(expected) && Array.isArray(found))
    return expected.length === found.length && expected.every((each, nth) => matches(each, found[nth]))
  if (isObject(expected) && isObject(found))
    return (
      isDeepStrictEqual(Object.keys(expected).sort(), Object.keys(found).sort()) &&
      Object.keys(expected).every((key) => matches(expected[key], found[key]))
    )
  return Object.is(expected, found)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at `order.events[-1].status`; `events[].status` is a list of each, and an empty path the whole. */
function valueAt(value: unknown, path: string): unknown {
  const [, head = '', index, rest = ''] = /^([^.[]*)(\[-?\d*\])?\.?(.*)$/s.exec(path) ?? []
  const own = head === '' ? value : (value as Record<string, unknown> | null | undefined)?.[head]
  if (index === undefined) return rest === '' ? own : valueAt(own, rest)
  if (!Array.isArray(own)) return undefined
  if (index === '[]') return own.map((each) => valueAt(each, rest))
  return valueAt(own.at(Number(index.slice(1, -1))), rest)
}

function setAt(target: unknown, [key = '', ...rest]: readonly string[], value: unknown): void {
  const object = target as Record<string, unknown>
  if (rest.length > 0) setAt(object[key], rest, value)
  else object[key] = value
}

const NAME = /\{(\w+)\}/g

/** Puts values in place of their names in braces; a text that is only a name becomes the value itself. */
function insert(template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const only = /^\{(\w+)\}$/.exec(template)?.[1]
    if (only !== undefined && values.has(only)) return insert(values.get(only), values)
    return template.replace(NAME, (whole, name: string) =>
      values.has(name) ? String(values.get(name)) : whole,
    )
  }
  if (Array.isArray(template)) return template.map((each) => insert(each, values))
  if (isObject(template))
    return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, insert(value, values)]))
  return template
}
