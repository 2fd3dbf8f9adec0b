import type { Patient } from './ranges.ts'

/** The variation of an analyte between healthy people, and within one person. */
export interface Biology {
  /** Biological and analytical variation between samples of one person, as a share of the person's level. */
  readonly within: number
  /** Mean and standard deviation between people; derived from the reference range by default. */
  readonly mean?: number | ((patient: Patient) => number)
  readonly sd?: number
  /** Whether the distribution is log-normal; `sd` is then that of the natural logarithm. */
  readonly log?: boolean
}

const bySex =
  (male: number, female: number) =>
  ({ sex }: Patient) => {
    if (sex === 'male') return male
    return sex === 'female' ? female : (male + female) / 2
  }

/** The `within` of analytes without a line below. */
export const OTHER_WITHIN = 0.08

/**
 * Within one person: the root of the squares of the within-subject variation in the EFLM database and of a good
 * method's imprecision, rounded. Between people: adults of the United States (NHANES), rounded.
 */
export const biology: Readonly<Record<string, Biology>> = {
  'hdl-cholesterol': { within: 0.07, mean: bySex(48, 58), sd: 13 },
  triglycerides: { within: 0.21, mean: 112, sd: 0.45, log: true },
  'lipoprotein-a': { within: 0.1, log: true },
  homocysteine: { within: 0.09, mean: 9, sd: 2 },
  glucose: { within: 0.05, mean: 89, sd: 6 },
  bun: { within: 0.14, mean: 14, sd: 3.5 },
  creatinine: { within: 0.053, mean: bySex(0.99, 0.77), sd: 0.13 },
  sodium: { within: 0.008, mean: 140, sd: 1.8 },
  potassium: { within: 0.045, mean: 4.3, sd: 0.3 },
  chloride: { within: 0.014, mean: 102, sd: 2 },
  'carbon-dioxide-total': { within: 0.05, mean: 24.5, sd: 1.7 },
  calcium: { within: 0.022, mean: 9.4, sd: 0.28 },
  albumin: { within: 0.03, mean: 4.4, sd: 0.2 },
  'bilirubin-total': { within: 0.22, mean: 0.5, sd: 0.4, log: true },
  'alkaline-phosphatase': { within: 0.07 },
  ast: { within: 0.12, mean: 22, sd: 0.25, log: true },
  alt: { within: 0.14, mean: bySex(24, 18), sd: 0.35, log: true },
  ggt: { within: 0.1, mean: bySex(25, 18), sd: 0.5, log: true },
  ldh: { within: 0.06 },
  'uric-acid': { within: 0.09, mean: bySex(6, 4.8), sd: 1.1 },
  phosphorus: { within: 0.09 },
  magnesium: { within: 0.04 },
  wbc: { within: 0.12, mean: 6.7, sd: 1.6 },
  hemoglobin: { within: 0.03, mean: bySex(15.1, 13.5), sd: 1 },
  rdw: { within: 0.02, mean: 13.1, sd: 0.7 },
  platelets: { within: 0.08, mean: 250, sd: 55 },
  lymphocytes: { within: 0.1, mean: 31, sd: 6 },
  monocytes: { within: 0.13, mean: 7.5, sd: 1.6 },
  eosinophils: { within: 0.18, mean: 2.5, sd: 1 },
  basophils: { within: 0.2 },
  'hemoglobin-a1c': { within: 0.02, mean: 5.3, sd: 0.25 },
  insulin: { within: 0.25, mean: 7.5, sd: 0.45, log: true },
  'c-peptide': { within: 0.16 },
  fructosamine: { within: 0.04 },
  tsh: { within: 0.2, mean: 1.6, sd: 0.45, log: true },
  't4-free': { within: 0.07, mean: 1.22, sd: 0.15 },
  't4-total': { within: 0.07 },
  't3-free': { within: 0.07 },
  't3-total': { within: 0.08 },
  'tpo-antibodies': { within: 0.12, mean: 11, sd: 0.4, log: true },
  'testosterone-total': { within: 0.12 },
  shbg: { within: 0.12 },
  estradiol: { within: 0.25 },
  progesterone: { within: 0.25 },
  fsh: { within: 0.15 },
  lh: { within: 0.2 },
  prolactin: { within: 0.2 },
  'dhea-sulfate': { within: 0.09 },
  cortisol: { within: 0.17 },
  'igf-1': { within: 0.1 },
  amh: { within: 0.16 },
  'psa-total': { within: 0.15, mean: ({ age }) => Math.max(0.4, 0.03 * age - 0.4), sd: 0.5, log: true },
  'pth-intact': { within: 0.2 },
  'vitamin-d-25-hydroxy': { within: 0.09, mean: 38, sd: 0.25, log: true },
  'vitamin-b12': { within: 0.14, mean: 500, sd: 0.35, log: true },
  folate: { within: 0.14 },
  'methylmalonic-acid': { within: 0.16, mean: 150, sd: 0.35, log: true },
  zinc: { within: 0.1 },
  ferritin: { within: 0.14, log: true, sd: 0.5, mean: bySex(130, 55) },
  iron: { within: 0.25, mean: bySex(95, 85), sd: 22 },
  uibc: { within: 0.08, mean: 235, sd: 35 },
  'crp-high-sensitivity': { within: 0.42, mean: 0.9, sd: 0.7, log: true },
  'sed-rate': { within: 0.2, mean: ({ age }) => 3 + age / 8, sd: 0.4, log: true },
  fibrinogen: { within: 0.11 },
  'prothrombin-time': { within: 0.03, mean: 10.6, sd: 0.4 },
  aptt: { within: 0.03 },
  'lead-blood': { within: 0.15, mean: 0.9, sd: 0.4, log: true },
  'urine-creatinine': { within: 0.25, log: true },
  'urine-specific-gravity': { within: 0.004 },
  'urine-ph': { within: 0.07, mean: 6.1, sd: 0.4 },
}

/** Quantities that are not reported, but from which several results are derived. */
export const latents: Readonly<Record<string, Required<Pick<Biology, 'within'>> & LatentRange>> = {
  /** LDL cholesterol, mg/dL. */
  '~ldl': { within: 0.08, mean: ({ age }) => 113.5 + 14 * ageHump(age), sd: 28, low: 45, high: 96 },
  /** Haemoglobin in a red cell's volume, g/dL, and that volume, fL. */
  '~mchc': { within: 0.008, mean: 33.7, sd: 0.5, low: 31.8, high: 35.4 },
  '~mcv': { within: 0.01, mean: 89.5, sd: 3.2, low: 80.5, high: 96 },
  /** Proteins but for albumin, g/dL. */
  '~globulin': { within: 0.04, mean: 2.6, sd: 0.25, low: 2, high: 3.3 },
  /** Milligrams of albumin for each gram of creatinine in urine. */
  '~acr': { within: 0.3, mean: 6, sd: 0.4, log: true, low: 2, high: 24 },
  /** The share of PSA that is free. */
  '~psa-free': { within: 0.06, mean: 0.36, sd: 0.05, low: 0.28, high: 0.5 },
}

interface LatentRange extends Biology {
  readonly low: number
  readonly high: number
}

/** 0 on average over adults: lower in the young and the old, higher from 45 to 65. */
const ageHump = (age: number) => Math.exp(-(((age - 55) / 18) ** 2)) - 0.5
