import { filterFields } from '../../kernel/fields.ts'
import { groupBy } from '../../kernel/list.ts'
import type { Catalogue, Marker } from '../../resources/catalogue/service.ts'
import { redrawingLabs } from '../../resources/orders/redraws.ts'
import { whyImpossible } from '../../resources/results/service.ts'
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
  const reports = record.statuses.map(({ results }) => results ?? {})
  const named = [
    ...new Set(
      reports.flatMap(({ values = {}, missing = [] }) => [
        ...Object.keys(values),
        ...(missing === true ? [] : missing),
      ]),
    ),
  ]
  if (named.length === 0) return { record, labTest: undefined, notes: [] }
  const isRedrawn = record.isRedraw || record.statuses.some(({ low }) => low === 'redraw_available')
  const candidates = [...catalogue.markers().values()].filter(
    ({ is_orderable, isReflex, lab }) =>
      is_orderable &&
      !isReflex &&
      lab.collection_methods.includes(record.method) &&
      (!isRedrawn || redrawingLabs.includes(lab.slug)),
  )
  const usualLabs = [...catalogue.labTests().values()].flatMap(({ method, lab }) =>
    method === record.method ? [lab] : [],
  )
  const isUsual = (found: ReadonlyMap<string, Marker>) =>
    [...found.values()].some(({ lab }) => usualLabs.includes(lab.slug))
  const [markers] = [...groupBy(candidates, ({ lab }) => lab.slug).values()]
    .map((ofLab) => cover(named, ofLab))
    .sort((a, b) => b.size - a.size || Number(isUsual(b)) - Number(isUsual(a)))
  const has = (slug: string, value?: number | string) => {
    const analyte = markers?.get(slug)?.results.find((result) => result.slug === slug)?.analyte
    return analyte !== undefined && (value === undefined || whyImpossible(analyte, slug, value) === undefined)
  }
  const left = new Set<string>()
  const keep = (slug: string, value?: number | string) => has(slug, value) || !left.add(slug)
  const statuses = record.statuses.map((status) => {
    const { values, missing, ...rest } = status.results ?? {}
    if (!values && !Array.isArray(missing)) return status
    const kept = filterFields(values ?? {}, keep)
    const known = Array.isArray(missing) ? missing.filter((slug: string) => keep(slug)) : missing
    return {
      ...status,
      results: { ...rest, ...(values && { values: kept }), ...(missing && { missing: known }) },
    }
  })
  const ids = new Set([...(markers ?? [])].filter(([slug]) => !left.has(slug)).map(([, { id }]) => id))
  return {
    record: { ...record, statuses },
    labTest:
      ids.size === 0
        ? undefined
        : {
            name,
            description: `Has the results of ${name}.`,
            method: record.method,
            marker_ids: [...ids].sort((a, b) => a - b),
          },
    notes:
      left.size === 0
        ? []
        : [`Left out results that no lab test can have with the others: ${[...left].join(', ')}.`],
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
