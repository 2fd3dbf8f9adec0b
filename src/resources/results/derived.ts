import { byName } from '../../kernel/fields.ts'
import { once } from '../../kernel/once.ts'
import { ADULT } from '../../people/dates.ts'
import {
  averageGlucose,
  computed,
  difference,
  type Known,
  type Model,
  models,
  product,
  ratio,
  sameAs,
  sum,
} from './models.ts'
import type { Patient } from './ranges.ts'

interface Formula extends Model {
  /** Why the value cannot be computed, in the words of a report. */
  readonly unless?: (known: Known) => string | undefined
}

/** The highest triglycerides for calculated lipids, mg/dL. */
const MAX_TRIGLYCERIDES = 800
const lipids: Formula['unless'] = ({ of }) =>
  of('triglycerides') > MAX_TRIGLYCERIDES
    ? `Not calculated: triglycerides above ${MAX_TRIGLYCERIDES} mg/dL`
    : undefined

/** The white cells that are counted, apart from neutrophils. */
const otherCells = ['lymphocytes', 'monocytes', 'eosinophils', 'basophils']

/** Calculated values. The inputs of a formula come before it. */
export const formulas = byName<Formula>({
  'ldl-cholesterol-calc': {
    ...computed(['cholesterol-total', 'hdl-cholesterol', 'triglycerides'], sampsonLdl),
    unless: lipids,
  },
  'ldl-calc-comment': {
    from: ['triglycerides'],
    compute: ({ of, analyte }) =>
      (of('triglycerides') > MAX_TRIGLYCERIDES ? analyte?.abnormal : analyte?.normal) ?? '',
  },
  'vldl-cholesterol-calc': {
    ...difference('cholesterol-total', 'hdl-cholesterol', 'ldl-cholesterol-calc'),
    unless: lipids,
  },
  'ldl-cholesterol-direct': {
    from: ['cholesterol-total', 'hdl-cholesterol', 'triglycerides'],
    compute: ({ of, noise }) =>
      sampsonLdl(of('cholesterol-total'), of('hdl-cholesterol'), Math.min(of('triglycerides'), 800)) *
      (0.96 + 0.08 * noise),
  },
  'non-hdl-cholesterol': difference('cholesterol-total', 'hdl-cholesterol'),
  'cholesterol-hdl-ratio': ratio('cholesterol-total', 'hdl-cholesterol'),
  egfr: {
    from: ['creatinine'],
    compute: ({ of, patient }) => ckdEpi2021(of('creatinine'), patient),
    unless: ({ patient }) => (patient.age < ADULT ? 'Not calculated: patient is under 18 years' : undefined),
  },
  'bun-creatinine-ratio': ratio('bun', 'creatinine'),
  'globulin-total': difference('protein-total', 'albumin'),
  'ag-ratio': ratio('albumin', 'globulin-total'),
  'bilirubin-direct': {
    from: ['bilirubin-total'],
    compute: ({ of, noise }) => of('bilirubin-total') * (0.15 + 0.15 * noise),
  },
  mcv: ratio('hematocrit', 'rbc', 10),
  mch: ratio('hemoglobin', 'rbc', 10),
  mchc: ratio('hemoglobin', 'hematocrit', 100),
  neutrophils: {
    from: otherCells,
    compute: ({ of }) => otherCells.reduce((rest, cell) => rest - of(cell), 100),
  },
  ...Object.fromEntries(
    ['neutrophils', ...otherCells].map((cell) => [`${cell}-absolute`, product('wbc', cell, 100)]),
  ),
  'estimated-average-glucose': computed(['hemoglobin-a1c'], averageGlucose),
  tibc: sum('iron', 'uibc'),
  'iron-saturation': ratio('iron', 'tibc', 100),
  transferrin: computed(['tibc'], (tibc) => tibc * 0.72),
  'testosterone-free': computed(
    ['testosterone-total', 'shbg'],
    (total, shbg) => freeTestosterone(total, shbg) / DIRECT_ASSAY,
  ),
  'psa-free-percent': {
    ...ratio('psa-free', 'psa-total', 100),
    unless: ({ of }) => (of('psa-total') > 0 ? undefined : 'Not calculated: PSA not detected'),
  },
  'albumin-creatinine-ratio': ratio('urine-albumin', 'urine-creatinine', 100),
  inr: computed(['prothrombin-time'], (seconds) => seconds / 10.4),
  'osmolality-serum': computed(
    ['sodium', 'glucose', 'bun'],
    (sodium, glucose, bun) => 2 * sodium + glucose / 18 + bun / 2.8,
  ),
  '25-hydroxyvitamin-d3': difference('vitamin-d-25-hydroxy', '25-hydroxyvitamin-d2'),
  'apolipoprotein-b-100': sameAs('apolipoprotein-b'),
  'remnant-cholesterol': { ...sameAs('vldl-cholesterol-calc'), unless: lipids },
  'afp-tumor-marker': sameAs('alpha-fetoprotein'),
  'c-reactive-protein': sameAs('crp-high-sensitivity'),
})

