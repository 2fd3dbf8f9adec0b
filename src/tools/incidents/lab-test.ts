import { filterFields, withoutUndefined } from '../../kernel/fields.ts'
import { groupBy } from '../../kernel/list.ts'
import type { Catalogue, Marker } from '../../resources/catalogue/service.ts'
import { redrawingLabs } from '../../resources/orders/redraws.ts'
import { whyImpossible } from '../../resources/results/service.ts'
import type { RecordedResults, RecordedStatus } from '../../scenarios/incidents/appointments.ts'
import type { OrderRecord } from '../../scenarios/incidents/record.ts'

/** The body that creates a lab test. */
export interface IncidentLabTest {
  readonly name: string
  readonly description: string
  readonly method: string
  readonly marker_ids: readonly number[]
}

interface Fitted {
  /** Without results that no lab test can have. */
  readonly record: OrderRecord
  /** One that has the named results; undefined if the record names none. */
  readonly labTest: IncidentLabTest | undefined
  readonly notes: readonly string[]
}

/** Finds markers of one laboratory for the results that a record names. */
export function fitLabTest(record: OrderRecord, catalogue: Catalogue, name: string): Fitted {
  const named = namedResults(record)
  if (named.length === 0) return { record, labTest: undefined, notes: [] }
  const markers = bestMarkers(record, catalogue, named)
  const left = new Set<string>()
  const keep = (slug: string, value?: number | string) => {
    const analyte = markers.get(slug)?.results.find((result) => result.slug === slug)?.analyte
    const isPossible =
      analyte !== undefined && (value === undefined || whyImpossible(analyte, slug, value) === undefined)
    if (!isPossible) left.add(slug)
    return isPossible
  }
  const statuses = record.statuses.map((status) => ({ ...status, results: keptResults(status, keep) }))
  const ids = new Set([...markers].filter(([slug]) => !left.has(slug)).map(([, { id }]) => id))
  const labTest = {
    name,
    description: `Has the results of ${name}.`,
    method: record.method,
    marker_ids: [...ids].sort((a, b) => a - b),
  }
  const note = `Left out results that no lab test can have with the others: ${[...left].join(', ')}.`
  return {
    record: { ...record, statuses },
    labTest: ids.size === 0 ? undefined : labTest,
    notes: left.size === 0 ? [] : [note],
  }
}

/** The results that the record has values of, or names as missing. */
function namedResults({ statuses }: OrderRecord): string[] {
  const slugs = statuses.flatMap(({ results: { values = {}, missing } = {} }) => [
    ...Object.keys(values),
    ...(missing === true ? [] : (missing ?? [])),
  ])
  return [...new Set(slugs)]
}

/** The markers of the laboratory that can measure the most of the named results; of several, one that has tests of the method. */
function bestMarkers(record: OrderRecord, catalogue: Catalogue, named: readonly string[]) {
  const { method, isRedraw, statuses } = record
  const isRedrawn = isRedraw || statuses.some(({ low }) => low === 'redraw_available')
  const candidates = [...catalogue.markers().values()].filter(
    ({ is_orderable, isReflex, lab }) =>
      is_orderable &&
      !isReflex &&
      lab.collection_methods.includes(method) &&
      (!isRedrawn || redrawingLabs.includes(lab.slug)),
  )
  const tests = [...catalogue.labTests().values()].filter((test) => test.method === method)
  const usualLabs = new Set<string>(tests.map(({ lab }) => lab))
  const [best] = [...groupBy(candidates, ({ lab }) => lab.slug)]
    .map(([lab, markers]) => ({ markers: cover(named, markers), isUsual: usualLabs.has(lab) }))
    .sort((a, b) => b.markers.size - a.markers.size || Number(b.isUsual) - Number(a.isUsual))
  return best?.markers ?? new Map<string, Marker>()
}

/** The results of a status without those that `keep` refuses. */
function keptResults(
  { results }: RecordedStatus,
  keep: (slug: string, value?: number | string) => boolean,
): RecordedResults | undefined {
  if (!results) return undefined
  const { values, missing, ...rest } = results
  const keptMissing = missing === true ? missing : missing?.filter((slug) => keep(slug))
  return {
    ...rest,
    ...withoutUndefined({ values: values && filterFields(values, keep), missing: keptMissing }),
  }
}

/** The markers with these results, by the name of the result. */
function cover(named: readonly string[], markers: readonly Marker[]): Map<string, Marker> {
  const found = new Map<string, Marker>()
  for (const name of named) {
    const marker =
      [...found.values()].find(({ results }) => results.some(({ slug }) => slug === name)) ??
      markers.find(({ results }) => results.some(({ slug }) => slug === name))
    if (marker) found.set(name, marker)
  }
  return found
}
