import type { Side } from './ranges.ts'

/** A result that is out of range in a condition: the multiple of the bound in a mild and in a severe case. */
interface Sign {
  readonly slug: string
  readonly side: Side
  readonly mild: number
  readonly severe: number
}

const above = (slug: string, mild: number, severe: number): Sign => ({ slug, side: 'above', mild, severe })
const below = (slug: string, mild: number, severe: number): Sign => ({ slug, side: 'below', mild, severe })

/** Medical conditions and their results. The first ordered result of a condition indicates it. */
export const patterns: Readonly<Record<string, readonly [Sign, ...Sign[]]>> = {
  dyslipidemia: [
    above('ldl-cholesterol-calc', 1.15, 1.9),
    above('ldl-cholesterol-direct', 1.15, 1.9),
    above('triglycerides', 1.03, 1.8),
    below('hdl-cholesterol', 0.95, 0.72),
  ],
  iron_deficiency_anemia: [
    below('ferritin', 0.8, 0.2),
    below('hemoglobin', 0.97, 0.75),
    below('mcv', 0.98, 0.84),
    below('mchc', 0.99, 0.95),
    below('iron', 0.85, 0.45),
    above('uibc', 1.03, 1.25),
    above('rdw', 1.03, 1.25),
  ],
  diabetes: [
    above('hemoglobin-a1c', 1.16, 1.75),
    above('glucose', 1.3, 2.4),
    above('fructosamine', 1.05, 1.6),
    above('albumin-creatinine-ratio', 1.1, 6),
  ],
  hypothyroidism: [
    above('tsh', 1.4, 8),
    below('t4-free', 0.98, 0.6),
    below('t4-total', 0.98, 0.6),
    above('tpo-antibodies', 2, 14),
  ],
  hyperthyroidism: [
    below('tsh', 0.6, 0.02),
    above('t4-free', 1.05, 2),
    above('t4-total', 1.03, 1.6),
    above('t3-free', 1.05, 2),
    above('t3-total', 1.03, 1.8),
  ],
  chronic_kidney_disease: [
    above('creatinine', 1.35, 2.8),
    above('bun', 1.1, 2.2),
    above('phosphorus', 1.02, 1.3),
    above('pth-intact', 1.1, 2.6),
    above('albumin-creatinine-ratio', 1.3, 12),
  ],
  liver: [
    above('alt', 1.3, 4.5),
    above('ast', 1.1, 3.6),
    above('ggt', 1.15, 4),
    above('alkaline-phosphatase', 1.02, 1.5),
    above('bilirubin-total', 1.1, 2.2),
  ],
  inflammation: [
    above('crp-high-sensitivity', 1.6, 14),
    above('sed-rate', 1.1, 2.2),
    above('wbc', 1.05, 1.5),
  ],
  vitamin_b12_deficiency: [
    below('vitamin-b12', 0.9, 0.5),
    above('methylmalonic-acid', 1.1, 3),
    above('homocysteine', 1.1, 2.4),
    above('mcv', 1.02, 1.15),
  ],
}
