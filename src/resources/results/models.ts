import type { Patient } from './ranges.ts'

/** The input of a formula or model: values by analyte, and a random number in [0, 1). */
export interface Known {
  readonly of: (slug: string) => number
  readonly patient: Patient
  readonly noise: number
}

interface Model {
  readonly from: readonly string[]
  readonly compute: (known: Known) => number
}

/** Beyond these triglycerides the equation gives no cholesterol that occurs, mg/dL. */
const MAX_TRIGLYCERIDES = 1500

/** Measured analytes that depend on others in the body. The inputs of a model come before it. */
export const models: Readonly<Record<string, Model>> = {
  'cholesterol-total': {
    from: ['~ldl', 'hdl-cholesterol', 'triglycerides'],
    compute: ({ of }) =>
      totalCholesterol(of('~ldl'), of('hdl-cholesterol'), Math.min(of('triglycerides'), MAX_TRIGLYCERIDES)),
  },
  'apolipoprotein-b': {
    from: ['~ldl', 'triglycerides'],
    compute: ({ of, noise }) => (0.7 * of('~ldl') + 0.06 * of('triglycerides') + 9) * (0.96 + 0.08 * noise),
  },
  'apolipoprotein-a1': {
    from: ['hdl-cholesterol'],
    compute: ({ of, noise }) => (1.35 * of('hdl-cholesterol') + 75) * (0.97 + 0.06 * noise),
  },
  hematocrit: {
    from: ['hemoglobin', '~mchc'],
    compute: ({ of }) => (of('hemoglobin') / of('~mchc')) * 100,
  },
  rbc: { from: ['hematocrit', '~mcv'], compute: ({ of }) => (of('hematocrit') / of('~mcv')) * 10 },
  'protein-total': {
    from: ['albumin', '~globulin'],
    compute: ({ of }) => of('albumin') + of('~globulin'),
  },
  'psa-free': {
    from: ['psa-total', '~psa-free'],
    compute: ({ of }) => of('psa-total') * of('~psa-free'),
  },
  'urine-albumin': {
    from: ['urine-creatinine', '~acr'],
    compute: ({ of }) => (of('~acr') * of('urine-creatinine')) / 100,
  },
}

/** The quantity that is changed to change a derived value. */
const drivers: Readonly<Record<string, string>> = {
  'cholesterol-total': '~ldl',
  'ldl-cholesterol-calc': '~ldl',
  'ldl-cholesterol-direct': '~ldl',
  'non-hdl-cholesterol': '~ldl',
  'apolipoprotein-b': '~ldl',
  'vldl-cholesterol-calc': 'triglycerides',
  'cholesterol-hdl-ratio': 'hdl-cholesterol',
  'apolipoprotein-a1': 'hdl-cholesterol',
  hematocrit: 'hemoglobin',
  rbc: 'hemoglobin',
  mcv: '~mcv',
  mch: '~mcv',
  mchc: '~mchc',
  neutrophils: 'lymphocytes',
  'neutrophils-absolute': 'wbc',
  'lymphocytes-absolute': 'lymphocytes',
  'monocytes-absolute': 'monocytes',
  'eosinophils-absolute': 'eosinophils',
  'basophils-absolute': 'basophils',
  egfr: 'creatinine',
  'bun-creatinine-ratio': 'bun',
  'protein-total': '~globulin',
  'globulin-total': '~globulin',
  'ag-ratio': '~globulin',
  'psa-free': '~psa-free',
  'psa-free-percent': '~psa-free',
  'urine-albumin': '~acr',
  'albumin-creatinine-ratio': '~acr',
  'iron-saturation': 'iron',
  tibc: 'uibc',
  transferrin: 'uibc',
}

export const driverOf = (slug: string): string => drivers[slug] ?? slug

/** The total cholesterol at which the equation of Sampson gives this LDL cholesterol; all in mg/dL. */
export function totalCholesterol(ldl: number, hdl: number, triglycerides: number): number {
  const rest = triglycerides / 8.56 - (triglycerides * hdl) / 2140 - triglycerides ** 2 / 16_100
  return (ldl + hdl / 0.971 + rest + 9.44) / (1 / 0.948 - triglycerides / 2140)
}
