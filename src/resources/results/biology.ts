import * as z from 'zod'
import pregnancy from '../../../seeds/people/pregnancy.json' with { type: 'json' }
import { byName } from '../../kernel/fields.ts'
import { bundledTable } from '../../kernel/seed-table.ts'
import type { Life } from '../../people/life.ts'
import { bySex, type Loadings, type Trait } from '../../people/traits.ts'
import { placental } from './phases.ts'
import type { Patient } from './ranges.ts'

/** The phase of the menstrual cycle; undefined without periods. */
export type CyclePhase = 'follicular' | 'ovulation' | 'luteal'
type Mean = number | ((patient: Patient, now: Moment) => number)

/** Where in a cycle and in life the person is. */
interface Moment {
  readonly phase: () => CyclePhase | undefined
  readonly life: () => Life
}

/** The variation of an analyte between people without a disease that changes it, and within one person. */
export interface Biology {
  /** Biological and analytical variation between samples of one person, as a share of the person's level. */
  readonly within: number
  /** Mean and standard deviation between people; derived from the reference range by default. */
  readonly mean?: Mean
  readonly sd?: number
  /** Whether the distribution is log-normal; `sd` is then that of the natural logarithm, and `mean` the median. */
  readonly log?: boolean
  /** Weights of the person's factors, which make analytes that belong together vary together. */
  readonly loads?: Loadings
  /** The trait whose deviation it shares. */
  readonly trait?: Trait
  /** By which share it is higher in midwinter than on average. */
  readonly winter?: number
  /** For quantities that are not reported, but from which results are derived: bounds in a healthy person. */
  readonly low?: number
  readonly high?: number
}

const phases = ['follicular', 'ovulation', 'luteal', 'pill', 'afterMenopause', 'male'] as const
const hormoneLevels = bundledTable('people/pregnancy.json', pregnancy.levels, () =>
  z.record(z.enum(phases), z.number()),
)

