import { compact } from '../../kernel/list.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { type Catalogue, type ExpectedResult, type Marker, namesOf } from '../catalogue/service.ts'
import type { OrderRow } from '../orders/table.ts'

/** An expected result and its markers. */
export interface Expected {
  readonly result: ExpectedResult
  readonly markers: readonly [Marker, ...Marker[]]
  /** Whether the laboratory adds it without an order. */
  readonly isUnsolicited?: boolean
}

/** The expected results of an order's markers, which can share a result. A lab test that lists none has reports all the same. */
export function expectedOf(catalogue: Catalogue, { lab_test }: OrderRow): Expected[] {
  const known = catalogue.markers()
  const listed = lab_test.markers?.map(({ id }) => id)
  const ids = listed ?? catalogue.labTests().get(lab_test.slug)?.reports ?? []
  const ordered = gather(compact(ids.map((id) => known.get(id))))
  return [...ordered, ...unsolicitedWith(catalogue, lab_test.lab?.slug ?? '', ordered)]
}

/** The results that a laboratory adds to ordered ones. */
function unsolicitedWith(catalogue: Catalogue, lab: string, ordered: readonly Expected[]): Expected[] {
  const added = catalogue.labProfiles().get(lab)?.unsolicited ?? {}
  const has = (slug: string) => ordered.some(({ result }) => result.analyte.slug === slug)
  return ordered.flatMap(({ result, markers }) =>
    (added[result.analyte.slug] ?? [])
      .filter((slug) => !has(slug))
      .flatMap((slug) => {
        const own = catalogue.resultOf(lab, slug)
        return own ? [{ result: own, markers, isUnsolicited: true }] : []
      }),
  )
}

/** Results of reflex markers, for markers with a result out of range. */
export function reflexOf(catalogue: Catalogue, flagged: readonly Expected[]): Expected[] {
  const known = catalogue.markers()
  const added = new Set(flagged.flatMap(({ markers }) => markers.flatMap(({ reflex }) => reflex)))
  return gather(compact([...added].map((id) => known.get(id))))
}

function gather(markers: readonly Marker[]): Expected[] {
  const found = new Map<number, Expected>()
  for (const marker of markers) {
    for (const result of marker.results) {
      const before = found.get(result.id)
      found.set(result.id, { result, markers: before ? [...before.markers, marker] : [marker] })
    }
  }
  return [...found.values()]
}

/** Whether a text names a result. */
export const isCalled = ({ result }: Expected, name: string): boolean => namesOf(result).includes(name)

const resultNamesOf = (world: World, order: OrderRow): string[] =>
  expectedOf(world.services.catalogue, order).flatMap(({ result }) => namesOf(result))

/** The names that are not results of the order. */
export function unknownResults(world: World, order: OrderRow, names: readonly string[]): string[] {
  const known = new Set(resultNamesOf(world, order))
  return names.filter((name) => !known.has(name))
}

/** Throws for names that are not results of the order. */
export function assertKnownResults(world: World, order: OrderRow, names: readonly string[]): void {
  const known = resultNamesOf(world, order)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const isOfOthers = resultsByName(world.services.catalogue).has(unknown)
  const hint = (!isOfOthers && didYouMean(unknown, known)) || ` It has ${[...new Set(known)].join(', ')}.`
  throw badRequest(`"${unknown}" is not a result of this order.${hint}`)
}

/** The analytes of all results of the catalogue, by each of their names; laboratories can share a name. */
export type ResultNames = ReadonlyMap<string, readonly AnalyteSeed[]>

export function resultsByName(catalogue: Catalogue): ResultNames {
  const found = new Map<string, Set<AnalyteSeed>>()
  for (const { results } of catalogue.markers().values()) {
    for (const result of results) {
      for (const name of namesOf(result)) {
        const analytes = found.get(name) ?? new Set()
        found.set(name, analytes.add(catalogue.analytes().get(result.analyte.slug) ?? result.analyte))
      }
    }
  }
  return new Map([...found].map(([name, analytes]) => [name, [...analytes]]))
}

/** The analyte that a name means; a name that means none stays. */
export const slugIn =
  (all: readonly Expected[]) =>
  (name: string): string =>
    all.find((each) => isCalled(each, name))?.result.analyte.slug ?? name
