import * as z from 'zod'
import driverRows from '../../../seeds/people/drivers.json' with { type: 'json' }
import stripRows from '../../../seeds/people/strips.json' with { type: 'json' }
import { byName } from '../../kernel/fields.ts'
import { bundledTable } from '../../kernel/seed-table.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import type { Patient } from './ranges.ts'

/** The input of a formula or model: values by analyte, and a random number in [0, 1). */
export interface Known {
  readonly of: (slug: string) => number
  readonly patient: Patient
  readonly noise: number
  readonly analyte: AnalyteSeed | undefined
}

/** How a value follows from others. */
export interface Model {
  readonly from: readonly string[]
  readonly compute: (known: Known) => number | string
}

/** A number that follows from these values alone, which are given in this order. */
export const computed = (
  from: readonly string[],
  compute: (first: number, second: number, third: number) => number,
): Model => ({
  from,
  compute({ of }) {
    const [first = 0, second = 0, third = 0] = from.map(of)
    return compute(first, second, third)
  },
})

export const ratio = (above: string, below: string, times = 1): Model =>
  computed([above, below], (one, other) => (one / other) * times)

/** The product of two values, over 100 if one is a percentage. */
export const product = (one: string, other: string, over = 1): Model =>
  computed([one, other], (first, second) => (first * second) / over)

export const sum = (one: string, other: string): Model =>
  computed([one, other], (first, second) => first + second)

export const difference = (whole: string, ...parts: readonly string[]): Model => ({
  from: [whole, ...parts],
  compute: ({ of }) => parts.reduce((rest, part) => rest - of(part), of(whole)),
})

export const sameAs = (other: string): Model => computed([other], (value) => value)

/** Beyond these triglycerides the equation gives no cholesterol that occurs, mg/dL. */
const MAX_TRIGLYCERIDES = 1500

/**
 * The pads of test strips: the colour that a value in the body gives. The renal threshold of glucose is 180 mg/dL; strips show
 * albumin from about 15 mg/dL, and white cells from about 10 by field. The other steps are assumed.
 */
const strips = bundledTable('people/strips.json', stripRows, () =>
  z.strictObject({ from: z.string(), steps: z.array(z.tuple([z.number(), z.string()])) }),
)

const stripModels = [...strips].map(([slug, { from, steps }]): [string, Model] => [
  slug,
  {
    from: [from],
    compute: ({ of, analyte }) =>
      steps.findLast(([above]) => of(from) > above)?.[1] ?? analyte?.normal ?? 'Negative',
  },
])

/** Measured analytes that depend on others in the body. The inputs of a model come before it. */
export const models = byName<Model>({
  'cholesterol-total': computed(['~ldl', 'hdl-cholesterol', 'triglycerides'], (ldl, hdl, triglycerides) =>
    totalCholesterol(ldl, hdl, Math.min(triglycerides, MAX_TRIGLYCERIDES)),
  ),
  'apolipoprotein-b': {
    from: ['~ldl', 'triglycerides'],
    compute: ({ of, noise }) => (0.7 * of('~ldl') + 0.06 * of('triglycerides') + 9) * (0.96 + 0.08 * noise),
  },
  'apolipoprotein-a1': {
    from: ['hdl-cholesterol'],
    compute: ({ of, noise }) => 20.2 * of('hdl-cholesterol') ** 0.5 * (0.97 + 0.06 * noise),
  },
  ast: computed(['alt', '~ast'], (alt, own) => own * astOver(alt / 20)),
  glucose: computed(['hemoglobin-a1c', '~glucose'], (a1c, own) => averageGlucose(a1c) * own),
  /** High glucose dilutes sodium. Source: Katz, 1973. */
  sodium: computed(['~sodium', 'glucose'], (own, glucose) => own - 0.016 * Math.max(0, glucose - 100)),
  /** Other acids replace a part of missing bicarbonate and widen the gap; the share is assumed. */
  chloride: computed(
    ['sodium', 'carbon-dioxide-total', '~gap'],
    (sodium, bicarbonate, gap) => sodium - bicarbonate - gap - 0.4 * (25 - Math.min(bicarbonate, 30)),
  ),
  /** The usual correction of calcium by albumin, the other way round. Source: Payne, 1973. */
  calcium: computed(['albumin', '~calcium'], (albumin, own) => own + 0.8 * (albumin - 4.4)),
  /** Urea rises with creatinine when the kidneys filter too little. */
  bun: computed(['~bun', 'creatinine'], (own, creatinine) => own + 8 * Math.max(0, creatinine - 1.3)),
  /** Most of it is made from testosterone; by how much is assumed. */
  dihydrotestosterone: {
    from: ['testosterone-total'],
    compute: ({ of, patient }) => (patient.sex === 'male' ? 0.068 : 0.4) * of('testosterone-total'),
  },
  'c-peptide': computed(['insulin', '~c-peptide'], (insulin, own) => own * (insulin / 8.5) ** 0.55),
  uibc: computed(['~tibc', 'iron'], (capacity, iron) => Math.max(15, capacity - iron)),
  hematocrit: ratio('hemoglobin', '~mchc', 100),
  rbc: ratio('hematocrit', '~mcv', 10),
  'protein-total': sum('albumin', '~globulin'),
  'psa-free': product('psa-total', '~psa-free'),
  'urine-albumin': product('urine-creatinine', '~acr', 100),
  /** White cells by field in urine; an infection that shows in blood shows more. */
  '~pyuria': computed(['~urine-leukocytes', 'wbc'], (own, white) => own * (Math.max(white, 6) / 6) ** 2),
  /** Acids of fat, as a multiple of what strips show; those of too little insulin take the place of bicarbonate. */
  '~ketosis': computed(
    ['~ketones', 'carbon-dioxide-total', 'glucose'],
    (own, bicarbonate, glucose) => own * (glucose > 250 ? 2 + Math.max(0, 20 - bicarbonate) : 1),
  ),
  ...Object.fromEntries(stripModels),
})

/** AST, as a multiple, at a multiple of ALT: by its root at first, then nearly in proportion. */
const astOver = (alt: number): number => (alt < 2 ? alt ** 0.5 : 2 ** 0.5 * (alt / 2) ** 0.9)

/** Average glucose in mg/dL at a haemoglobin A1c in percent. Source: Nathan and others, 2008 (ADAG). */
export const averageGlucose = (a1c: number): number => 28.7 * a1c - 46.7

/** The quantity that is changed to change a derived value. */
const drivers: ReadonlyMap<string, string> = bundledTable('people/drivers.json', driverRows, () => z.string())

/** Results that fall when the quantity that is changed for them rises. */
export const inverse: ReadonlySet<string> = new Set([
  'egfr',
  'neutrophils',
  'cholesterol-hdl-ratio',
  'ag-ratio',
])

export const driverOf = (slug: string): string => drivers.get(slug) ?? slug

/** The total cholesterol at which the equation of Sampson gives this LDL cholesterol; all in mg/dL. */
export function totalCholesterol(ldl: number, hdl: number, triglycerides: number): number {
  const rest = triglycerides / 8.56 - (triglycerides * hdl) / 2140 - triglycerides ** 2 / 16_100
  return (ldl + hdl / 0.971 + rest + 9.44) / (1 / 0.948 - triglycerides / 2140)
}
