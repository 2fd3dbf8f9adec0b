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

/** Whether a result is meant by the slug or code somebody wrote: the laboratory's, or the catalogue's. */
export const isCalled = ({ result }: Expected, name: string): boolean =>
  result.slug === name || result.provider_id === name || result.analyte.slug === name
