import type { Parsed } from '../../api/schema.ts'
import type { World } from '../../world/world.ts'
import { candidatesAt, closestFirst, contradiction } from './candidates.ts'
import { compare, type NameQuery, nameSimilarity, rounded, toNameQuery } from './compare.ts'
import {
  type CanonicalTest,
  type CompendiumFinding,
  type CompendiumSearch,
  compendiumLabs,
  maxCandidates,
} from './schema.ts'
import { type Canonical, type Compendium, compendiumOf } from './tests.ts'

export { convertCompendium, searchOrderableTests } from './convert.ts'

type Search = Parsed<typeof CompendiumSearch>
type Finding = Parsed<typeof CompendiumFinding>
type Scored = readonly [canonical: Canonical, confidence: number]

/** The minimum score of a match. */
const MIN_SIMILARITY = 0.3

/** Searches canonical tests, or the matching test of each laboratory. Source: contract/lab-testing.md §10. */
export function searchCompendium(world: World, search: Search): Finding {
  assertConsistent(search)
  const compendium = compendiumOf(world.parts.catalogue)
  const labs: readonly string[] = search.labs?.length ? [...new Set(search.labs)] : compendiumLabs
  const found = search.loinc_set_hash ? byHash(compendium, search.loinc_set_hash) : byName(compendium, search)
  const { mode } = search
  if (mode === 'canonical') {
    const candidates = found
      .filter(([{ entries }]) => entries.some(({ marker }) => labs.includes(marker.lab.slug)))
      .slice(0, search.limit)
      .map(presentCanonical)
    const selected_canonical = candidates[0] ?? null
    return { mode, selected_canonical, canonical_candidates: candidates, per_lab: {}, related: [] }
  }
  const [best] = found
  if (!best) return { mode, selected_canonical: null, canonical_candidates: [], per_lab: {}, related: [] }
  const selected_canonical = presentCanonical(best)
  const ofLab = (lab: string) => candidatesAt(compendium, best[0], lab, search.limit)
  return {
    mode,
    selected_canonical,
    canonical_candidates: [selected_canonical],
    per_lab: Object.fromEntries(labs.map((lab) => [lab, ofLab(lab)])),
    related: search.include_related ? relatedTo(compendium, best[0], search.limit) : [],
  }
}

function assertConsistent(search: Search): void {
  const { mode, loinc_set_hash, limit } = search
  const query = search.query?.trim()
  if (mode === 'canonical') {
    if (!query) throw contradiction(search, 'query is required in canonical mode')
    if (loinc_set_hash) throw contradiction(search, 'loinc_set_hash is not allowed in canonical mode')
  } else if (Boolean(query) === Boolean(loinc_set_hash)) {
    throw contradiction(search, 'exactly one of query and loinc_set_hash is required in crosswalk mode')
  }
  const most = maxCandidates[mode]
  if (limit > most) throw contradiction(search, `limit must be between 1 and ${most} in ${mode} mode`)
}

function byHash({ canonicals }: Compendium, hash: string): Scored[] {
  const canonical = canonicals.get(hash)
  return canonical ? [[canonical, 1]] : []
}

/** Best first; among equals, tests that more laboratories offer come first. */
function byName({ canonicals }: Compendium, { query, cpt_codes }: Search): Scored[] {
  const wanted = query?.trim() ?? ''
  const name = toNameQuery(wanted)
  return [...canonicals.values()]
    .map((canonical): Scored => [canonical, confidenceOf(canonical, wanted, name, cpt_codes)])
    .filter(([, confidence]) => confidence >= MIN_SIMILARITY)
    .sort(([a, x], [b, y]) => y - x || b.popularity - a.popularity || a.name.localeCompare(b.name, 'en'))
}

function confidenceOf(
  canonical: Canonical,
  query: string,
  name: NameQuery,
  cptCodes: readonly string[],
): number {
  const ofName = nameSimilarity(name, canonical.name)
  const ofAlias = Math.max(0, ...canonical.aliases.map((alias) => nameSimilarity(name, alias))) * 0.97
  const isCode = canonical.entries.some(({ marker }) => marker.provider_id === query)
  const isLoinc = canonical.loincCodes.length === 1 && canonical.loincCodes[0] === query
  const isBilledSo = cptCodes.some((code) => canonical.measured.cpt_codes.includes(code))
  const similarity = isCode || isLoinc ? 1 : Math.max(ofName, ofAlias)
  return rounded(isBilledSo ? Math.min(1, similarity + 0.2) : similarity)
}

const presentCanonical = ([canonical, confidence]: Scored): Parsed<typeof CanonicalTest> => ({
  ...canonical.measured,
  display_name: canonical.name,
  aliases: [...canonical.aliases],
  provider_ids: [...new Set(canonical.entries.map(({ marker }) => marker.provider_id))],
  popularity_score: canonical.popularity,
  confidence,
})

/** Other tests with some of the same LOINC codes. */
function relatedTo(compendium: Compendium, wanted: Canonical, limit: number): Finding['related'] {
  return [...compendium.canonicals.values()]
    .filter((other) => other !== wanted)
    .flatMap((other) => {
      const comparison = compare(wanted, other)
      return comparison ? [{ other, comparison }] : []
    })
    .sort((a, b) => closestFirst(a.comparison, b.comparison))
    .slice(0, limit)
    .map(({ other, comparison: { reason_codes, ...comparison } }) => ({
      canonical: presentCanonical([other, comparison.confidence]),
      ...comparison,
      reason_codes: [...reason_codes],
    }))
}
