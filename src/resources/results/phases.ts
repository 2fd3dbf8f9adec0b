import type { LabEffect } from '../../people/conditions.ts'
import { inPregnancy, isWithoutPeriods, type Life, type Trimesters } from '../../people/life.ts'

/**
 * The multiples of what is drawn in a pregnancy: the middles of the ranges in Abbassi-Ghanavati and others, "Pregnancy and
 * laboratory studies", 2009, over those of women who are not pregnant; hemoglobin falls by 1.4 g/dL to the third trimester
 * (7,054 women, Churchill 2019). SHBG: Wilke and Utley 1987; testosterone: O'Leary 1991.
 */
const multiples: Readonly<Record<string, Trimesters>> = {
  hemoglobin: [0.97, 0.89, 0.9],
  ferritin: [0.93, 0.56, 0.35],
  '~tibc': [1.02, 1.21, 1.43],
  wbc: [1.24, 1.47, 1.54],
  lymphocytes: [0.84, 0.68, 0.66],
  platelets: [0.99, 0.95, 0.9],
  creatinine: [0.8, 0.74, 0.8],
  '~bun': [0.78, 0.6, 0.61],
  'uric-acid': [0.8, 0.85, 1.13],
  '~sodium': [0.98, 0.98, 0.98],
  'carbon-dioxide-total': [0.9, 0.87, 0.86],
  albumin: [0.92, 0.79, 0.74],
  'alkaline-phosphatase': [0.86, 1.16, 2.08],
  'bilirubin-total': [0.8, 0.75, 0.75],
  '~ldl': [0.96, 1.3, 1.5],
  'hdl-cholesterol': [1.12, 1.36, 1.37],
  triglycerides: [1.05, 2.01, 2.77],
  '~glucose': [0.95, 0.93, 0.92],
  insulin: [1, 1.38, 1.84],
  'hemoglobin-a1c': [0.98, 0.95, 0.97],
  tsh: [0.72, 0.9, 1.02],
  't4-total': [1.22, 1.49, 1.46],
  't3-total': [1.22, 1.49, 1.46],
  't4-free': [1.02, 0.87, 0.8],
  shbg: [1.48, 6.6, 5.8],
  'testosterone-total': [2.28, 3, 4],
  prolactin: [4.2, 12.71, 20],
  cortisol: [1.24, 1.98, 2.63],
  'pth-intact': [0.56, 0.62, 0.61],
  fibrinogen: [1.08, 1.23, 1.44],
  'sed-rate': [1.8, 2.34, 3],
  'crp-high-sensitivity': [1.48, 1.84, 2.12],
  homocysteine: [0.8, 0.62, 0.67],
  'alpha-fetoprotein': [2.6, 30, 52.5],
}

/** By which factors a life changes what is drawn; none outside of a pregnancy and the weeks after it. */
export const multiplesOf = (life: Life): LabEffect[] =>
  isWithoutPeriods(life)
    ? Object.entries(multiples).map(([slug, values]) => ({ slug, times: inPregnancy(values, life, 1) }))
    : []

/**
 * Decimal logarithms of hormones. hCG in mIU/mL: the hCG Reference Service; progesterone in ng/mL: Ku 2018; estradiol in
 * pg/mL: Grossi 2018; later those of Abbassi-Ghanavati 2009. How far gonadotropins are suppressed is assumed.
 */
const hormones = {
  hcg: { usual: -0.3, pregnant: [4.71, 4.18, 4.16] },
  estradiol: { usual: 1.78, pregnant: [2.65, 3.83, 4.23] },
  progesterone: { usual: -0.3, pregnant: [1.31, 1.79, 2.16] },
  fsh: { usual: 0.81, pregnant: [-0.41, -0.51, -0.65] },
  lh: { usual: 0.85, pregnant: [-0.41, -0.51, -0.65] },
} as const satisfies Readonly<Record<string, { readonly usual: number; readonly pregnant: Trimesters }>>

export type Hormone = keyof typeof hormones

/** The level of a hormone in a pregnancy, and in the weeks after it. */
export const placental = (hormone: Hormone, life: Life): number =>
  10 ** inPregnancy(hormones[hormone].pregnant, life, hormones[hormone].usual)
