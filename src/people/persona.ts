import type { ConditionName, EpisodeName, TreatmentName } from './conditions.ts'
import { daysBetween, daysLater } from './dates.ts'
import type { Course, Known } from './person.ts'
import type { Sex, Trait } from './traits.ts'

/** When a part of a persona is there, in days from the day the persona begins. */
export interface Timing {
  readonly fromDay: number
  /** The first day without it; null if it stays. */
  readonly untilDay: number | null
}

/** Who a user is, and what happens to that person. */
export interface Persona {
  readonly name: string
  readonly summary: string
  readonly sex: Sex | undefined
  /** Years on the day the persona begins. */
  readonly age: number | undefined
  /** The birth date, in place of an age. */
  readonly born?: string | undefined
  readonly traits: Partial<Readonly<Record<Trait, number>>>
  readonly conditions: readonly (Timing & {
    readonly name: ConditionName
    readonly degree: number
    readonly isDiagnosed: boolean
  })[]
  readonly treatments: readonly (Timing & { readonly name: TreatmentName })[]
  readonly episodes: readonly (Timing & { readonly name: EpisodeName; readonly degree: number })[]
  /** The text of its file. */
  readonly source: string
}

/** The course of a persona that begins on a date. */
export function courseOf({ traits, conditions, treatments, episodes }: Persona, begins: string): Course {
  const dated = <Part extends Timing>({ fromDay, untilDay, ...rest }: Part) => ({
    ...rest,
    since: daysLater(begins, fromDay),
    until: untilDay === null ? null : daysLater(begins, untilDay),
  })
  return {
    traits,
    conditions: conditions.map(dated),
    treatments: treatments.map(dated),
    episodes: episodes.map((episode) => {
      const { since, until, ...rest } = dated(episode)
      return { ...rest, since, until: until ?? since }
    }),
  }
}

/** Why a user cannot be a persona that begins on a date; undefined if the user can. */
export function whyNotPersona(
  { name, sex, conditions }: Persona,
  known: Pick<Known, 'sex' | 'birthDate'>,
  begins: string,
): string | undefined {
  if (sex && known.sex && sex !== known.sex)
    return `The persona ${name} is ${sex}, and the user's demographics say ${known.sex}.`
  if (known.birthDate === undefined) return undefined
  const days = daysBetween(known.birthDate, begins)
  const unborn = conditions.find(({ fromDay }) => -fromDay > days)
  return (
    unborn && `The persona ${name} has ${unborn.name} since before the user's birth on ${known.birthDate}.`
  )
}
