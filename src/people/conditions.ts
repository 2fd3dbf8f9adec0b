import * as z from 'zod'
import conditionRows from '../../seeds/people/conditions.json' with { type: 'json' }
import episodeRows from '../../seeds/people/episodes.json' with { type: 'json' }
import treatmentRows from '../../seeds/people/treatments.json' with { type: 'json' }
import { bundledTable, type SeedRow } from '../kernel/seed-table.ts'
import { curves, points } from './points.ts'
import { loadings, traitNames } from './traits.ts'

const traitEffect = () => z.strictObject({ add: z.number().optional(), times: z.number().optional() })
/** What a condition, treatment or episode does to a trait at degree 1: adds to it, multiplies it, or both. */
export type TraitEffect = SeedRow<typeof traitEffect>

const traitEffects = () => z.partialRecord(z.enum(traitNames), traitEffect())
export type TraitEffects = SeedRow<typeof traitEffects>

/** A laboratory result that a condition changes: the multiple of the reference range's bound in a mild and in a severe case. */
export const sign = () =>
  z.strictObject({
    slug: z.string(),
    side: z.enum(['above', 'below']),
    mild: z.number(),
    severe: z.number(),
  })
export type Sign = SeedRow<typeof sign>

/** The multiple by which a laboratory result changes at full effect. */
const labEffect = () => z.strictObject({ slug: z.string(), times: z.number() })
export type LabEffect = SeedRow<typeof labEffect>

/** The shortest and the longest of some days. */
const days = () => z.tuple([z.int(), z.int()])
/** A share of people. */
export const share = () => z.number().min(0).max(1)

/** A row of `seeds/people/conditions.json`. Prevalences are rounded. What the note gives no source for is assumed. */
const conditionRow = () =>
  z.strictObject({
    note: z.string().optional(),
    /**
     * Concept and preferred term of SNOMED CT, international edition, as in public FHIR profiles and data sets, and code of
     * ICD-10-CM; what no single code says stays a text.
     */
    codes: z
      .strictObject({ snomed: z.tuple([z.string(), z.string()]).optional(), icd: z.string().optional() })
      .optional(),
    /** The share of people who have it, by age in years. Nobody is drawn to have it where it is left out: personas and findings only. */
    prevalence: z.strictObject({ female: points(), male: points() }).optional(),
    /** What makes it likelier. */
    loads: loadings().optional(),
    /** The share of people with it who know of it. */
    diagnosed: share().optional(),
    /** The mean of its degree in people who are drawn to have it; that of all conditions where left out. */
    meanDegree: z.number().optional(),
    /** Years in which it grows to two thirds of the way to its degree, from half of it; at once there where left out. */
    growsYears: z.number().optional(),
    /** The days that it lasts when a laboratory has found it; for good where left out. */
    days: days().optional(),
    signs: z.array(sign()),
    /** What else it changes in results, at degree 1. */
    labs: z.array(labEffect()).optional(),
    effects: traitEffects().optional(),
  })
export type ConditionRow = SeedRow<typeof conditionRow>

export type ConditionName = keyof typeof conditionRows
/** The first sign that is ordered shows the condition. */
export const conditionTable = bundledTable('people/conditions.json', conditionRows, conditionRow)
export const conditionNames = [...conditionTable.keys()]

/**
 * Births a year for each woman, by age: 56.3 for 1,000 women of 15 to 44, 14.4 at 15 to 19 (National Vital Statistics, 2021);
 * the course between is assumed. All pregnancies end with a birth.
 */
export const birthsAYear = curves.get('birthsAYear')

/** The conditions that only women have. */
export const femaleConditions: readonly ConditionName[] = ['pregnancy', 'perimenopause']

/** A row of `seeds/people/treatments.json`. What the note gives no source for is assumed. */
const treatmentRow = () =>
  z.strictObject({
    note: z.string().optional(),
    /** The condition whose degree it lessens; null if it treats none. */
    for: z.enum(conditionNames).nullable(),
    /** The share of people with a diagnosis who take it. */
    taken: share(),
    /** Weeks until the full effect. */
    weeks: z.number().positive(),
    /** The share by which it lessens the degree of the condition it is for. */
    relief: share(),
    labs: z.array(labEffect()).optional(),
    effects: traitEffects().optional(),
  })

/**
 * People who take a statin: 93 % of the 17 % at 40 to 59, and of the 48 % from 75, who take medicine for cholesterol (NHANES
 * 2011-12, NCHS Data Brief 177); the course between is assumed.
 */
export const statinUse = curves.get('statinUse')

/** Women who take a contraceptive pill: 14.0 % at 15 to 49 (National Survey of Family Growth 2017-19); by age assumed. */
export const pillUse = curves.get('pillUse')

export type TreatmentName = keyof typeof treatmentRows
export const treatmentTable = bundledTable('people/treatments.json', treatmentRows, treatmentRow)
export const treatmentNames = [...treatmentTable.keys()]
/** The treatments that only women take. */
export const femaleTreatments: readonly TreatmentName[] = ['contraceptive_pill']

/** A row of `seeds/people/episodes.json`: what passes. What the note gives no source for is assumed. */
const episodeRow = () =>
  z.strictObject({
    note: z.string().optional(),
    /** How many a year. */
    perYear: z.strictObject({ winter: z.number(), summer: z.number() }),
    days: days(),
    effects: traitEffects(),
    /** Laboratory results during it, at degree 1. */
    labs: z.array(labEffect()).optional(),
  })

export type EpisodeName = keyof typeof episodeRows
export const episodeTable = bundledTable('people/episodes.json', episodeRows, episodeRow)
export const episodeNames = [...episodeTable.keys()]
