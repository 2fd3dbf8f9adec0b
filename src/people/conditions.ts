import { keysOf } from '../kernel/fields.ts'
import type { Points } from './points.ts'
import type { Loadings, Trait } from './traits.ts'

/** What a condition, treatment or episode does to a trait at degree 1: adds to it, multiplies it, or both. */
export interface TraitEffect {
  readonly add?: number
  readonly times?: number
}
export type TraitEffects = Partial<Readonly<Record<Trait, TraitEffect>>>

/** A laboratory result that a condition changes: the multiple of the reference range's bound in a mild and in a severe case. */
export interface Sign {
  readonly slug: string
  readonly side: 'above' | 'below'
  readonly mild: number
  readonly severe: number
}

const above = (slug: string, mild: number, severe: number): Sign => ({ slug, side: 'above', mild, severe })
const below = (slug: string, mild: number, severe: number): Sign => ({ slug, side: 'below', mild, severe })

/** The multiple by which a laboratory result changes at full effect. */
export interface LabEffect {
  readonly slug: string
  readonly times: number
}

/** Share of people who have it, by age in years. */
type Prevalence = Points

export interface ConditionRow {
  /** Nobody has it by chance where it is left out: personas and findings only. */
  readonly prevalence?: { readonly female: Prevalence; readonly male: Prevalence }
  /** What makes it likelier. */
  readonly loads?: Loadings
  /** The share of people with it who know of it. */
  readonly diagnosed?: number
  /** The mean of its degree in people who have it by chance; that of all conditions where left out. */
  readonly meanDegree?: number
  /** Years in which it grows to two thirds of the way to its degree, from half of it; at once there where left out. */
  readonly growsYears?: number
  /** Days of a spell of it, which ends by itself; it stays where left out. Shares by age are those at one time. */
  readonly spellDays?: number
  /** The days that it lasts when a laboratory has found it; for good where left out. */
  readonly days?: readonly [shortest: number, longest: number]
  readonly signs: readonly Sign[]
  /** What else it changes in results, at degree 1. */
  readonly labs?: readonly LabEffect[]
  readonly effects?: TraitEffects
}

const everyone = (...points: Prevalence) => ({ female: points, male: points })

/**
 * Conditions. Prevalences are rounded. What has no source beside it is assumed. The first sign that is ordered shows the
 * condition.
 */
