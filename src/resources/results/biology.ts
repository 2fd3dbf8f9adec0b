import * as z from 'zod'
import levels from '../../../seeds/people/biology.json' with { type: 'json' }
import pregnancy from '../../../seeds/people/pregnancy.json' with { type: 'json' }
import { byName } from '../../kernel/fields.ts'
import { bundledTable, type SeedRow } from '../../kernel/seed-table.ts'
import type { Life } from '../../people/life.ts'
import { bySex, loadings, traitNames } from '../../people/traits.ts'
import { placental } from './phases.ts'
import type { Patient } from './ranges.ts'

/** The phase of the menstrual cycle; undefined without periods. */
export type CyclePhase = 'follicular' | 'ovulation' | 'luteal'

/** Where in a cycle and in life the person is. */
interface Moment {
  readonly phase: () => CyclePhase | undefined
  readonly life: () => Life
}

/**
 * The variation of an analyte between people without a disease that changes it, and within one person. The mean of those
 * below `means` follows from more than the cells say.
 */
const level = () =>
  z.strictObject({
    note: z.string().optional(),
    /** Biological and analytical variation between samples of one person, as a share of the person's level. */
    within: z.number(),
    /** Between people; derived from the reference range by default. Years count from 45, growth from 40. */
    mean: z.union([z.number(), z.strictObject({ female: z.number(), male: z.number() })]).optional(),
    perYear: z.number().optional(),
    yearlyGrowth: z.number().optional(),
    sd: z.number().optional(),
    /** Whether the distribution is log-normal; `sd` is then that of the natural logarithm, and `mean` the median. */
    log: z.literal(true).optional(),
    /** Weights of the person's factors, which make analytes that belong together vary together. */
    loads: loadings().optional(),
    /** The trait whose deviation it shares. */
    trait: z.enum(traitNames).optional(),
    /** By which share it is higher in midwinter than on average. */
    winter: z.number().optional(),
    /** For quantities that are not reported, but from which results are derived: bounds in a healthy person. */
    low: z.number().optional(),
    high: z.number().optional(),
  })
export type Biology = SeedRow<typeof level>

const phases = ['follicular', 'ovulation', 'luteal', 'pill', 'afterMenopause', 'male'] as const
const hormoneLevels = bundledTable('people/pregnancy.json', pregnancy.levels, () =>
  z.record(z.enum(phases), z.number()),
)

/** A hormone of men, and of women by the phase of their cycle, with a pill, in and after a pregnancy, and after menopause. */
const hormone =
  (name: keyof typeof pregnancy.levels) =>
  ({ sex }: Patient, { phase, life }: Moment): number => {
    const levels = hormoneLevels.get(name)
    if (sex === 'male') return levels.male
    const { pregnantWeeks, weeksAfterBirth, isOnPill } = life()
    if (pregnantWeeks !== undefined) return placental(name, life())
    // After a birth the ovaries rest as with a pill.
    if (isOnPill || weeksAfterBirth !== undefined) return levels.pill
    const known = phase()
    return known === undefined ? levels.afterMenopause : levels[known]
  }

/** 0 on average over adults: lower in the young and the old, higher from 45 to 65. */
const ageHump = (age: number) => Math.exp(-(((age - 55) / 18) ** 2)) - 0.5

/** By which factor a level changes from the age of 40 at a yearly rate. */
const yearly = (age: number, rate: number) => Math.exp(rate * (age - 40))

/**
 * Within one person: the root of the squares of the within-subject variation (EFLM Biological Variation Database, medians
 * of September 2026; Pilon 1981 for iron-binding capacity, Cokluk 2021 for folate and vitamin D) and of a good method's
 * imprecision, rounded. That of analytes which are in none of these is assumed. Between people: adults of the United
 * States without the conditions of `people/conditions.ts` (NHANES), rounded; assumed where NHANES does not measure it.
 * The loads are chosen so that pairs of analytes correlate as published; `docs/evidence/realism.md` names the source of each pair.
 * Names that begin with `~` are quantities that are not reported.
 */
export const biology: ReadonlyMap<string, Biology> = bundledTable('people/biology.json', levels, level)

/** Means that follow from more than the sex and a trend. */
const means = byName<(patient: Patient, now: Moment) => number>({
  // Of those who take no statin.
  '~ldl': ({ age }) => 116 + 28 * ageHump(age),
  'testosterone-total': ({ sex, age }) =>
    sex === 'male' ? 410 * yearly(age, -0.004) : 21 * yearly(age, -0.01),
  shbg: ({ sex, age }) => (sex === 'male' ? 31 * yearly(age, 0.013) : 60),
  estradiol: hormone('estradiol'),
  progesterone: hormone('progesterone'),
  fsh: hormone('fsh'),
  lh: hormone('lh'),
  'hcg-beta-quantitative': (_, { life }) => placental('hcg', life()),
  'dhea-sulfate': ({ sex, age }) => (sex === 'male' ? 250 : 165) * yearly(age, -0.024),
  ferritin: ({ sex, age }) => (sex === 'male' ? 140 : 38 * (age > 50 ? 2.5 : 1)),
  'sed-rate': ({ sex, age }) => (3 + age / 7) * (sex === 'female' ? 1.3 : 1),
})

/** The mean of adults like the patient; undefined where it follows from the reference range. */
export function meanOf(slug: string, patient: Patient, now: Moment): number | undefined {
  const own = means[slug]
  if (own) return own(patient, now)
  const { mean, perYear = 0, yearlyGrowth = 0 } = biology.get(slug) ?? {}
  if (mean === undefined) return undefined
  const middle = typeof mean === 'number' ? mean : bySex(mean.female, mean.male)(patient)
  return (middle + perYear * (patient.age - 45)) * yearly(patient.age, yearlyGrowth)
}

/** Whether a quantity is not reported. */
export const isLatent = (slug: string): boolean => slug.startsWith('~')
