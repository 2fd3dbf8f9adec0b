import type { DescribedOperation } from './description.ts'
import type { Shape } from './shape.ts'

/** A difference between a newer description and what Petri serves. */
export interface Difference {
  readonly kind: 'operation' | 'event' | 'parameter' | 'field' | 'value'
  /** `added`: only in the newer description; `gone`: only in Petri. */
  readonly change: 'added' | 'gone' | 'changed'
  /** An operation, an event, or a schema by its name in the newer description. */
  readonly where: string
  /** The path of a field or parameter; empty for the whole schema. */
  readonly path: string
  readonly detail: string
  /** The operations and events it affects. */
  readonly used_by: readonly string[]
}

/** A difference without the place where it is used. */
export type Found = Omit<Difference, 'where' | 'used_by'>

/** Whether the client or Petri sends a body. */
export type Direction = 'request' | 'answer'

export const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
const fieldPresence = (required: boolean) => (required ? 'required' : 'optional')
const listOf = (values: Iterable<string>) => [...values].sort().join(' or ') || 'anything'

export function operationChanges(a: DescribedOperation, b: DescribedOperation): Found[] {
  const kind = 'parameter'
  const parameters = [...new Set([...a.parameters.keys(), ...b.parameters.keys()])].flatMap(
    (path): Found[] => {
      const [now, was] = [a.parameters.get(path), b.parameters.get(path)]
      if (now && was) return requiredChange(kind, path, now, was)
      return [
        {
          kind,
          change: now ? 'added' : 'gone',
          path,
          detail: fieldPresence((now ?? was)?.required ?? false),
        },
      ]
    },
  )
  const bodies = (['request', 'answer'] as const).flatMap((path): Found[] => {
    const [now, was] = [a[path].length > 0, b[path].length > 0]
    if (now === was) return []
    return [{ kind: 'field', change: now ? 'added' : 'gone', path, detail: 'the whole body' }]
  })
  const deprecation: Found[] =
    a.deprecated === b.deprecated
      ? []
      : [
          {
            kind: 'operation',
            change: 'changed',
            path: '',
            detail: a.deprecated ? 'deprecated' : 'no longer deprecated',
          },
        ]
  return [...deprecation, ...parameters, ...bodies]
}

const requiredChange = (
  kind: Found['kind'],
  path: string,
  now: { readonly required: boolean },
  was: { readonly required: boolean },
): Found[] =>
  now.required === was.required
    ? []
    : [
        {
          kind,
          change: 'changed',
          path,
          detail: `${fieldPresence(was.required)} -> ${fieldPresence(now.required)}`,
        },
      ]

export function typeChange(path: string, { types: now }: Shape, { types: was }: Shape): Found[] {
  if (now.size === 0 || was.size === 0 || listOf(now) === listOf(was)) return []
  return [{ kind: 'field', change: 'changed', path, detail: `${listOf(was)} -> ${listOf(now)}` }]
}

export function valueChanges(path: string, { values: now }: Shape, { values: was }: Shape): Found[] {
  if (now.size === 0 && was.size === 0) return []
  if (now.size === 0 || was.size === 0) {
    const detail = was.size === 0 ? 'any value -> one of a list' : 'one of a list -> any value'
    return [{ kind: 'value', change: 'changed', path, detail }]
  }
  const only = (some: ReadonlySet<string>, others: ReadonlySet<string>, change: Found['change']): Found[] =>
    [...some].filter((value) => !others.has(value)).map((detail) => ({ kind: 'value', change, path, detail }))
  return [...only(now, was, 'added'), ...only(was, now, 'gone')]
}

export function fieldChanges(
  path: string,
  direction: Direction,
  { properties: now }: Shape,
  { properties: was }: Shape,
): Found[] {
  // A schema without fields allows any field.
  if (now.size === 0 || was.size === 0) return []
  const kind = 'field'
  return [...new Set([...now.keys(), ...was.keys()])].flatMap((name): Found[] => {
    const [newer, served] = [now.get(name), was.get(name)]
    const at = join(path, name)
    // A field that Petri always sends is also valid where it is optional.
    if (newer && served && direction === 'answer' && served.required) return []
    if (newer && served) return requiredChange(kind, at, newer, served)
    return [
      {
        kind,
        change: newer ? 'added' : 'gone',
        path: at,
        detail: fieldPresence((newer ?? served)?.required ?? false),
      },
    ]
  })
}
