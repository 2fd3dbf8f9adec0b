import type { LabEffect } from '../../people/conditions.ts'
import { inCourse, type Life } from '../../people/life.ts'
import type { Points } from '../../people/points.ts'

/** The course of a quantity in a pregnancy, by week, and after it, by week since the birth. */
interface Course {
  readonly pregnant: Points
  readonly after: Points
}

/**
 * The multiples of what is drawn by week of pregnancy. Those of the three trimesters are the middles of the ranges in
 * Abbassi-Ghanavati and others, "Pregnancy and laboratory studies", 2009, over those of women who are not pregnant;
 * hemoglobin falls by 1.4 g/dL to the third trimester (7,054 women, Churchill 2019). SHBG of the trimesters: 42, 68, 279 and
 * 246 nmol/L (Wilke and Utley 1987); testosterone: the middles of the ranges of O'Leary 1991. The weeks between, and those
 * after the birth, are assumed. Changed in early pregnancy: TSH, creatinine, albumin (Petersen 2019).
 */
// biome-ignore format: a table is read by its columns.
const multiples: Readonly<Record<string, Course>> = {
  hemoglobin: { pregnant: [[0, 1], [8, 0.97], [24, 0.88], [32, 0.885], [40, 0.92]], after: [[0, 0.86], [6, 0.98], [10, 1]] },
  ferritin: { pregnant: [[0, 1], [12, 0.9], [20, 0.6], [32, 0.35], [40, 0.35]], after: [[0, 0.5], [8, 0.7], [26, 1]] },
  '~tibc': { pregnant: [[0, 1], [12, 1.03], [24, 1.25], [34, 1.42], [40, 1.45]], after: [[0, 1.35], [8, 1.05], [16, 1]] },
  wbc: { pregnant: [[0, 1], [10, 1.3], [24, 1.5], [40, 1.55]], after: [[0, 2.1], [1, 1.4], [6, 1]] },
  lymphocytes: { pregnant: [[0, 1], [10, 0.8], [24, 0.66], [40, 0.66]], after: [[0, 0.5], [6, 1]] },
  platelets: { pregnant: [[0, 1], [12, 0.98], [24, 0.95], [40, 0.88]], after: [[0, 0.95], [2, 1.25], [6, 1]] },
  creatinine: { pregnant: [[0, 1], [4, 0.94], [8, 0.8], [20, 0.74], [32, 0.76], [40, 0.84]], after: [[0, 0.92], [6, 1]] },
  '~bun': { pregnant: [[0, 1], [10, 0.72], [24, 0.58], [40, 0.62]], after: [[0, 0.8], [6, 1]] },
  'uric-acid': { pregnant: [[0, 1], [10, 0.75], [22, 0.85], [34, 1.1], [40, 1.2]], after: [[0, 1.25], [6, 1]] },
  '~sodium': { pregnant: [[0, 1], [10, 0.978], [40, 0.976]], after: [[0, 0.98], [2, 1]] },
  'carbon-dioxide-total': { pregnant: [[0, 1], [10, 0.87], [40, 0.86]], after: [[0, 0.9], [2, 1]] },
  albumin: { pregnant: [[0, 1], [5.5, 0.96], [10, 0.89], [22, 0.79], [34, 0.74], [40, 0.74]], after: [[0, 0.7], [2, 0.85], [8, 1]] },
  'alkaline-phosphatase': { pregnant: [[0, 1], [10, 0.83], [20, 1.05], [30, 1.6], [40, 2.4]], after: [[0, 2.2], [3, 1.3], [8, 1]] },
  'bilirubin-total': { pregnant: [[0, 1], [10, 0.75], [40, 0.75]], after: [[0, 0.9], [4, 1]] },
  '~ldl': { pregnant: [[0, 1], [10, 0.95], [22, 1.3], [34, 1.5], [40, 1.5]], after: [[0, 1.45], [8, 1.2], [26, 1]] },
  'hdl-cholesterol': { pregnant: [[0, 1], [10, 1.15], [24, 1.39], [40, 1.36]], after: [[0, 1.15], [8, 1]] },
  triglycerides: { pregnant: [[0, 1], [8, 1.05], [20, 1.9], [34, 2.7], [40, 2.9]], after: [[0, 2.4], [3, 1.3], [8, 1]] },
  '~glucose': { pregnant: [[0, 1], [10, 0.94], [40, 0.92]], after: [[0, 0.97], [2, 1]] },
  insulin: { pregnant: [[0, 1], [12, 1], [28, 1.6], [38, 1.9]], after: [[0, 1.1], [2, 1]] },
  'hemoglobin-a1c': { pregnant: [[0, 1], [14, 0.97], [24, 0.95], [40, 0.98]], after: [[0, 0.99], [10, 1]] },
  tsh: { pregnant: [[0, 1], [6, 0.85], [10, 0.6], [16, 0.85], [40, 1.05]], after: [[0, 1.1], [6, 1]] },
  't4-total': { pregnant: [[0, 1], [6, 1.15], [16, 1.5], [40, 1.45]], after: [[0, 1.4], [6, 1]] },
  't3-total': { pregnant: [[0, 1], [6, 1.15], [16, 1.5], [40, 1.45]], after: [[0, 1.4], [6, 1]] },
  't4-free': { pregnant: [[0, 1], [10, 1.02], [24, 0.84], [40, 0.78]], after: [[0, 0.85], [6, 1]] },
  shbg: { pregnant: [[0, 1], [10, 1.6], [22, 6.6], [34, 5.8], [40, 5.8]], after: [[0, 5], [3, 1.6], [8, 1]] },
  'testosterone-total': { pregnant: [[0, 1], [10, 2.6], [22, 3], [34, 4], [40, 4]], after: [[0, 2.5], [2, 1]] },
  prolactin: { pregnant: [[0, 1], [10, 5], [24, 14], [40, 22]], after: [[0, 20], [3, 8], [12, 3], [30, 1]] },
  cortisol: { pregnant: [[0, 1], [10, 1.3], [26, 2.2], [40, 2.8]], after: [[0, 2], [1, 1]] },
  'pth-intact': { pregnant: [[0, 1], [10, 0.45], [24, 0.65], [40, 0.6]], after: [[0, 0.8], [6, 1]] },
  fibrinogen: { pregnant: [[0, 1], [10, 1.1], [24, 1.25], [40, 1.5]], after: [[0, 1.6], [3, 1.1], [6, 1]] },
  'sed-rate': { pregnant: [[0, 1], [10, 2], [24, 2.4], [40, 3.2]], after: [[0, 3.4], [4, 1.5], [8, 1]] },
  'crp-high-sensitivity': { pregnant: [[0, 1], [10, 1.6], [40, 2.2]], after: [[0, 12], [1, 3], [4, 1]] },
  homocysteine: { pregnant: [[0, 1], [10, 0.75], [24, 0.6], [40, 0.7]], after: [[0, 0.85], [6, 1]] },
  'alpha-fetoprotein': { pregnant: [[0, 1], [10, 3], [16, 12], [32, 60], [40, 45]], after: [[0, 30], [4, 1]] },
}