/** By which a direct immunoassay, whose ranges the catalogue has, reads less than what is calculated; assumed. */
const DIRECT_ASSAY = 8

/**
 * Free testosterone in pg/mL from the total in ng/dL and SHBG in nmol/L, at an albumin of 4.3 g/dL. Source: Vermeulen and
 * others, 1999.
 */
export function freeTestosterone(total: number, shbg: number): number {
  const nanomoles = total * NMOL_PER_NG_DL
  const boundBy = 1 + ALBUMIN_AFFINITY * ALBUMIN_MOLES
  const linear = boundBy + SHBG_AFFINITY * (shbg - nanomoles)
  const root = Math.sqrt(linear ** 2 + 4 * boundBy * SHBG_AFFINITY * nanomoles)
  return ((root - linear) / (2 * boundBy * SHBG_AFFINITY) / NMOL_PER_NG_DL) * 10
}

const NMOL_PER_NG_DL = 0.0347
/** Litres per mole of albumin, and per nanomole of SHBG. */
const ALBUMIN_AFFINITY = 3.6e4
const SHBG_AFFINITY = 1
const ALBUMIN_MOLES = 43 / 69_000

/** LDL cholesterol from total, HDL and triglycerides, mg/dL. Source: Sampson and others, 2020, "NIH equation 2". */
export function sampsonLdl(total: number, hdl: number, triglycerides: number): number {
  const nonHdl = total - hdl
  const vldl = triglycerides / 8.56 + (triglycerides * nonHdl) / 2140 - triglycerides ** 2 / 16_100
  return total / 0.948 - hdl / 0.971 - vldl - 9.44
}

const ofTheProstate = ['psa-total', 'psa-free', 'psa-free-percent']

/** Why an analyte is not measured in a patient. */
export const notApplicable = (slug: string, { sex }: Patient): string | undefined =>
  sex === 'female' && ofTheProstate.includes(slug) ? 'Not performed: patient has no prostate' : undefined

/** The eGFR in mL/min/1.73 m², from creatinine in mg/dL. Source: the CKD-EPI creatinine equation of 2021. */
export function ckdEpi2021(creatinine: number, { sex, age }: Patient): number {
  const isFemale = sex === 'female'
  const share = creatinine / (isFemale ? 0.7 : 0.9)
  const slope = isFemale ? -0.241 : -0.302
  return (
    142 * Math.min(share, 1) ** slope * Math.max(share, 1) ** -1.2 * 0.9938 ** age * (isFemale ? 1.012 : 1)
  )
}

const families = once(() => new Map<string, readonly string[]>())

/** The analytes that depend on each other, and the quantities they are derived from; inputs first. */
export function familyOf(slug: string): readonly string[] {
  const kept = families().get(slug)
  if (kept) return kept
  const family = findFamily(slug)
  for (const member of family) families().set(member, family)
  return family
}

function findFamily(slug: string): readonly string[] {
  const members = new Set([slug])
  for (let before = 0; before < members.size; ) {
    before = members.size
    for (const [derived, { from }] of [...Object.entries(models), ...Object.entries(formulas)]) {
      if (members.has(derived) || from.some((each) => members.has(each)))
        for (const each of [derived, ...from]) members.add(each)
    }
  }
  const drawn = [...members].filter((each) => !formulas[each] && !models[each]).sort()
  const others = [...Object.keys(models), ...Object.keys(formulas)].filter((each) => members.has(each))
  return [...drawn, ...others]
}
