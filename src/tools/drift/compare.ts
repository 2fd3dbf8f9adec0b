import { append, compact } from '../../kernel/list.ts'
import { FileError } from '../../kernel/reason.ts'
import {
  createShapes,
  type DescribedOperation,
  type Description,
  type Field,
  type Node,
  nameOf,
  type Shape,
} from './description.ts'
import type { Difference } from './report.ts'

export type ShapeDifference = Pick<Difference, 'kind' | 'change' | 'path' | 'detail'>

/** An operation, an event or a named schema compared with its counterpart in Petri. */
export interface Pair {
  readonly title: string
  readonly findings: ShapeDifference[]
  /** The schemas it refers to, and at which paths. */
  readonly parts: Map<Pair, Set<string>>
}

const newPair = (title: string, findings: ShapeDifference[] = []): Pair => ({
  title,
  findings,
  parts: new Map(),
})

interface ComparisonOptions {
  /** Whether each schema describes one value: the order of its fields counts too, and a value without fields has none. */
  readonly exact?: boolean
}

/** Compares two descriptions. Throws a readable Error if the newer one is too large. */
export const compareDescriptions = (
  newer: Description,
  served: Description,
  options: ComparisonOptions = {},
): Difference[] => differencesOf(comparePairs(newer, served, options))

/** Compares the operations and events of two descriptions. Throws a readable Error if the newer one is too large. */
export function comparePairs(
  newer: Description,
  served: Description,
  options: ComparisonOptions = {},
): Pair[] {
  const comparison = createComparison(newer.document, served.document, options)
  const pairs: Pair[] = []
  const operations = operationsOfSameApi(newer, served)
  for (const [key, operation] of newer.operations) {
    const counterpart = operations.get(key)
    if (counterpart) pairs.push(comparison.compareOperations(operation, counterpart))
    else pairs.push(wholePair(operation.route, 'operation', 'added'))
  }
  for (const [key, { route }] of operations)
    if (!newer.operations.has(key)) pairs.push(wholePair(route, 'operation', 'gone'))
  for (const [name, schemas] of newer.events) {
    const counterpart = served.events.get(name)
    if (counterpart) pairs.push(comparison.compareEvents(name, schemas, counterpart))
    else pairs.push(wholePair(name, 'event', 'added'))
  }
  // A description without any events, such as that of the management API, cannot be compared in them.
  for (const name of newer.events.size > 0 ? served.events.keys() : [])
    if (!newer.events.has(name)) pairs.push(wholePair(name, 'event', 'gone'))
  comparison.finish()
  return pairs
}

const wholePair = (title: string, kind: Difference['kind'], change: Difference['change']): Pair =>
  newPair(title, [{ kind, change, path: '', detail: '' }])

/** Petri's operations of the same API: team API or management API. */
function operationsOfSameApi(newer: Description, served: Description): Map<string, DescribedOperation> {
  const operations = [...served.operations]
  const apis = new Set(
    operations.filter(([key]) => newer.operations.has(key)).map(([, { isManagement }]) => isManagement),
  )
  return new Map(operations.filter(([, { isManagement }]) => apis.has(isManagement)))
}

/** The maximum number of visited pairs, summed over all operations and events. */
const MAX_STEPS = 2_000_000

/** The differences of pairs, each once, with the operations and events that have it. */
export function differencesOf(pairs: readonly Pair[]): Difference[] {
  const users = new Map<Pair, string[]>()
  let steps = 0
  for (const pair of pairs) {
    const reached = new Set([pair])
    // Iterating a set includes elements that are added meanwhile.
    for (const each of reached) {
      if (++steps > MAX_STEPS) throw new FileError('is too large to be compared')
      for (const part of each.parts.keys()) reached.add(part)
      const known = users.get(each)
      if (known) known.push(pair.title)
      else users.set(each, [pair.title])
    }
  }
  // One schema may be compared with several of Petri's, with the same findings.
  const differences = new Map<string, Difference>()
  for (const [{ title, findings }, titles] of users) {
    for (const finding of findings) {
      const key = JSON.stringify([title, finding])
      const used_by = new Set([...(differences.get(key)?.used_by ?? []), ...titles])
      differences.set(key, { ...finding, where: title, used_by: [...used_by] })
    }
  }
  return [...differences.values()]
}

