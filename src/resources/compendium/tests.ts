import { createHash } from 'node:crypto'
import { runAtOnce, runInSlices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import type { Catalogue, Marker } from '../catalogue/service.ts'
import { type Comparable, plain, rounded } from './compare.ts'
import { cptCodes } from './cpt-codes.ts'
import { compendiumLabs } from './schema.ts'

/** A measured quantity, in LOINC terms. */
export interface Measured {
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
export function compendiumComputed({ parts: { catalogue } }: World): Promise<void> | undefined {
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
  const labs: readonly string[] = compendiumLabs
  const entries: LabEntry[] = []
  for (const marker of catalogue.markers().values()) {
    const { lab, isReflex, is_orderable } = marker
    if (labs.includes(lab.slug) && is_orderable && !isReflex) entries.push(toEntry(marker))
    yield
  }
  const groups = new Map<string, LabEntry[]>()
  for (const entry of entries) {
    const key = entry.measured.loinc_set_hash
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  const canonicals = new Map<string, Canonical>()
  for (const [hash, group] of groups) yield void canonicals.set(hash, toCanonical(group))
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
    cpt_codes: [...(cptCodes[marker.panel ?? marker.analyte ?? ''] ?? [])],
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
    popularity: rounded(labs.size / compendiumLabs.length),
  }
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort()
