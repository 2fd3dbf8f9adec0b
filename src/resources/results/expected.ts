import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { Catalogue, ExpectedResult, Marker } from '../catalogue/service.ts'
import type { OrderRow } from '../orders/table.ts'

/** A result that is to come, and the ordered markers it comes from. */
export interface Expected {
  readonly result: ExpectedResult
  readonly markers: readonly [Marker, ...Marker[]]
}

/** One for each expected result of an order's markers; markers that share a result share its line. */
export function expectedOf(catalogue: Catalogue, order: OrderRow): Expected[] {
  const known = catalogue.markers()
  return gather((order.lab_test.markers ?? []).flatMap(({ id }) => known.get(id) ?? []))
}

/** What a laboratory adds by itself for markers of which a result is out of range. */
export function reflexOf(catalogue: Catalogue, flagged: readonly Expected[]): Expected[] {
  const known = catalogue.markers()
  const added = new Set(flagged.flatMap(({ markers }) => markers.flatMap(({ reflex }) => reflex)))
  return gather([...added].flatMap((id) => known.get(id) ?? []))
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

/** What a result goes by: the laboratory's slug and code, and the catalogue's slug. */
const namesOf = ({ slug, provider_id, analyte }: ExpectedResult): string[] => [
  slug,
  provider_id,
  analyte.slug,
]

/** Whether a result is meant by what somebody wrote. */
export const isCalled = ({ result }: Expected, name: string): boolean => namesOf(result).includes(name)

/** Refuses names that no result of an order goes by. */
export function assertKnownResults(world: World, order: OrderRow, names: readonly string[]): void {
  const known = expectedOf(world.parts.catalogue, order).flatMap(({ result }) => namesOf(result))
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new Problem(
    'bad_request',
    `"${unknown}" is no result of this order.${didYouMean(unknown, known) || ` It has ${[...new Set(known)].join(', ')}.`}`,
  )
}

/** Every name that a result in the catalogue goes by. */
export const allResultNames = (catalogue: Catalogue): string[] => [
  ...new Set([...catalogue.markers().values()].flatMap(({ results }) => results.flatMap(namesOf))),
]