/** Whether the client or Petri sends a body. */
type Direction = 'request' | 'answer'

interface Scope {
  readonly pair: Pair
  readonly direction: Direction
  /** The nesting of schemas without names. */
  readonly level: number
}

/** The maximum number of compared pairs. */
const MAX_PAIRS = 50_000
/** The maximum nesting of schemas without names. */
const MAX_LEVELS = 64

/** Compares schemas of two documents; each pair of named schemas once. */
function createComparison(newer: Node, served: Node, { exact = false }: ComparisonOptions) {
  const newShapeOf = createShapes(newer)
  const servedShapeOf = createShapes(served)
  const ids = new Map<Node, number>()
  const pairs = new Map<string, Pair>()
  const pending: (() => void)[] = []

  function idOf(node: Node): number {
    const id = ids.get(node) ?? ids.size
    ids.set(node, id)
    return id
  }

  function pairOf(title: string, direction: Direction, now: readonly Node[], was: readonly Node[]): Pair {
    const key = `${direction} ${title} ${nameOf(served, was) ?? was.map(idOf).join()}`
    const known = pairs.get(key)
    if (known) return known
    if (pairs.size >= MAX_PAIRS) throw new FileError('is too large to be compared')
    const pair = newPair(title)
    pairs.set(key, pair)
    pending.push(() => compareShapes({ pair, direction, level: 0 }, '', newShapeOf(now), servedShapeOf(was)))
    return pair
  }

  function compareSchemas(scope: Scope, path: string, now: readonly Node[], was: readonly Node[]): void {
    if (now.length === 0 || was.length === 0) return
    const newShape = newShapeOf(now)
    const servedShape = servedShapeOf(was)
    const { pair, direction, level } = scope
    append(pair.findings, typeChanges(path, newShape, servedShape))
    const name = nameOf(newer, now)
    if (name === undefined) compareShapes({ pair, direction, level: level + 1 }, path, newShape, servedShape)
    else {
      const part = pairOf(name, direction, now, was)
      pair.parts.set(part, (pair.parts.get(part) ?? new Set()).add(path))
    }
  }

  function compareShapes(scope: Scope, path: string, now: Shape, was: Shape): void {
    if (scope.level > MAX_LEVELS) throw new FileError('is nested too deep to be compared')
    const { findings } = scope.pair
    // The fields and the value of another type are all different.
    if (exact && hasOtherTypes(now, was)) return
    append(findings, exact ? singleValueChanges(path, now, was) : valueChanges(path, now, was))
    // A schema without fields allows any field.
    if (exact || (now.properties.size > 0 && was.properties.size > 0))
      append(findings, fieldChanges('field', path, now.properties, was.properties, scope.direction))
    if (exact) append(findings, orderChanges(path, now.properties, was.properties))
    for (const [name, { schemas }] of now.properties)
      compareSchemas(scope, join(path, name), schemas, was.properties.get(name)?.schemas ?? [])
    compareSchemas(scope, `${path}[]`, now.items, was.items)
    compareSchemas(scope, join(path, '*'), now.entries, was.entries)
  }

  return {
    compareOperations(now: DescribedOperation, was: DescribedOperation): Pair {
      const pair = newPair(now.route, operationChanges(now, was))
      for (const [name, { schemas }] of now.parameters) {
        const scope = { pair, direction: 'request', level: 0 } as const
        compareSchemas(scope, name, schemas, was.parameters.get(name)?.schemas ?? [])
      }
      for (const direction of ['request', 'answer'] as const)
        compareSchemas({ pair, direction, level: 0 }, direction, now[direction], was[direction])
      return pair
    },
    compareEvents(name: string, now: readonly Node[], was: readonly Node[]): Pair {
      const pair = newPair(name)
      const scope = { pair, direction: 'answer', level: 0 } as const
      compareShapes(scope, '', withoutType(newShapeOf(now)), withoutType(servedShapeOf(was)))
      return pair
    },
    /** Compares the named schemas found so far, and those they refer to. */
    finish() {
      for (let compare = pending.pop(); compare; compare = pending.pop()) compare()
    },
  }
}