/** By which factors a life changes what is drawn; none outside of a pregnancy and the year after it. */
export function multiplesOf(life: Life): LabEffect[] {
  if (life.pregnantWeeks === undefined && life.birth === undefined) return []
  return Object.entries(multiples).map(([slug, course]) => ({ slug, times: inCourse(course, life, 1) }))
}

/**
 * Hormones of the placenta and of the ovaries, by week. hCG as the decimal logarithm of mIU/mL: a median of 100 on day 28,
 * doubling every two days, some 60,000 to 100,000 at ten weeks (hCG Reference Service); weeks 3 to 5 within 6-71, 10-750
 * and 217-7,138 (Labcorp). Progesterone in ng/mL: medians of 18 and 25 in weeks 5 and 13 (929 women, Ku 2018). Estradiol in
 * pg/mL: its logarithm grows by .01 a day in weeks 5 to 13 (104 women, Grossi 2018). Both later: ranges of the trimesters of
 * Abbassi-Ghanavati 2009, from memory. Gonadotropins are suppressed, by how much is assumed. The weeks after the birth are assumed.
 */
// biome-ignore format: a table is read by its columns.
const hormones = {
  hcg: { pregnant: [[0, -0.3], [3, 0.6], [3.5, 1.3], [4, 2], [5, 3.2], [6, 4], [7, 4.5], [9, 4.92], [10.5, 4.92], [13, 4.75], [17, 4.4], [20, 4.2], [30, 4.1], [40, 4.2]], after: [[0, 4], [1, 2.5], [2, 1.2], [3, 0.4], [4, -0.3]] },
  estradiol: { pregnant: [[0, 60], [3, 180], [6, 290], [10, 600], [13, 1000], [20, 5500], [30, 12_000], [40, 20_000]], after: [[0, 3000], [0.3, 150], [1, 18], [6, 25]] },
  progesterone: { pregnant: [[0, 0.5], [3, 11], [5, 18], [9, 21], [13, 25.4], [20, 50], [30, 110], [40, 170]], after: [[0, 60], [0.3, 4], [1, 0.3]] },
  fsh: { pregnant: [[0, 6.5], [2, 6], [4, 1.2], [6, 0.4], [40, 0.2]], after: [[0, 0.2], [4, 4], [8, 6]] },
  lh: { pregnant: [[0, 7], [2, 10], [4, 1.2], [6, 0.4], [40, 0.2]], after: [[0, 0.2], [4, 3], [8, 5]] },
} as const satisfies Readonly<Record<string, Course>>

export type Hormone = keyof typeof hormones

/** The level of a hormone in a pregnancy, and while periods have not returned after it. */
export const placental = (hormone: Hormone, life: Life): number =>
  inCourse(hormones[hormone], life, hormones[hormone].pregnant[0][1])
