import type { Parsed } from '../../api/schema.ts'
import type { World } from '../../world/world.ts'
import { getLabTest, markersOf } from '../lab-tests/service.ts'
import { candidatesAt, contradiction } from './candidates.ts'
import {
  type CompendiumConversion,
  type CompendiumConverted,
  compendiumLabs,
  type OrderableFinding,
  type OrderableSearch,
} from './schema.ts'
import { type Compendium, compendiumOf, type LabEntry, toEntry } from './tests.ts'

/** The minimum confidence of a conversion. */
const MIN_CONFIDENCE = 0.5

interface Source {
  readonly providerId: string
  /** Undefined for an unknown code. */
  readonly entry: LabEntry | undefined
}

/** Converts a lab test, or a list of order codes, to the codes of another laboratory. Source: contract/lab-testing.md §10. */
export function convertCompendium(
  world: World,
  body: Parsed<typeof CompendiumConversion>,
): Parsed<typeof CompendiumConverted> {
  const { lab_test_id, provider_ids, target_lab, limit } = body
  if (Boolean(lab_test_id) === Boolean(provider_ids?.length)) {
    throw contradiction(body, 'exactly one of lab_test_id and provider_ids is required')
  }
  const compendium = compendiumOf(world.parts.catalogue)
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
    target_lab_id: world.parts.catalogue.labs().get(target_lab)?.id ?? 0,
    target_lab_slug: target_lab,
    source_provider_ids: sources.map(({ providerId }) => providerId),
    converted_provider_ids: [...new Set(best.flatMap(({ target }) => target ?? []))],
    unresolved_provider_ids: best.flatMap(({ providerId, target }) => (target ? [] : [providerId])),
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
  const known = new Map(compendiumLabs.map((lab) => [lab, wanted.filter((code) => find(lab, code)).length]))
  const labs = [...compendiumLabs].sort((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0))
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
  const compendium = compendiumOf(world.parts.catalogue)
  return {
    candidates: Object.fromEntries(
      sourcesOfCodes(compendium, provider_ids).map(({ providerId, entry }) => [
        providerId,
        entry ? candidatesAt(compendium, entry, target_lab, per_provider_limit) : [],
      ]),
    ),
  }
}
