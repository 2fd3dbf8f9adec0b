import conditionRows from '../../seeds/people/conditions.json' with { type: 'json' }
import curves from '../../seeds/people/curves.json' with { type: 'json' }
import episodeRows from '../../seeds/people/episodes.json' with { type: 'json' }
import treatmentRows from '../../seeds/people/treatments.json' with { type: 'json' }
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

/** The multiple by which a laboratory result changes at full effect. */
export interface LabEffect {
  readonly slug: string
  readonly times: number
}

/** Share of people who have it, by age in years. */
type Prevalence = Points

/** A row of `seeds/people/conditions.json`. Prevalences are rounded. What the note gives no source for is assumed. */
export interface ConditionRow {
  readonly note?: string
  /**
   * Concept and preferred term of SNOMED CT, international edition, as in public FHIR profiles and data sets, and code of
   * ICD-10-CM; what no single code says stays a text.
   */
  readonly codes?: { readonly snomed?: readonly [code: string, display: string]; readonly icd?: string }
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
  /** The days that it lasts when a laboratory has found it; for good where left out. */
  readonly days?: readonly [shortest: number, longest: number]
  readonly signs: readonly Sign[]
  /** What else it changes in results, at degree 1. */
  readonly labs?: readonly LabEffect[]
  readonly effects?: TraitEffects
}

export type ConditionName = keyof typeof conditionRows
/** The first sign that is ordered shows the condition. */
export const conditions = conditionRows as unknown as Readonly<Record<ConditionName, ConditionRow>>
export const conditionNames = keysOf(conditions)

/**
 * Births a year for each woman, by age: 56.3 for 1,000 women of 15 to 44, 14.4 at 15 to 19 (National Vital Statistics, 2021);
 * the course between is assumed. All pregnancies end with a birth.
 */
export const birthsAYear = curves.birthsAYear as unknown as Points

/** The conditions that only women have. */
export const femaleConditions: readonly ConditionName[] = ['pregnancy', 'perimenopause']

export const conditionRow = (name: ConditionName): ConditionRow => conditions[name]

/** A row of `seeds/people/treatments.json`. What the note gives no source for is assumed. */
export interface TreatmentRow {
  readonly note?: string
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

/** Women who take a contraceptive pill: 14.0 % at 15 to 49 (National Survey of Family Growth 2017-19); by age assumed. */
export const pillUse = curves.pillUse as unknown as Points

export type TreatmentName = keyof typeof treatmentRows
export const treatments = treatmentRows as unknown as Readonly<Record<TreatmentName, TreatmentRow>>
export const treatmentNames = keysOf(treatments)
/** The treatments that only women take. */
export const femaleTreatments: readonly TreatmentName[] = ['contraceptive_pill']

export const treatmentRow = (name: TreatmentName): TreatmentRow => treatments[name]

/** A row of `seeds/people/episodes.json`: what passes. What the note gives no source for is assumed. */
export interface EpisodeRow {
  readonly note?: string
  /** How many a year; in winter and in summer where they differ. */
  readonly perYear: { readonly winter: number; readonly summer: number }
  readonly days: readonly [shortest: number, longest: number]
  readonly effects: TraitEffects
  /** Laboratory results during it, at degree 1. */
  readonly labs?: readonly LabEffect[]
}

export type EpisodeName = keyof typeof episodeRows
export const episodes = episodeRows as unknown as Readonly<Record<EpisodeName, EpisodeRow>>
export const episodeNames = keysOf(episodes)
export const episodeRow = (name: EpisodeName): EpisodeRow => episodes[name]
