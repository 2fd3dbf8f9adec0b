import * as z from 'zod'
import { date, text } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { nullableText, schema, unnamed } from '../api/schema.ts'
import { toDate } from '../kernel/instant.ts'
import { badRequest } from '../kernel/problem.ts'
import { conditionNames, treatmentNames } from '../people/conditions.ts'
import { cyclesBetween } from '../people/cycles.ts'
import { daysBetween, daysLater } from '../people/dates.ts'
import { type Life, lifeOn } from '../people/life.ts'
import { round } from '../people/noise.ts'
import { bodyOn, conditionsOn, episodesBetween, type Person, treatmentsOn } from '../people/person.ts'
import { ethnicities, races } from '../people/race.ts'
import { traitNames, wireTrait } from '../people/traits.ts'
import { assignPersona, findPersona, personOf, removePersona } from '../resources/personas/service.ts'
import { Episode } from '../resources/personas/table.ts'
import { getUser } from '../resources/users/service.ts'
import type { World } from '../world/world.ts'

const UserPersonaInput = schema('UserPersonaInput', () => z.strictObject({ persona: text().nullable() }))
export const UserPersona = schema('UserPersona', () => ({
  user_id: z.guid(),
  /** Null for the person that follows from the seed. */
  persona: nullableText(),
  begins: z.iso.date().nullable(),
}))

const Span = () => ({ since: z.iso.date(), until: z.iso.date().nullable() })

/** What is true of a person: the labels of a data set made from it. */
export const UserTruth = schema('UserTruth', () => ({
  user_id: z.guid(),
  persona: nullableText(),
  sex: z.enum(['female', 'male']),
  birth_date: z.iso.date(),
  race: z.enum(races),
  ethnicity: z.enum(ethnicities),
  from: z.iso.date(),
  until: z.iso.date(),
  /** On the last day, with what conditions, treatments and episodes do to them. */
  traits: z.record(z.string(), z.number()),
  conditions: z.array(
    z.object({
      name: z.enum(conditionNames),
      ...Span(),
      diagnosed: z.boolean(),
      /** On the last day, from 0, mild, to 1, severe; null when it is not there. */
      degree: z.number().nullable(),
      /** The share of it that treatment takes away on the last day. */
      control: z.number().nullable(),
    }),
  ),
  treatments: z.array(
    z.object({
      name: z.enum(treatmentNames),
      ...Span(),
      /** The share of its full effect on the last day. */
      share: z.number().nullable(),
    }),
  ),
  episodes: z.array(Episode()),
  /** The first days of periods, the days until the next, and the day of ovulation; null without one. */
  cycles: z.array(z.object({ begins: z.iso.date(), days: z.number(), ovulation: z.iso.date().nullable() })),
  /** Where in life the person is on the last day. */
  life: z.object({
    /** Since the first day of the last period. */
    pregnant_weeks: z.number().nullable(),
    weeks_after_birth: z.number().nullable(),
    contraceptive_pill: z.boolean(),
    /** Negative before it; null for men. */
    years_after_menopause: z.number().nullable(),
    /** The share of puberty that is behind. */
    maturity: z.number(),
  }),
}))

/** A whole life, which takes some milliseconds. */
const MAX_TRUTH_YEARS = 100

const TruthQuery = unnamed(() => ({
  from: date().optional().describe('The first day of the episodes and cycles; a year ago if omitted.'),
  until: date().optional().describe('The last day; today if omitted.'),
}))

export const personaOperations = [
  operation({
    id: 'petri_users_persona_get',
    route: 'GET /_petri/users/{user_id}/persona',
    summary: 'Show the persona of a user',
    returns: UserPersona,
    run(world, { params }) {
      getUser(world, params.user_id)
      return presentPersona(world, params.user_id)
    },
  }),
  operation({
    id: 'petri_users_persona_put',
    route: 'PUT /_petri/users/{user_id}/persona',
    summary: 'Give a user a persona from today on; null for the person that follows from the seed',
    body: UserPersonaInput,
    returns: UserPersona,
    needs: 'personas',
    run(world, { params, body: { persona } }) {
      const { user_id } = getUser(world, params.user_id)
      if (persona === null) removePersona(world, user_id)
      else assignPersona(world, user_id, world.services.personas.get(world, persona))
      return presentPersona(world, user_id)
    },
  }),
  operation({
    id: 'petri_users_truth',
    route: 'GET /_petri/users/{user_id}/truth',
    summary:
      'Show the truth about a user: traits, conditions, treatments and episodes, as labels for a model',
    query: TruthQuery,
    returns: UserTruth,
    run(world, { params, query }) {
      const { user_id } = getUser(world, params.user_id)
      const until = query.until ?? toDate(world.clock.now())
      const from = query.from ?? daysLater(until, -365)
      if (daysBetween(from, until) > MAX_TRUTH_YEARS * 365.25) {
        throw badRequest(`The truth is shown for up to ${MAX_TRUTH_YEARS} years at a time.`)
      }
      return truthOf(world, user_id, personOf(world, user_id), from, until)
    },
  }),
]

function presentPersona(world: World, userId: string) {
  const row = findPersona(world, userId)
  return { user_id: userId, persona: row?.name ?? null, begins: row?.begins ?? null }
}

function truthOf(world: World, userId: string, person: Person, from: string, until: string) {
  const body = bodyOn(person, until)
  const shares = treatmentsOn(person, until)
  const states = conditionsOn(person, until, shares)
  return {
    user_id: userId,
    persona: findPersona(world, userId)?.name ?? null,
    sex: person.sex,
    birth_date: person.birthDate,
    race: person.race,
    ethnicity: person.ethnicity,
    from,
    until,
    traits: Object.fromEntries(traitNames.map((trait) => [wireTrait(trait), round(body[trait], 2)])),
    conditions: person.conditions
      .filter(({ since }) => since <= until)
      .map(({ name, since, until: end, isDiagnosed }) => {
        const state = states.find((each) => each.name === name)
        return {
          name,
          since,
          until: end,
          diagnosed: isDiagnosed,
          degree: state ? round(state.degree, 2) : null,
          control: state ? round(state.control, 2) : null,
        }
      }),
    treatments: person.treatments
      .filter(({ since }) => since <= until)
      .map(({ name, since, until: end }) => {
        const state = shares.find((each) => each.name === name)
        return { name, since, until: end, share: state ? round(state.share, 2) : null }
      }),
    episodes: episodesBetween(person, from, until).map(({ degree, ...episode }) => ({
      ...episode,
      degree: round(degree, 2),
    })),
    cycles: cyclesBetween(person, from, until),
    life: presentLife(lifeOn(person, until)),
  }
}

const presentLife = ({ pregnantWeeks, weeksAfterBirth, isOnPill, yearsAfterMenopause, maturity }: Life) => ({
  pregnant_weeks: rounded(pregnantWeeks),
  weeks_after_birth: rounded(weeksAfterBirth),
  contraceptive_pill: isOnPill,
  years_after_menopause: rounded(yearsAfterMenopause),
  maturity: round(maturity, 2),
})

const rounded = (value: number | undefined): number | null => (value === undefined ? null : round(value, 2))
