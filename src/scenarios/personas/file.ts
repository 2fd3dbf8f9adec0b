import * as z from 'zod'
import { unnamed } from '../../api/schema.ts'
import { byName } from '../../kernel/fields.ts'
import {
  conditionNames,
  episodeNames,
  femaleConditions,
  femaleTreatments,
  treatmentNames,
} from '../../people/conditions.ts'
import type { Persona, Timing } from '../../people/persona.ts'
import { traitBounds, traitNames, wireTrait } from '../../people/traits.ts'
import { scenarioName } from '../steps.ts'

const DAYS_OF_YEAR = 365.25
const DAYS = byName({ d: 1, w: 7, y: DAYS_OF_YEAR })
/** Longer than a life. */
const MAX_YEARS = 150

/** Days of `10d`, `6w` or `3y`; undefined for another text. */
function parseDays(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([a-z])$/.exec(text) ?? []
  const days = DAYS[unit]
  return days === undefined ? undefined : Math.floor(Number(count) * days)
}

const days = () =>
  z
    .string()
    .refine((text) => parseDays(text) !== undefined, {
      error: 'is not a number of days; write 10d, 6w or 3y',
      abort: true,
    })
    .refine((text) => (parseDays(text) ?? 0) <= MAX_YEARS * DAYS_OF_YEAR, {
      error: `is more than ${MAX_YEARS} years`,
    })
    .meta({ pattern: '^\\d+(\\.\\d+)?[dwy]$', examples: ['10d', '6w', '3y'] })

const traitSketches = Object.fromEntries(
  traitNames.map((trait) => {
    const { low, high } = traitBounds(trait)
    return [wireTrait(trait), z.number().min(low).max(high).optional()]
  }),
)

const timing = {
  /** How long before the persona begins. */
  since: days().optional(),
  /** How long after the persona begins. */
  after: days().optional(),
  lasts: days().optional(),
}
const degree = () => z.number().min(0).max(1).optional()

/** A persona file, version 1: who a user is, and what happens to that person from the day it is assigned. */
export const PersonaFile = unnamed(() =>
  z
    .strictObject({
      name: scenarioName(),
      summary: z.string().min(1),
      kind: z.literal('persona'),
      sex: z.enum(['female', 'male']).optional(),
      /** Years on the day the persona begins. */
      age: z.number().min(0).max(110).optional(),
      /** The birth date, in place of an age. */
      born: z.iso.date('is not a date').optional(),
      traits: z.strictObject(traitSketches).optional(),
      conditions: z
        .array(
          z.strictObject({
            name: z.enum(conditionNames),
            ...timing,
            degree: degree(),
            diagnosed: z.boolean().optional(),
          }),
        )
        .max(20)
        .optional(),
      treatments: z
        .array(z.strictObject({ name: z.enum(treatmentNames), ...timing }))
        .max(20)
        .optional(),
      episodes: z
        .array(
          z.strictObject({
            name: z.enum(episodeNames),
            ...timing,
            lasts: days(),
            degree: degree(),
          }),
        )
        .max(100)
        .optional(),
    })
    .superRefine((file, ctx) => {
      if (ctx.issues.length > 0) return
      for (const { path, message } of impossibleParts(file)) ctx.addIssue({ code: 'custom', path, message })
    }),
)
type PersonaFile = z.output<ReturnType<typeof PersonaFile>>

interface Mistake {
  readonly path: (string | number)[]
  readonly message: string
}

/** Parts that exclude each other in one person. */
function impossibleParts({
  sex,
  age,
  conditions = [],
  treatments = [],
  episodes = [],
}: PersonaFile): Mistake[] {
  const lists = { conditions, treatments, episodes }
  const timings = Object.entries(lists).flatMap(([list, parts]) =>
    parts.flatMap(({ since, after }, at): Mistake[] => {
      if (since !== undefined && after !== undefined)
        return [{ path: [list, at, 'after'], message: 'cannot be combined with since' }]
      const isUnborn =
        age !== undefined && since !== undefined && (parseDays(since) ?? 0) > age * DAYS_OF_YEAR
      return isUnborn
        ? [{ path: [list, at, 'since'], message: `is before birth: the person is ${age} years old` }]
        : []
    }),
  )
  const needsFemale = (part: string, all: readonly { name: string }[], ofWomen: readonly string[]) =>
    all.flatMap(({ name }, at): Mistake[] =>
      ofWomen.includes(name) && sex !== 'female'
        ? [{ path: [part, at, 'name'], message: `"${name}" needs sex: female` }]
        : [],
    )
  const sexes = [
    ...needsFemale('conditions', conditions, femaleConditions),
    ...needsFemale('treatments', treatments, femaleTreatments),
  ]
  return [...timings, ...sexes]
}

/** The degree of what a file gives none. */
const USUAL_DEGREE = 0.5

export function toPersona(file: PersonaFile, source: string): Persona {
  const { name, summary, sex, age, born, traits = {}, conditions = [], treatments = [], episodes = [] } = file
  const known = traits as Readonly<Record<string, number | undefined>>
  return {
    name,
    summary,
    sex,
    age,
    born,
    traits: Object.fromEntries(
      traitNames.flatMap((trait) => {
        const value = known[wireTrait(trait)]
        return value === undefined ? [] : [[trait, value]]
      }),
    ),
    conditions: conditions.map(({ diagnosed = true, ...part }) => ({
      name: part.name,
      degree: part.degree ?? USUAL_DEGREE,
      isDiagnosed: diagnosed,
      ...timingOf(part),
    })),
    treatments: treatments.map((part) => ({ name: part.name, ...timingOf(part) })),
    episodes: episodes.map((part) => ({
      name: part.name,
      degree: part.degree ?? USUAL_DEGREE,
      ...timingOf(part),
    })),
    source,
  }
}

function timingOf({
  since,
  after = '0d',
  lasts,
}: { readonly [Field in keyof typeof timing]?: string | undefined }): Timing {
  const fromDay = since === undefined ? (parseDays(after) ?? 0) : -(parseDays(since) ?? 0)
  return { fromDay, untilDay: lasts === undefined ? null : fromDay + (parseDays(lasts) ?? 0) }
}
