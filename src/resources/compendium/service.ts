import { invalidValue, valueError } from '../../api/issue.ts'
import type { Parsed } from '../../api/schema.ts'
import { largest } from '../../kernel/list.ts'
import type { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { centralLabs } from '../catalogue/schema.ts'
import { getLabTest, markersOf } from '../lab-tests/service.ts'
import {
  type Canonical,
  type Comparison,
  type Compendium,
  compare,
  compendiumOf,
  type LabEntry,
  type NameQuery,
  nameSimilarity,
  rounded,
  toEntry,
  toNameQuery,
} from './compare.ts'
import {
  type CanonicalTest,
  type CompendiumConversion,
  type CompendiumConverted,
  type CompendiumFinding,
  type CompendiumSearch,
  type LabCandidate,
  maxCandidates,
  type OrderableFinding,
  type OrderableSearch,
  type relations,
} from './schema.ts'

type Search = Parsed<typeof CompendiumSearch>
type CompendiumMatch = Parsed<typeof CompendiumFinding>
type Scored = readonly [canonical: Canonical, confidence: number]

/** The minimum score of a match. */
const MIN_SIMILARITY = 0.3

/** Searches canonical tests, or the matching test of each laboratory. Source: docs/contract/lab-tests.md. */
export function searchCompendium(world: World, search: Search): CompendiumMatch {
  assertConsistent(search)
  const compendium = compendiumOf(world.services.catalogue)
  const labs: readonly string[] = search.labs?.length ? [...new Set(search.labs)] : centralLabs
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
  const ofAlias = Math.max(0, largest(canonical.aliases.map((alias) => nameSimilarity(name, alias)))) * 0.97
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
function relatedTo(compendium: Compendium, wanted: Canonical, limit: number): CompendiumMatch['related'] {
  const others = [...compendium.canonicals.values()].filter((other) => other !== wanted)
  return closest(wanted, others, limit).map(({ other, comparison: { reason_codes, ...comparison } }) => ({
    canonical: presentCanonical([other, comparison.confidence]),
    ...comparison,
    reason_codes: [...reason_codes],
  }))
}

/** The minimum confidence of a conversion. */
const MIN_CONFIDENCE = 0.5

interface Source {
  readonly providerId: string
  /** Undefined for an unknown code. */
  readonly entry: LabEntry | undefined
}

/** Converts a lab test, or a list of order codes, to the codes of another laboratory. Source: docs/contract/lab-tests.md. */
export function convertCompendium(
  world: World,
  body: Parsed<typeof CompendiumConversion>,
): Parsed<typeof CompendiumConverted> {
  const { lab_test_id, provider_ids, target_lab, limit } = body
  if (Boolean(lab_test_id) === Boolean(provider_ids?.length)) {
    throw contradiction(body, 'exactly one of lab_test_id and provider_ids is required')
  }
  const compendium = compendiumOf(world.services.catalogue)
  const sources = lab_test_id
    ? sourcesOfLabTest(world, lab_test_id)
    : sourcesOfCodes(compendium, provider_ids ?? [])
  const converted = sources.map((source) => ({
    ...source,
    candidates: source.entry ? candidatesAt(compendium, source.entry, target_lab, limit) : [],
  }))
  const best = converted.map(({ providerId, candidates: [first] }) => ({
    providerId,
    target: first && first.confidence >= MIN_CONFIDENCE ? first.provider_id : null,
  }))
  const labs = new Set(sources.map(({ entry }) => entry?.marker.lab.id ?? null))
  return {
    source_lab_test_id: lab_test_id,
    source_lab_id: labs.size === 1 ? ([...labs][0] ?? null) : null,
    target_lab_id: world.services.catalogue.labs().get(target_lab)?.id ?? 0,
    target_lab_slug: target_lab,
    source_provider_ids: sources.map(({ providerId }) => providerId),
    converted_provider_ids: [...new Set(best.flatMap(({ target }) => target ?? []))],
    unresolved_provider_ids: best.filter(({ target }) => !target).map(({ providerId }) => providerId),
    by_source_provider_id: Object.fromEntries(
      converted.map(({ providerId, candidates }) => [
        providerId,
        { source_provider_id: providerId, candidates },
      ]),
    ),
  }
}

const sourcesOfLabTest = (world: World, labTestId: string): Source[] =>
  markersOf(world, getLabTest(world, labTestId)).map((marker) => ({
    providerId: marker.provider_id,
    entry: toEntry(marker),
  }))

/** The laboratory of the codes: the first one that has most of them. */
function sourcesOfCodes(compendium: Compendium, codes: readonly string[]): Source[] {
  const wanted = [...new Set(codes)]
  const find = (lab: string, code: string) => compendium.byCode.get(lab)?.get(code)
  const known = new Map(centralLabs.map((lab) => [lab, wanted.filter((code) => find(lab, code)).length]))
  const labs = [...centralLabs].sort((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0))
  return wanted.map((providerId) => ({
    providerId,
    entry: labs.map((lab) => find(lab, providerId)).find((entry) => entry !== undefined),
  }))
}

/** The tests a laboratory offers in place of each code; none for an unknown code. */
export function searchOrderableTests(
  world: World,
  { provider_ids, target_lab, per_provider_limit }: Parsed<typeof OrderableSearch>,
): Parsed<typeof OrderableFinding> {
  const compendium = compendiumOf(world.services.catalogue)
  return {
    candidates: Object.fromEntries(
      sourcesOfCodes(compendium, provider_ids).map(({ providerId, entry }) => [
        providerId,
        entry ? candidatesAt(compendium, entry, target_lab, per_provider_limit) : [],
      ]),
    ),
  }
}

const rank: Record<(typeof relations)[number], number> = {
  exact: 0,
  superset: 1,
  subset: 2,
  overlap: 3,
  suggested: 4,
}

/** Closest first: equal sets, then supersets, then subsets. */
const closestFirst = (a: Comparison, b: Comparison): number =>
  rank[a.relation] - rank[b.relation] || b.confidence - a.confidence

/** The most similar tests of a laboratory. */
function candidatesAt(
  compendium: Compendium,
  wanted: Canonical | LabEntry,
  lab: string,
  limit: number,
): Parsed<typeof LabCandidate>[] {
  const entries = compendium.entries.filter(({ marker }) => marker.lab.slug === lab)
  return closest(wanted, entries, limit).map(({ other, comparison }) =>
    presentCandidate(compendium, other, comparison),
  )
}

/** The tests that can be compared with a wanted one, closest first. */
const closest = <Test extends Canonical | LabEntry>(
  wanted: Canonical | LabEntry,
  tests: readonly Test[],
  limit: number,
) =>
  tests
    .flatMap((other) => {
      const comparison = compare(wanted, other)
      return comparison ? [{ other, comparison }] : []
    })
    .sort((a, b) => closestFirst(a.comparison, b.comparison))
    .slice(0, limit)

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
const contradiction = (input: unknown, text: string): Problem =>
  invalidValue(valueError(text), ['body'], input)