export const conditions = {
  /** NHANES 2021-23: 3.5, 17.7 and 27.3 % at 20-39, 40-59 and from 60; 28 % of them undiagnosed. */
  type_2_diabetes: {
    prevalence: everyone([18, 0.005], [30, 0.035], [50, 0.17], [70, 0.27], [90, 0.27]),
    loads: { insulinResistance: 0.75 },
    diagnosed: 0.72,
    meanDegree: 0.35,
    growsYears: 3,
    signs: [
      above('hemoglobin-a1c', 1.11, 1.75),
      above('glucose', 1.3, 2.4),
      above('fructosamine', 1.05, 1.6),
      above('albumin-creatinine-ratio', 0.3, 4),
    ],
    effects: {
      fastingGlucose: { add: 3.6 },
      glucoseSwing: { times: 3.2 },
      restingHeart: { add: 4 },
      hrv: { times: 0.8 },
    },
  },
  type_1_diabetes: {
    prevalence: everyone([5, 0.001], [15, 0.003], [30, 0.005], [90, 0.006]),
    diagnosed: 1,
    meanDegree: 0.4,
    signs: [
      above('hemoglobin-a1c', 1.2, 1.8),
      above('glucose', 1.4, 2.6),
      above('fructosamine', 1.1, 1.6),
      below('c-peptide', 0.5, 0.1),
    ],
    effects: { fastingGlucose: { add: 2.6 }, glucoseSwing: { times: 4.2 } },
  },
  dyslipidemia: {
    prevalence: everyone([18, 0.02], [35, 0.06], [50, 0.13], [70, 0.14], [90, 0.1]),
    loads: { lipoproteins: 0.8 },
    diagnosed: 0.6,
    meanDegree: 0.3,
    signs: [
      above('ldl-cholesterol-calc', 1.6, 2.5),
      above('ldl-cholesterol-direct', 1.6, 2.5),
      above('triglycerides', 1.03, 1.8),
      below('hdl-cholesterol', 0.95, 0.72),
    ],
  },
  /** NHANES 2021-23: women 16.4 and 49 %, men 30 and 55.9 % at 18-39 and 40-59; 71.6 % from 60; 59.2 % know of it. */
  hypertension: {
    prevalence: {
      female: [
        [18, 0.05],
        [30, 0.17],
        [50, 0.49],
        [70, 0.71],
        [90, 0.78],
      ],
      male: [
        [18, 0.15],
        [30, 0.31],
        [50, 0.56],
        [70, 0.71],
        [90, 0.78],
      ],
    },
    loads: { adiposity: 0.4, stress: 0.25 },
    diagnosed: 0.6,
    meanDegree: 0.8,
    signs: [],
    effects: { systolic: { add: 22 }, diastolic: { add: 11 } },
  },
  /** CDC 2023, of one measurement: 6, 12 and 34 % at 18-44, 45-64 and from 65; some of them without the disease. Nine of ten do not know of it. */
  chronic_kidney_disease: {
    prevalence: everyone([20, 0.02], [40, 0.05], [60, 0.12], [75, 0.3], [90, 0.42]),
    loads: { kidney: -0.6, insulinResistance: 0.2 },
    diagnosed: 0.1,
    growsYears: 10,
    signs: [
      above('creatinine', 0.95, 2.8),
      above('bun', 0.8, 1.3),
      above('cystatin-c', 1.2, 2.8),
      above('albumin-creatinine-ratio', 0.6, 6),
      above('phosphorus', 0.95, 1.3),
      above('pth-intact', 1.1, 2.6),
      above('potassium', 0.88, 1.08),
      below('hemoglobin', 1.12, 0.85),
    ],
    effects: { systolic: { add: 6 } },
  },
  /** NHANES 2007-10: iron deficiency in 10.4 % of women of 15-49. */
  iron_deficiency_anemia: {
    prevalence: {
      female: [
        [12, 0.1],
        [35, 0.12],
        [48, 0.12],
        [54, 0.04],
        [90, 0.05],
      ],
      male: [
        [18, 0.01],
        [60, 0.015],
        [90, 0.05],
      ],
    },
    loads: { iron: -0.7 },
    diagnosed: 0.4,
    meanDegree: 0.3,
    spellDays: 420,
    signs: [
      below('ferritin', 0.7, 0.1),
      below('hemoglobin', 1.02, 0.7),
      below('mcv', 1.04, 0.84),
      below('mchc', 1.02, 0.95),
      below('iron', 0.95, 0.45),
      above('tibc', 0.92, 1.12),
      above('rdw', 0.98, 1.25),
    ],
    effects: { restingHeart: { add: 6 }, vo2Max: { times: 0.85 }, usualSteps: { times: 0.9 } },
  },
  /** NHANES III: 4.6 %; TSH above 4.5 in 2, 5 and 12 % at 30-39, 50-59 and 70-79. */
  hypothyroidism: {
    prevalence: {
      female: [
        [18, 0.015],
        [40, 0.045],
        [55, 0.075],
        [75, 0.15],
        [90, 0.17],
      ],
      male: [
        [18, 0.004],
        [40, 0.013],
        [55, 0.03],
        [75, 0.085],
        [90, 0.1],
      ],
    },
    loads: { thyroid: -0.6 },
    diagnosed: 0.7,
    growsYears: 4,
    signs: [
      above('tsh', 1.2, 9),
      below('t4-free', 0.98, 0.6),
      below('t4-total', 0.98, 0.6),
      above('tpo-antibodies', 2, 14),
    ],
    labs: [{ slug: '~ldl', times: 1.5 }],
    effects: { restingHeart: { add: -5 }, bodyMassIndex: { times: 1.05 }, usualSteps: { times: 0.88 } },
  },
  /** NHANES III: 1.3 %, with no rise by age. */
  hyperthyroidism: {
    prevalence: {
      female: [
        [18, 0.015],
        [90, 0.02],
      ],
      male: [
        [18, 0.006],
        [90, 0.009],
      ],
    },
    loads: { thyroid: 0.6 },
    diagnosed: 0.7,
    signs: [
      below('tsh', 0.6, 0.02),
      above('t4-free', 1.05, 2),
      above('t4-total', 1.03, 1.6),
      above('t3-free', 1.05, 2),
      above('t3-total', 1.03, 1.8),
    ],
    effects: { restingHeart: { add: 16 }, hrv: { times: 0.75 }, bodyMassIndex: { times: 0.95 } },
  },
  liver: {
    prevalence: everyone([18, 0.04], [40, 0.09], [60, 0.1], [90, 0.06]),
    loads: { liverFat: 0.75 },
    diagnosed: 0.1,
    growsYears: 5,
    signs: [
      above('alt', 1.3, 4.5),
      above('ast', 1.1, 3.6),
      above('ggt', 1.15, 4),
      above('alkaline-phosphatase', 1.02, 1.5),
      above('bilirubin-total', 1.1, 2.2),
    ],
  },
  inflammation: {
    prevalence: everyone([18, 0.02], [50, 0.05], [90, 0.08]),
    loads: { inflammation: 0.6 },
    diagnosed: 0.5,
    spellDays: 90,
    days: [20, 200],
    signs: [
      above('crp-high-sensitivity', 1.6, 14),
      above('sed-rate', 1.1, 2.2),
      above('wbc', 0.9, 1.6),
      below('lymphocytes-absolute', 1.6, 0.8),
    ],
    effects: { restingHeart: { add: 6 }, hrv: { times: 0.82 } },
  },
  vitamin_b12_deficiency: {
    prevalence: everyone([18, 0.015], [60, 0.05], [90, 0.1]),
    diagnosed: 0.4,
    spellDays: 900,
    signs: [
      below('vitamin-b12', 0.9, 0.5),
      above('methylmalonic-acid', 1.1, 3),
      above('homocysteine', 1.1, 2.4),
      above('mcv', 1.02, 1.15),
    ],
  },
  /** NHANES 2011-14, below 20 ng/mL: 7.1 % at 1-5, 27.5 % at 12-19, 31.4, 24.3 and 15.2 % at 20-39, 40-59 and from 60; some by chance. */
  vitamin_d_deficiency: {
    prevalence: everyone([1, 0.06], [15, 0.22], [30, 0.25], [50, 0.2], [70, 0.12], [90, 0.12]),
    loads: { sunlight: -0.8 },
    diagnosed: 0.3,
    meanDegree: 0.3,
    spellDays: 300,
    signs: [below('vitamin-d-25-hydroxy', 0.6, 0.16)],
  },
  /**
   * Diagnosed: 0.1 % below 55, 9 % from 80 (ATRIA, 2001). Median share of the time: 10.4 % in men, 7.8 % in women
   * (13,350 people with paroxysms, Circulation 2017).
   */
  atrial_fibrillation: {
    prevalence: everyone([40, 0.002], [60, 0.02], [70, 0.06], [80, 0.11], [90, 0.15]),
    loads: { adiposity: 0.2 },
    diagnosed: 0.75,
    signs: [],
    effects: { fibrillationBurden: { add: 40 }, restingHeart: { add: 8 }, hrv: { times: 1.35 } },
  },
  /** Moderate to severe: men 10 and 17 %, women 3 and 9 % at 30-49 and 50-70 (Peppard and others, 2013). */
  sleep_apnea: {
    prevalence: {
      female: [
        [20, 0.01],
        [50, 0.06],
        [90, 0.12],
      ],
      male: [
        [20, 0.03],
        [50, 0.15],
        [90, 0.22],
      ],
    },
    loads: { adiposity: 0.6 },
    diagnosed: 0.2,
    signs: [],
    effects: {
      sleepEfficiency: { add: -7 },
      oxygen: { add: -2.2 },
      hrv: { times: 0.88 },
      restingHeart: { add: 3 },
      napsPerWeek: { add: 1 },
    },
  },
  /** A result out of range that no condition above explains; it has a sign of its own. */
  other_finding: { days: [60, 500], signs: [] },
  obesity: { signs: [], effects: { bodyMassIndex: { times: 1.35 } } },
  /** It lasts from the first day of the last period to the birth. What it does by week is in `life.ts`. */
  pregnancy: { signs: [] },
  post_viral_fatigue: {
    signs: [],
    effects: {
      restingHeart: { add: 9 },
      hrv: { times: 0.72 },
      usualSteps: { times: 0.5 },
      workoutsPerWeek: { times: 0 },
      sleepEfficiency: { add: -6 },
      napsPerWeek: { add: 3 },
    },
  },
  /** Cycles vary three times as much above 50 as at 35 to 39 (12,608 women, Li 2023). FSH: medians of 6 and 60 (NHANES). */
  perimenopause: {
    signs: [above('fsh', 1.1, 3.2)],
    effects: { cycleDeviationDays: { times: 4.4 }, sleepEfficiency: { add: -4 }, temperature: { add: 0.1 } },
  },
} as const satisfies Record<string, ConditionRow>

