import { compare } from './compare.ts'

type Optional<Fields> = {
  [Name in keyof Fields]: undefined extends Fields[Name] ? Name : never
}[keyof Fields]

type Defined<Fields> = Omit<Fields, Optional<Fields> & keyof Fields> & {
  [Name in Optional<Fields> & keyof Fields]?: Exclude<Fields[Name], undefined>
}

/** A copy without the fields that are undefined. */
export function withoutUndefined<const Fields extends object>(fields: Fields): Defined<Fields> {
  const defined: Partial<Fields> = {}
  for (const name of keysOf(fields)) if (fields[name] !== undefined) defined[name] = fields[name]
  return defined as Defined<Fields>
}

/** A copy with the fields that pass a test. */
export const filterFields = <Fields extends object>(
  fields: Fields,
  isKept: (name: string, value: Fields[keyof Fields]) => boolean,
) =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => isKept(name, value)),
  ) as string extends keyof Fields ? Fields : Partial<Fields>

/** A copy without some fields. */
export function omit<Fields extends object, Name extends keyof Fields & string>(
  fields: Fields,
  ...names: readonly Name[]
): Omit<Fields, Name> {
  const without: readonly string[] = names
  const kept: Partial<Fields> = {}
  for (const name of keysOf(fields)) if (!without.includes(name)) kept[name] = fields[name]
  return kept as Omit<Fields, Name>
}

/** The names of an object's fields, which are those of its type. */
export const keysOf = <Fields extends object>(fields: Fields): (keyof Fields & string)[] =>
  Object.keys(fields) as (keyof Fields & string)[]

/** The fields of an object as pairs, which are those of its type. */
export const entriesOf = <Fields extends object>(fields: Fields) =>
  Object.entries(fields) as {
    [Name in keyof Fields & string]-?: [Name, Required<Fields>[Name]]
  }[keyof Fields & string][]

/** A table to look up names from outside in: it has no inherited ones, such as `constructor`. */
export const byName = <Value>(table: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.assign(Object.create(null), table)

/** An object with the fields of these pairs, sorted by name. */
export const sortedFields = <Value>(pairs: Iterable<readonly [string, Value]>): Record<string, Value> =>
  Object.fromEntries([...pairs].sort(([a], [b]) => compare(a, b)))
