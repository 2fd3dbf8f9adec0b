import * as z from 'zod'
import allergyRows from '../../../seeds/people/allergies.json' with { type: 'json' }
import antibodyRows from '../../../seeds/people/antibodies.json' with { type: 'json' }
import { bundledTable, type SeedRow } from '../../kernel/seed-table.ts'
import type { Person } from '../../people/person.ts'
import { points, valueAt } from '../../people/points.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { type Patient, rangeFor } from './ranges.ts'

/** A row of `seeds/people/antibodies.json`: the share of people with an antibody, by age in years. */
export const antibodyRow = () => z.strictObject({ share: points(), source: z.string().min(1) })
const antibodies: ReadonlyMap<string, SeedRow<typeof antibodyRow>> = bundledTable(
  'people/antibodies.json',
  antibodyRows,
  antibodyRow,
)

/** What people become allergic to together, as in Salo and others, 2014. */
const clusters = bundledTable('people/allergies.json', allergyRows, () => z.array(z.string()))
const clusterOf = new Map(
  [...clusters].flatMap(([name, slugs]) => slugs.map((slug) => [slug, name] as const)),
)
/** 44.6 % from 6 years have IgE to one of 19 allergens at least (NHANES 2005-06, Salo 2014). */
const ALLERGIC = 0.446
/** To what else they are allergic, and to which allergens of it; assumed. */
const [FURTHER_CLUSTER, WITHIN_CLUSTER] = [0.25, 0.6]

/** Who is asked for antibodies. */
interface Donor {
  readonly person: Person
  readonly patient: Patient
  /** Whether antibodies are those of the population, or unremarkable. */
  readonly isNatural: boolean
}

const chanceOf =
  ({ person: { random, drawKey } }: Donor) =>
  (what: string): number =>
    random.noise(`person/${drawKey}/${what}`)

/** Whether a person is allergic: by person, then by cluster, then by allergen. */
function isAllergicTo(sample: Donor, slug: string): boolean {
  const cluster = clusterOf.get(slug)
  const chance = chanceOf(sample)
  if (cluster === undefined || chance('allergic') >= ALLERGIC) return false
  const names = [...clusters.keys()]
  const first = names[Math.floor(chance('allergic/first') * names.length)]
  const [leading] = (clusters.get(cluster as keyof typeof allergyRows) ?? []).toSorted(
    (a, b) => chance(`allergic/${b}`) - chance(`allergic/${a}`),
  )
  if (cluster === first && slug === leading) return true
  if (cluster !== first && chance(`allergic/cluster/${cluster}`) >= FURTHER_CLUSTER) return false
  return chance(`allergic/${slug}`) < WITHIN_CLUSTER
}

/** Whether a person of the population has an antibody; undefined where no study says how many have it. */
export function hasAntibody(sample: Donor, { slug }: AnalyteSeed): boolean | undefined {
  if (!sample.isNatural) return undefined
  if (clusterOf.has(slug)) return isAllergicTo(sample, slug)
  const row = antibodies.get(slug)
  return row && chanceOf(sample)(`antibody/${slug}`) < valueAt(row.share, sample.patient.age)
}

/** The greatest level of IgE that is measured, kU/L. */
const MOST_IGE = 100

/** The level of an antibody: above its range in those who have it, or below the range of those who are immune; undefined otherwise. */
export function titreOf(sample: Donor, analyte: AnalyteSeed): number | undefined {
  const has = hasAntibody(sample, analyte)
  const range = rangeFor(analyte, sample.patient)
  if (has === undefined || !range) return undefined
  const share = chanceOf(sample)(`titre/${analyte.slug}`)
  // The range of vaccines is that of immunity.
  if (range.low) return has ? undefined : range.low * (0.1 + 0.7 * share)
  if (!has || range.high === null) return undefined
  return clusterOf.has(analyte.slug)
    ? range.high * (MOST_IGE / range.high) ** share
    : range.high * 1.5 * 10 ** share
}
