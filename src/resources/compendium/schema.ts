import * as z from 'zod'
import { boolean, integer, oneOf, orNull, text, uuid } from '../../api/fields.ts'
import { nullableText, schema } from '../../api/schema.ts'
import { centralLabs } from '../catalogue/schema.ts'

const searchModes = ['canonical', 'crosswalk'] as const
/** The highest `limit` by mode. */
export const maxCandidates = { canonical: 10, crosswalk: 20 } as const

const limit = () => integer({ ge: 1, le: maxCandidates.crosswalk }).default(3)

export const CompendiumSearch = schema('CompendiumSearch', () => ({
  mode: oneOf(searchModes),
  query: orNull(text()),
  cpt_codes: z.array(text()).default([]),
  loinc_set_hash: orNull(text()),
  labs: orNull(z.array(oneOf(centralLabs))),
  include_related: boolean().default(true),
  limit: limit(),
}))

export const CompendiumConversion = schema('CompendiumConversion', () => ({
  lab_test_id: orNull(uuid()),
  provider_ids: orNull(z.array(text())),
  target_lab: oneOf(centralLabs),
  limit: limit(),
}))

export const OrderableSearch = schema('OrderableSearch', () => ({
  provider_ids: z.array(text()).max(100),
  target_lab: oneOf(centralLabs),
  per_provider_limit: integer({ ge: 1, le: maxCandidates.crosswalk }).default(1),
}))

const measured = () => ({
  loinc_components: z.array(z.string()),
  loinc_groups: z.array(z.string()),
  cpt_codes: z.array(z.string()),
})

/** A canonical test: a set of LOINC codes. */
export const CanonicalTest = schema('CanonicalTest', () => ({
  loinc_set_hash: z.string(),
  display_name: z.string(),
  aliases: z.array(z.string()),
  loinc_codes: z.array(z.string()),
  provider_ids: z.array(z.string()),
  ...measured(),
  /** From 0 to 1. */
  popularity_score: z.number(),
  /** From 0 to 1. */
  confidence: z.number(),
}))

/** The relation of two tests by their LOINC codes. */
export const relations = ['exact', 'subset', 'superset', 'overlap', 'suggested'] as const

const compared = () => ({
  relation: z.enum(relations),
  confidence: z.number(),
  reason_codes: z.array(z.string()),
})

/** A test of one laboratory, compared with the wanted test. */
export const LabCandidate = schema('LabCandidate', () => ({
  marker_id: z.int(),
  lab_id: z.int(),
  lab_slug: nullableText(),
  name: z.string(),
  result_names: z.array(z.string()),
  provider_id: nullableText(),
  loinc_set_hash: z.string(),
  loinc_codes: z.array(z.string()),
  ...measured(),
  ...compared(),
  marker_popularity_score: z.number(),
}))

const RelatedTest = schema('RelatedTest', () => ({ canonical: CanonicalTest(), ...compared() }))

export const CompendiumFinding = schema('CompendiumFinding', () => ({
  mode: z.enum(searchModes),
  selected_canonical: CanonicalTest().nullable(),
  canonical_candidates: z.array(CanonicalTest()),
  per_lab: z.record(z.string(), z.array(LabCandidate())),
  related: z.array(RelatedTest()),
}))

export const CompendiumConverted = schema('CompendiumConverted', () => ({
  source_lab_test_id: z.uuid().nullable(),
  source_lab_id: z.int().nullable(),
  target_lab_id: z.int(),
  target_lab_slug: z.string(),
  source_provider_ids: z.array(z.string()),
  converted_provider_ids: z.array(z.string()),
  unresolved_provider_ids: z.array(z.string()),
  by_source_provider_id: z.record(
    z.string(),
    z.object({ source_provider_id: z.string(), candidates: z.array(LabCandidate()) }),
  ),
}))

export const OrderableFinding = schema('OrderableFinding', () => ({
  candidates: z.record(z.string(), z.array(LabCandidate())),
}))