export type ConditionName = keyof typeof conditions
export const conditionNames = keysOf(conditions)

/**
 * Births a year for each woman, by age: 56.3 for 1,000 women of 15 to 44, 14.4 at 15 to 19 (National Vital Statistics, 2021);
 * the course between is assumed. All pregnancies end with a birth.
 */
export const birthsAYear: Points = [
  [15, 0],
  [17, 0.015],
  [22, 0.066],
  [27, 0.093],
  [32, 0.094],
  [37, 0.053],
  [42, 0.012],
  [46, 0],
]

/** The conditions that only women have. */
export const femaleConditions: readonly ConditionName[] = ['pregnancy', 'perimenopause']

export const conditionRow = (name: ConditionName): ConditionRow => conditions[name]

export interface TreatmentRow {
  /** The condition whose degree it lessens; null if it treats none. */
  readonly for: ConditionName | null
  /** The share of people with a diagnosis who take it. */
  readonly taken: number
  /** Weeks until the full effect. */
  readonly weeks: number
  /** The share by which it lessens the degree of the condition it is for. */
  readonly relief: number
  readonly labs?: readonly LabEffect[]
  readonly effects?: TraitEffects
}

/** Treatments. What has no source beside it is assumed. */
export const treatments = {
  /** A statin of moderate intensity lowers LDL by 30 to 49 % (guidelines). */
  statin: {
    for: 'dyslipidemia',
    taken: 0.5,
    weeks: 7,
    relief: 0,
    labs: [
      { slug: '~ldl', times: 0.6 },
      { slug: 'triglycerides', times: 0.85 },
      { slug: 'crp-high-sensitivity', times: 0.75 },
    ],
  },
  /** A1c falls by 1.12 points in 12 weeks (Hirst 2012). */
  metformin: { for: 'type_2_diabetes', taken: 0.7, weeks: 12, relief: 0.45 },
  insulin: { for: 'type_1_diabetes', taken: 1, weeks: 4, relief: 0.5 },
  /**
   * STEP 1, 2021, but for insulin and ALT. ALT falls by 14 U/L in fatty liver (a meta-analysis of 2,413 people); both
   * shares are assumed.
   */
  glp1: {
    for: 'obesity',
    taken: 0,
    weeks: 68,
    relief: 0,
    labs: [
      { slug: 'hemoglobin-a1c', times: 0.93 },
      { slug: 'triglycerides', times: 0.78 },
      { slug: 'insulin', times: 0.72 },
      { slug: 'alt', times: 0.75 },
      { slug: 'crp-high-sensitivity', times: 0.47 },
    ],
    effects: { bodyMassIndex: { times: 0.85 }, systolic: { add: -6 }, restingHeart: { add: 3 } },
  },
  /** TSH falls from 57.6 to 4.7 mIU/L, and is stable after 3.5 weeks (Kohler 2014); doctors allow it six to eight. */
  levothyroxine: { for: 'hypothyroidism', taken: 0.9, weeks: 8, relief: 0.9 },
  /** Hemoglobin rises by 1 g/dL in two weeks, by 2 in three to four (British Society of Gastroenterology). */
  iron_supplement: { for: 'iron_deficiency_anemia', taken: 0.7, weeks: 20, relief: 0.95 },
  /** 1,000 IU a day raise it by 5 ng/mL (17,614 volunteers); the full effect is that of a few thousand. */
  vitamin_d_supplement: { for: 'vitamin_d_deficiency', taken: 0.7, weeks: 12, relief: 0.95 },
  vitamin_b12_supplement: { for: 'vitamin_b12_deficiency', taken: 0.9, weeks: 8, relief: 0.95 },
  /** 51.2 % of all people with hypertension take medicine (NHANES 2021-23). */
  antihypertensive: { for: 'hypertension', taken: 0.85, weeks: 4, relief: 0.6 },
  beta_blocker: {
    for: 'atrial_fibrillation',
    taken: 0.6,
    weeks: 2,
    relief: 0.3,
    effects: { restingHeart: { add: -9 } },
  },
  /** Combined. `pillUse` has who takes it. */
  contraceptive_pill: {
    for: null,
    taken: 0,
    weeks: 4,
    relief: 0,
    // SHBG rises by about 200 %, the globulins of cortisol by 100 and of thyroxine by 90 % (Özcan 2023), and what they bind
    // with them, by how much is assumed. Testosterone falls by .49 nmol/L (1,495 women, Zimmerman 2014). The others are assumed.
    labs: [
      { slug: 'shbg', times: 3 },
      { slug: 'testosterone-total', times: 0.7 },
      { slug: 'cortisol', times: 1.8 },
      { slug: 't4-total', times: 1.3 },
      { slug: 'triglycerides', times: 1.15 },
      { slug: 'crp-high-sensitivity', times: 1.6 },
    ],
  },
} as const satisfies Record<string, TreatmentRow>

