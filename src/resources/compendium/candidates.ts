import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Comparison, compare } from './compare.ts'
import type { LabCandidate, relations } from './schema.ts'
import type { Canonical, Compendium, LabEntry } from './tests.ts'

const rank: Record<(typeof relations)[number], number> = {
  exact: 0,
  superset: 1,
  subset: 2,
  overlap: 3,
  suggested: 4,
}

/** Closest first: equal sets, then supersets, then subsets. */
export const closestFirst = (a: Comparison, b: Comparison): number =>
  rank[a.relation] - rank[b.relation] || b.confidence - a.confidence

/** The most similar tests of a laboratory. */
export function candidatesAt(
  compendium: Compendium,
  wanted: Canonical | LabEntry,
  lab: string,
  limit: number,
): Parsed<typeof LabCandidate>[] {
  return compendium.entries
    .filter(({ marker }) => marker.lab.slug === lab)
    .flatMap((entry) => {
      const comparison = compare(wanted, entry)
      return comparison ? [{ entry, comparison }] : []
    })
    .sort((a, b) => closestFirst(a.comparison, b.comparison))
    .slice(0, limit)
    .map(({ entry, comparison }) => presentCandidate(compendium, entry, comparison))
}

const presentCandidate = (
  { canonicals }: Compendium,
  { marker, measured }: LabEntry,
  { reason_codes, ...comparison }: Comparison,
): Parsed<typeof LabCandidate> => ({
  marker_id: marker.id,
  lab_id: marker.lab.id,
  lab_slug: marker.lab.slug,
  name: marker.name,
  result_names: marker.results.map(({ name }) => name),
  provider_id: marker.provider_id,
  ...measured,
  ...comparison,
  reason_codes: [...reason_codes],
  marker_popularity_score: canonicals.get(measured.loinc_set_hash)?.popularity ?? 0,
})

/** A body with inconsistent fields. */
export const contradiction = (input: unknown, text: string): Problem =>
  new Problem('invalid', [
    { type: 'value_error', loc: ['body'], msg: `Value error, ${text}`, input, ctx: { error: {} } },
  ])