/** A hormone of men, and of women by the phase of their cycle, with a pill, in and after a pregnancy, and after menopause. */
const hormone =
  (name: keyof typeof pregnancy.levels): Mean =>
  ({ sex }, { phase, life }) => {
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
export const biology = byName<Biology>({
  /** LDL cholesterol, mg/dL. */
  '~ldl': {
    within: 0.08,
    mean: ({ age }) => 107.5 + 15 * ageHump(age),
    sd: 0.285,
    log: true,
    loads: { lipoproteins: 0.8, thyroid: -0.2 },
    winter: 0.02,
    low: 58,
    high: 98,
  },
  'hdl-cholesterol': {
    within: 0.07,
    mean: bySex(57.5, 47.5),
    sd: 0.25,
    log: true,
    loads: { remnants: -0.6, activity: 0.1 },
  },
  triglycerides: { within: 0.21, mean: bySex(88, 100), sd: 0.46, log: true, loads: { remnants: 0.85 } },
  /** Above 50 mg/dL, some 110 nmol/L, in 24 % (531,144 people); above 125 nmol/L in about 20 %. */
  'lipoprotein-a': { within: 0.1, mean: 40, sd: 1.25, log: true },
  homocysteine: {
    within: 0.09,
    mean: ({ age }) => 9 + 0.05 * (age - 45),
    sd: 0.24,
    log: true,
    loads: { cobalamin: -0.4, kidney: -0.45 },
  },
  'hemoglobin-a1c': {
    within: 0.02,
    mean: ({ age }) => 5.38 + 0.006 * (age - 45),
    sd: 0.3,
    trait: 'fastingGlucose',
  },
  /** Fasting glucose over the average that follows from haemoglobin A1c. */
  '~glucose': { within: 0.05, mean: 0.875, sd: 0.058, log: true, low: 0.72, high: 0.97 },
  fructosamine: { within: 0.04, loads: { insulinResistance: 0.4 } },
  insulin: {
    within: 0.25,
    mean: 8.5,
    sd: 0.5,
    log: true,
    loads: { insulinResistance: 0.7, adiposity: 0.25 },
  },
  /** C-peptide at an insulin of 8.5 uIU/mL, ng/mL. */
  '~c-peptide': { within: 0.07, mean: 2.1, sd: 0.28, log: true, low: 1.5, high: 3.1 },
  creatinine: { within: 0.053, mean: bySex(0.74, 0.97), sd: 0.12, loads: { kidney: -0.6 } },
  'cystatin-c': {
    within: 0.045,
    mean: ({ age }) => 0.84 * yearly(age, 0.003),
    sd: 0.1,
    loads: { kidney: -0.6 },
  },
  /** Urea nitrogen while the kidneys filter enough, mg/dL. */
  '~bun': {
    within: 0.14,
    mean: ({ age }) => 13.5 + 0.06 * (age - 45),
    sd: 3.3,
    loads: { kidney: -0.4 },
    low: 7,
    high: 22,
  },
  /** Milligrams of albumin for each gram of creatinine in urine. */
  '~acr': { within: 0.3, mean: 6, sd: 0.55, log: true, loads: { kidney: -0.3 }, low: 2, high: 24 },
  /**
   * White cells by field in urine. More than 10 without bacteria: 13.9 % of women and 2.6 % of men (Wise and Schlegel, 2015);
   * most of them few, so that strips show half of it.
   */
  '~urine-leukocytes': {
    within: 0.5,
    mean: bySex(2.2, 0.9),
    sd: 0.9,
    log: true,
    low: 0.2,
    high: 2.9,
  },
  /** Acetoacetate as a multiple of what strips show; assumed. */
  '~ketones': { within: 0.5, mean: 0.25, sd: 0.5, log: true, low: 0.05, high: 0.8 },
  /** Sodium at a normal glucose, mmol/L. */
  '~sodium': { within: 0.008, mean: 140, sd: 1.9, low: 135, high: 144 },
  potassium: { within: 0.045, mean: 4.1, sd: 0.3 },
  'carbon-dioxide-total': { within: 0.045, mean: 25.2, sd: 1.8 },
  /** Anion gap without potassium, mmol/L. */
  '~gap': { within: 0.07, mean: 10.7, sd: 1.7, low: 5.5, high: 15 },
  albumin: {
    within: 0.025,
    mean: ({ age }) => 4.35 - 0.004 * (age - 45),
    sd: 0.23,
    loads: { inflammation: -0.45 },
  },
  /** Proteins except albumin, g/dL. */
  '~globulin': { within: 0.04, mean: 2.7, sd: 0.28, loads: { inflammation: 0.2 }, low: 2, high: 3.3 },
  /** Calcium at an albumin of 4.4 g/dL, mg/dL. */
  '~calcium': { within: 0.017, mean: 9.42, sd: 0.25, low: 8.9, high: 10.1 },
  phosphorus: { within: 0.09 },
  magnesium: { within: 0.04 },
  'uric-acid': {
    within: 0.09,
    mean: bySex(4.7, 5.9),
    sd: 1.1,
    loads: { adiposity: 0.35, kidney: -0.2 },
  },
  'bilirubin-total': { within: 0.22, mean: 0.5, sd: 0.4, log: true },
  'alkaline-phosphatase': { within: 0.07 },
  alt: { within: 0.14, mean: bySex(17.5, 24), sd: 0.36, log: true, loads: { liverFat: 0.7 } },
  /** AST at an ALT of 20 U/L. */
  '~ast': { within: 0.1, mean: 21.5, sd: 0.16, log: true, low: 14, high: 30 },
  ggt: { within: 0.1, mean: bySex(17, 25), sd: 0.5, log: true, loads: { liverFat: 0.65 } },
  ldh: { within: 0.06 },
  wbc: { within: 0.12, mean: 6.5, sd: 0.235, log: true, loads: { inflammation: 0.4 } },
  lymphocytes: { within: 0.1, mean: 31, sd: 6, loads: { inflammation: -0.2 } },
  monocytes: { within: 0.13, mean: 7.5, sd: 1.6 },
  eosinophils: { within: 0.18, mean: 2.5, sd: 1 },
  basophils: { within: 0.2 },
  hemoglobin: { within: 0.03, mean: bySex(13.5, 15), sd: 1, loads: { iron: 0.2 } },
  /** Haemoglobin in a red cell's volume, g/dL, and that volume, fL. */
  '~mchc': { within: 0.008, mean: 33.7, sd: 0.5, loads: { iron: 0.2 }, low: 31.8, high: 35.4 },
  '~mcv': { within: 0.01, mean: 89.5, sd: 3.6, loads: { iron: 0.2 }, low: 80, high: 96.5 },
  rdw: { within: 0.02, mean: 13.1, sd: 0.7, loads: { iron: -0.2 } },
  platelets: { within: 0.08, mean: 246, sd: 0.21, log: true, loads: { inflammation: 0.25, iron: -0.15 } },
  tsh: {
    within: 0.2,
    mean: ({ age }) => 1.6 * yearly(age, 0.003),
    sd: 0.5,
    log: true,
    loads: { thyroid: -0.35 },
  },
  't4-free': { within: 0.06, mean: 1.22, sd: 0.15, loads: { thyroid: 0.92 } },
  't4-total': { within: 0.06, mean: 8, sd: 1.4, loads: { thyroid: 0.92 } },
  't3-free': { within: 0.07, loads: { thyroid: 0.5 } },
  't3-total': { within: 0.08, loads: { thyroid: 0.5 } },
  'tpo-antibodies': { within: 0.12, mean: 11, sd: 0.4, log: true },
  /** Medians of NHANES fall less with age than in men who are followed: 1.6 % a year (Feldman 2002). */
  'testosterone-total': {
    within: 0.11,
    mean: ({ sex, age }) => (sex === 'male' ? 410 * yearly(age, -0.004) : 21 * yearly(age, -0.01)),
    sd: 0.33,
    log: true,
    loads: { bindingGlobulin: 0.75, adiposity: -0.2 },
  },
  shbg: {
    within: 0.1,
    mean: ({ sex, age }) => (sex === 'male' ? 31 * yearly(age, 0.013) : 60),
    sd: 0.38,
    log: true,
    loads: { bindingGlobulin: 0.8, insulinResistance: -0.3 },
  },
  estradiol: {
    within: 0.25,
    mean: hormone('estradiol'),
    sd: 0.4,
    log: true,
  },
  progesterone: {
    within: 0.25,
    mean: hormone('progesterone'),
    sd: 0.4,
    log: true,
  },
  fsh: {
    within: 0.15,
    mean: hormone('fsh'),
    sd: 0.4,
    log: true,
  },
  lh: {
    within: 0.2,
    mean: hormone('lh'),
    sd: 0.4,
    log: true,
  },
  /** Half a unit in those who are not pregnant, which no method measures. */
  'hcg-beta-quantitative': {
    within: 0.1,
    mean: (_, { life }) => placental('hcg', life()),
    sd: 0.5,
    log: true,
  },
  prolactin: { within: 0.2 },
  /** Falls by some 2 % a year (Orentreich 1984); the size is assumed. */
  'dhea-sulfate': {
    within: 0.09,
    mean: ({ sex, age }) => (sex === 'male' ? 250 : 165) * yearly(age, -0.024),
    sd: 0.45,
    log: true,
  },
  cortisol: { within: 0.17, loads: { stress: 0.3 } },
  'igf-1': { within: 0.1, mean: ({ age }) => 165 * yearly(age, -0.012), sd: 0.26, log: true },
  amh: { within: 0.16 },
  /** Rises by about a quarter in ten years, as the medians of NHANES and of Irish men (2012) do. */
  'psa-total': { within: 0.15, mean: ({ age }) => 0.68 * yearly(age, 0.024), sd: 0.55, log: true },
  /** The share of PSA that is free: median 25.3 %, 5th percentile 13.2 % (Massachusetts Male Aging Study, 1999). */
  '~psa-free': { within: 0.06, mean: 0.26, sd: 0.07, low: 0.27, high: 0.5 },
  'pth-intact': { within: 0.155, loads: { sunlight: -0.25 } },
  'vitamin-d-25-hydroxy': {
    within: 0.09,
    mean: 26,
    sd: 0.33,
    log: true,
    loads: { sunlight: 0.8 },
    winter: -0.12,
  },
  '25-hydroxyvitamin-d2': { within: 0.05, mean: 1.8, sd: 0.25, log: true },
  'vitamin-b12': { within: 0.095, mean: 500, sd: 0.38, log: true, loads: { cobalamin: 0.7 } },
  'methylmalonic-acid': {
    within: 0.14,
    mean: ({ age }) => 118 * yearly(age, 0.01),
    sd: 0.35,
    log: true,
    loads: { cobalamin: -0.45 },
  },
  folate: { within: 0.14 },
  zinc: { within: 0.1 },
  ferritin: {
    within: 0.14,
    mean: ({ sex, age }) => (sex === 'male' ? 140 : 38 * (age > 50 ? 2.5 : 1)),
    sd: 0.6,
    log: true,
    loads: { iron: 0.75, inflammation: 0.2 },
  },
  iron: { within: 0.25, mean: bySex(85, 95), sd: 22, loads: { iron: 0.4 } },
  /** Iron-binding capacity, ug/dL. */
  '~tibc': { within: 0.04, mean: 330, sd: 40, loads: { iron: -0.7 }, low: 256, high: 440 },
  'crp-high-sensitivity': { within: 0.38, mean: 1.3, sd: 0.95, log: true, loads: { inflammation: 0.75 } },
  'sed-rate': {
    within: 0.18,
    mean: ({ sex, age }) => (3 + age / 7) * (sex === 'female' ? 1.3 : 1),
    sd: 0.42,
    log: true,
    loads: { inflammation: 0.7 },
  },
  fibrinogen: { within: 0.11, loads: { inflammation: 0.5 } },
  'prothrombin-time': { within: 0.03, mean: 10.6, sd: 0.4 },
  aptt: { within: 0.03 },
  'lead-blood': { within: 0.15, mean: 0.9, sd: 0.4, log: true },
  'urine-creatinine': { within: 0.25, log: true },
  'urine-specific-gravity': { within: 0.004 },
  'urine-ph': { within: 0.07, mean: 6.1, sd: 0.4 },
})

/** Whether a quantity is not reported. */
export const isLatent = (slug: string): boolean => slug.startsWith('~')
