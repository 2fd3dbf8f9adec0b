import { createHash } from 'node:crypto'
import * as z from 'zod'
import codes from '../../../seeds/documents/cpt-codes.json' with { type: 'json' }
import { groupBy } from '../../kernel/list.ts'
import { bundledTable } from '../../kernel/seed-table.ts'
import { runAtOnce, runInSlices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { centralLabs } from '../catalogue/schema.ts'
import type { Catalogue, Marker } from '../catalogue/service.ts'
import type { relations } from './schema.ts'

type Relation = (typeof relations)[number]

/** The relation of two tests, its confidence (0 to 1) and the reason. */
export interface Comparison {
  readonly relation: Relation
  readonly confidence: number
  readonly reason_codes: readonly string[]
}

interface Comparable {
  readonly name: string
  readonly aliases: readonly string[]
  readonly loincCodes: readonly string[]
}

/** The relation of a candidate to the wanted test; undefined if they share nothing. */
export function compare(wanted: Comparable, candidate: Comparable): Comparison | undefined {
  const called = nameReasons(wanted, candidate)
  const shared = candidate.loincCodes.filter((code) => wanted.loincCodes.includes(code)).length
  if (shared === 0) {
    if (called.length === 0) return undefined
    return { relation: 'suggested', confidence: 0.4, reason_codes: called }
  }
  const relation = relationOf(shared, wanted.loincCodes.length, candidate.loincCodes.length)
  const together = wanted.loincCodes.length + candidate.loincCodes.length - shared
  const similarity = relation === 'exact' ? 1 : 0.95 * (shared / together)
  return {
    relation,
    confidence: rounded(called.length > 0 ? Math.min(1, similarity + 0.05) : similarity),
    reason_codes: [reasons[relation], ...called],
  }
}

/** A candidate that measures more is a superset; one that measures only a part is a subset. */
function relationOf(shared: number, wanted: number, candidate: number): Exclude<Relation, 'suggested'> {
  if (shared === wanted && shared === candidate) return 'exact'
  if (shared === wanted) return 'superset'
  return shared === candidate ? 'subset' : 'overlap'
}

const reasons: Readonly<Record<Exclude<Relation, 'suggested'>, string>> = {
  exact: 'EXACT_LOINC_SET',
  subset: 'SUBSET',
  superset: 'SUPERSET',
  overlap: 'OVERLAP',
}

function nameReasons(wanted: Comparable, candidate: Comparable): string[] {
  if (plain(wanted.name) === plain(candidate.name)) return ['NAME_MATCH']
  const names = new Set([wanted.name, ...wanted.aliases].map(plain))
  return [candidate.name, ...candidate.aliases].some((name) => names.has(plain(name)))
    ? ['SYNONYM_MATCH']
    : []
}

/** A text prepared for comparison with many names. */
export interface NameQuery {
  readonly words: readonly string[]
  readonly plain: string
}

/** The maximum number of words of a query that are compared. */
const MAX_QUERY_WORDS = 50

export function toNameQuery(text: string): NameQuery {
  const words = wordsOf(text).slice(0, MAX_QUERY_WORDS)
  return { words, plain: words.join(' ') }
}

/** How well a name matches a query, from 0 to 1. */
export function nameSimilarity({ words: wanted, plain: query }: NameQuery, name: string): number {
  const given = wordsOf(name)
  if (wanted.length === 0 || given.length === 0) return 0
  if (query === given.join(' ')) return 1
  const hits = wanted.filter((word) => given.includes(word)).length
  const starts = wanted.filter((word) => given.some((other) => other.startsWith(word))).length
  const share = Math.max(hits, starts * 0.9) / wanted.length
  const coverage = Math.max(hits, starts) / given.length
  return share * (0.75 + 0.2 * Math.min(1, coverage))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []
const plain = (text: string): string => wordsOf(text).join(' ')
export const rounded = (score: number): number => Math.round(score * 1000) / 1000

/** A measured quantity, in LOINC terms. */
interface Measured {
  readonly loinc_set_hash: string
  readonly loinc_codes: string[]
  readonly loinc_components: string[]
  readonly loinc_groups: string[]
  readonly cpt_codes: string[]
}

/** One laboratory's test. */
export interface LabEntry extends Comparable {
  readonly marker: Marker
  readonly measured: Measured
}

/** A set of LOINC codes, and every test with exactly these codes. */
export interface Canonical extends Comparable {
  readonly measured: Measured
  readonly entries: readonly LabEntry[]
  /** From 0 to 1: the share of laboratories that offer it. */
  readonly popularity: number
}

export interface Compendium {
  readonly entries: readonly LabEntry[]
  /** By laboratory slug, then by the laboratory's order code. */
  readonly byCode: ReadonlyMap<string, ReadonlyMap<string, LabEntry>>
  /** By hash. */
  readonly canonicals: ReadonlyMap<string, Canonical>
}

const made = new WeakMap<Catalogue, Compendium>()
const underWay = new WeakMap<Catalogue, Promise<void>>()

/** Resolves once the compendium of a world is computed; undefined when it is. */
export function compendiumComputed(world: World): Promise<void> | undefined {
  const catalogue = world.services.catalogue
  if (made.has(catalogue)) return undefined
  const computed = underWay.get(catalogue) ?? runInSlices(compute(catalogue)).then(() => undefined)
  underWay.set(catalogue, computed)
  return computed
}

/** The catalogue as sets of LOINC codes; computed once per catalogue. */
export const compendiumOf = (catalogue: Catalogue): Compendium =>
  made.get(catalogue) ?? runAtOnce(compute(catalogue))

function* compute(catalogue: Catalogue): Generator<void, Compendium> {
  yield* catalogue.readMarkers()
  const labs: readonly string[] = centralLabs
  const entries: LabEntry[] = []
  for (const marker of catalogue.markers().values()) {
    const { lab, isReflex, is_orderable } = marker
    if (labs.includes(lab.slug) && is_orderable && !isReflex) entries.push(toEntry(marker))
    yield
  }
  const groups = groupBy(entries, ({ measured }) => measured.loinc_set_hash)
  const canonicals = new Map<string, Canonical>()
  for (const [hash, group] of groups) {
    canonicals.set(hash, toCanonical(group))
    yield
  }
  const compendium = { entries, byCode: indexByCode(entries), canonicals }
  made.set(catalogue, compendium)
  return compendium
}

function indexByCode(entries: readonly LabEntry[]): Map<string, Map<string, LabEntry>> {
  const labs = new Map<string, Map<string, LabEntry>>()
  for (const entry of entries) {
    const { lab, provider_id } = entry.marker
    const codes = labs.get(lab.slug) ?? new Map<string, LabEntry>()
    labs.set(lab.slug, codes)
    if (!codes.has(provider_id)) codes.set(provider_id, entry)
  }
  return labs
}

export function toEntry(marker: Marker): LabEntry {
  const measured = measure(marker)
  const aliases = [marker.slug.replaceAll('-', ' ')]
  return { marker, measured, name: marker.name, aliases, loincCodes: measured.loinc_codes }
}

/** A comment of the laboratory, which is not a measured quantity. */
const COMMENT = '8251-1'

function measure(marker: Marker): Measured {
  const measured = marker.results.flatMap(({ analyte }) => analyte.loinc ?? [])
  const loincs = measured.filter(({ code }) => code !== COMMENT)
  const codes = sorted(loincs.map(({ code }) => code))
  // A test without any LOINC code gets a canonical test of its own.
  const identity = codes.length > 0 ? codes.join(',') : plain(marker.name)
  return {
    loinc_set_hash: createHash('sha256').update(identity).digest('hex'),
    loinc_codes: codes,
    loinc_components: sorted(loincs.map(({ name }) => name.replace(/\s*\[.*$/, ''))),
    loinc_groups: sorted(marker.results.map(({ analyte }) => analyte.category)),
    cpt_codes: [...(cptCodes.get(marker.panel ?? marker.analyte ?? '') ?? [])],
  }
}

function toCanonical(entries: readonly LabEntry[]): Canonical {
  const [first] = entries as [LabEntry]
  const names = sorted(entries.flatMap(({ name, aliases }) => [name, ...aliases]))
  const aliases = names.filter((name) => plain(name) !== plain(first.name))
  const labs = new Set(entries.map(({ marker }) => marker.lab.slug))
  return {
    name: first.name,
    aliases,
    loincCodes: first.loincCodes,
    measured: { ...first.measured, cpt_codes: sorted(entries.flatMap((entry) => entry.measured.cpt_codes)) },
    entries,
    popularity: rounded(labs.size / centralLabs.length),
  }
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort()

/** Procedure codes by the slug of a panel or analyte; numbers only. */
const cptCodes: ReadonlyMap<string, readonly string[]> = bundledTable('documents/cpt-codes.json', codes, () =>
  z.array(z.string()),
)