/** Women who take a contraceptive pill: 14.0 % at 15 to 49 (National Survey of Family Growth 2017-19); by age assumed. */
export const pillUse: Points = [
  [14, 0],
  [17, 0.19],
  [25, 0.21],
  [35, 0.12],
  [45, 0.07],
  [51, 0],
]

export type TreatmentName = keyof typeof treatments
export const treatmentNames = keysOf(treatments)
/** The treatments that only women take. */
export const femaleTreatments: readonly TreatmentName[] = ['contraceptive_pill']

export const treatmentRow = (name: TreatmentName): TreatmentRow => treatments[name]

export interface EpisodeRow {
  /** How many a year; in winter and in summer where they differ. */
  readonly perYear: { readonly winter: number; readonly summer: number }
  readonly days: readonly [shortest: number, longest: number]
  readonly effects: TraitEffects
  /** Laboratory results during it, at degree 1. */
  readonly labs?: readonly LabEffect[]
}

/**
 * What passes. Illness: 8.5 beats a minute for each degree of fever (young men, as reported with Radin 2020); at the peak
 * of a mean COVID-19 only 2 to 3 % (Natarajan 2022), so most illnesses are mild. What has no source is assumed.
 */
export const episodes = {
  illness: {
    perYear: { winter: 3, summer: 1 },
    days: [4, 9],
    effects: {
      restingHeart: { add: 9 },
      hrv: { times: 0.68 },
      temperature: { add: 1.2 },
      breathsPerMinute: { add: 1.8 },
      usualSteps: { times: 0.5 },
      workoutsPerWeek: { times: 0 },
      sleepEfficiency: { add: -6 },
      sleepHours: { add: 0.5 },
      napsPerWeek: { add: 4 },
    },
    labs: [
      { slug: 'crp-high-sensitivity', times: 12 },
      { slug: 'wbc', times: 1.3 },
      { slug: 'lymphocytes', times: 0.6 },
      { slug: 'sed-rate', times: 1.6 },
      { slug: 'albumin', times: 0.94 },
      { slug: 'iron', times: 0.5 },
      { slug: 'ferritin', times: 1.3 },
    ],
  },
  travel: {
    perYear: { winter: 1.2, summer: 2.4 },
    days: [3, 12],
    effects: {
      usualSteps: { times: 1.35 },
      sleepEfficiency: { add: -4 },
      sleepHours: { add: -0.4 },
      hrv: { times: 0.93 },
      midSleepMinute: { add: 90 },
    },
  },
  bad_week: {
    perYear: { winter: 3, summer: 2 },
    days: [5, 8],
    effects: {
      restingHeart: { add: 4 },
      hrv: { times: 0.84 },
      sleepHours: { add: -0.9 },
      sleepEfficiency: { add: -5 },
      usualSteps: { times: 0.8 },
      workoutsPerWeek: { times: 0.4 },
    },
  },
} as const satisfies Record<string, EpisodeRow>

export type EpisodeName = keyof typeof episodes
export const episodeNames = keysOf(episodes)
export const episodeRow = (name: EpisodeName): EpisodeRow => episodes[name]