/** One schema may describe several events, so the values of `event_type` are not compared. */
const withoutType = (shape: Shape): Shape => ({
  ...shape,
  properties: new Map([...shape.properties].filter(([name]) => name !== 'event_type')),
})

/** Rows are named in brackets. */
export const join = (path: string, name: string) =>
  path === '' || name.startsWith('[') ? `${path}${name}` : `${path}.${name}`

function operationChanges(now: DescribedOperation, was: DescribedOperation): ShapeDifference[] {
  const changes = fieldChanges('parameter', '', now.parameters, was.parameters, 'request')
  if (now.deprecated !== was.deprecated) {
    const detail = now.deprecated ? 'deprecated' : 'no longer deprecated'
    changes.unshift({ kind: 'operation', change: 'changed', path: '', detail })
  }
  for (const path of ['request', 'answer'] as const) {
    const has = now[path].length > 0
    if (has !== was[path].length > 0)
      changes.push({ kind: 'field', change: has ? 'added' : 'gone', path, detail: 'the whole body' })
  }
  return changes
}

type ShapeFields = ReadonlyMap<string, Field>

function fieldChanges(
  kind: 'parameter' | 'field',
  path: string,
  now: ShapeFields,
  was: ShapeFields,
  direction: Direction,
): ShapeDifference[] {
  const changes: ShapeDifference[] = []
  for (const name of new Set([...now.keys(), ...was.keys()])) {
    const newer = now.get(name)
    const served = was.get(name)
    const detail = compact([served, newer].map((field) => field && presenceOf(field))).join(' -> ')
    const at = join(path, name)
    if (!newer) changes.push({ kind, change: 'gone', path: at, detail })
    else if (!served) changes.push({ kind, change: 'added', path: at, detail })
    // A field that Petri always sends is also valid where it is optional.
    else if (newer.required !== served.required && !(direction === 'answer' && served.required))
      changes.push({ kind, change: 'changed', path: at, detail })
  }
  return changes
}

const presenceOf = ({ required }: Field) => (required ? 'required' : 'optional')

const alternatives = (values: Iterable<string>) => [...values].sort().join(' or ')

const hasOtherTypes = ({ types: now }: Shape, { types: was }: Shape): boolean =>
  now.size > 0 && was.size > 0 && alternatives(now) !== alternatives(was)

function typeChanges(path: string, now: Shape, was: Shape): ShapeDifference[] {
  if (!hasOtherTypes(now, was)) return []
  const detail = `${alternatives(was.types)} -> ${alternatives(now.types)}`
  return [{ kind: 'field', change: 'changed', path, detail }]
}

/** The change of a schema with one value. */
function singleValueChanges(path: string, { values: now }: Shape, { values: was }: Shape): ShapeDifference[] {
  const [newer, served] = [[...now].join(), [...was].join()]
  return newer === served ? [] : [{ kind: 'text', change: 'changed', path, detail: `${served} -> ${newer}` }]
}

/** The change of the order of the fields that both have. */
function orderChanges(path: string, now: ShapeFields, was: ShapeFields): ShapeDifference[] {
  const newer = [...now.keys()].filter((name) => was.has(name))
  const served = [...was.keys()].filter((name) => now.has(name))
  const first = newer.findIndex((name, at) => name !== served[at])
  if (first === -1) return []
  const last = newer.findLastIndex((name, at) => name !== served[at])
  const part = (names: string[]) => names.slice(first, last + 1).join(', ')
  return [{ kind: 'order', change: 'changed', path, detail: `${part(served)} -> ${part(newer)}` }]
}

function valueChanges(path: string, { values: now }: Shape, { values: was }: Shape): ShapeDifference[] {
  const kind = 'value'
  if (now.size === 0 && was.size === 0) return []
  if (now.size === 0) return [{ kind, change: 'changed', path, detail: 'one of a list -> any value' }]
  if (was.size === 0) return [{ kind, change: 'changed', path, detail: 'any value -> one of a list' }]
  const changes: ShapeDifference[] = []
  for (const detail of now) if (!was.has(detail)) changes.push({ kind, change: 'added', path, detail })
  for (const detail of was) if (!now.has(detail)) changes.push({ kind, change: 'gone', path, detail })
  return changes
}
