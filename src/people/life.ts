import * as z from 'zod'
import pregnancy from '../../seeds/people/pregnancy.json' with { type: 'json' }
import { clamp } from '../kernel/compare.ts'
import { kept, perOwner } from '../kernel/kept.ts'
import type { Random } from '../kernel/random.ts'
import { bundledTable, type SeedRow } from '../kernel/seed-table.ts'
import type { ConditionName, TraitEffect, TreatmentName } from './conditions.ts'
import { daysBetween, daysLater, MAX_KEPT, yearsBetweenDates } from './dates.ts'
import { valueAt } from './points.ts'
import { type Sex, standardNormal, type Trait } from './traits.ts'

/** Where in life a body is on a day. Laboratory results and devices read the same. */
export interface Life {
  /** Weeks since the first day of the last period, with fraction; undefined for those who are not pregnant. */
  readonly pregnantWeeks: number | undefined
  /** Weeks since the latest birth, with fraction, until periods have returned. */
  readonly weeksAfterBirth: number | undefined
  /** Whether hormones of a combined pill replace those of the ovaries. */
  readonly isOnPill: boolean
  /** Years since periods ended for good, with fraction; negative before. Undefined for men. */
  readonly yearsAfterMenopause: number | undefined
  /** The share of puberty that is behind: 0 in children, 1 in adults. */
  readonly maturity: number
}

interface Span<Name extends string> {
  readonly name: Name
  readonly since: string
  readonly until: string | null
}

/** The part of a person that a life follows from. */
export interface Living {
  readonly drawKey: string
  readonly random: Random
  readonly sex: Sex
  readonly birthDate: string
  readonly menopause: string | null
  readonly conditions: readonly Span<ConditionName>[]
  readonly treatments: readonly Span<TreatmentName>[]
}

const TERM_DAYS = 280
/** Weeks after a birth in which there are no periods; assumed. */
const WEEKS_WITHOUT_PERIODS = 12

/** The state of a person's life on a day: a pure function of the person and the date. */
export const lifeOn = kept(MAX_KEPT, (living: Living, date: string): Life => {
  const pregnancies = pregnanciesOf(living).filter(({ since }) => since <= date)
  const current = pregnancies.find((each) => birthDateOf(each) > date)
  const births = pregnancies.map(birthDateOf).filter((born) => born <= date)
  const weeks = births.length === 0 ? undefined : daysBetween(births.toSorted().at(-1) ?? date, date) / 7
  return {
    pregnantWeeks: current && daysBetween(current.since, date) / 7,
    weeksAfterBirth: weeks !== undefined && weeks < WEEKS_WITHOUT_PERIODS ? weeks : undefined,
    isOnPill: current === undefined && pillOn(living, date) !== undefined,
    yearsAfterMenopause: living.menopause === null ? undefined : yearsBetweenDates(living.menopause, date),
    maturity: maturityOf(living, date),
  }
})

const pregnanciesOf = perOwner(({ conditions }: Living) =>
  conditions.filter(({ name }) => name === 'pregnancy'),
)

const birthDateOf = ({ since, until }: Span<'pregnancy' | ConditionName>): string =>
  until ?? daysLater(since, TERM_DAYS)

/** Whether the ovaries rest: in a pregnancy, and in the weeks after a birth. */
export const isWithoutPeriods = ({ pregnantWeeks, weeksAfterBirth }: Life): boolean =>
  pregnantWeeks !== undefined || weeksAfterBirth !== undefined

/** Whether a pregnancy or the pill ever interrupts a woman's own cycles. */
export const hasPregnancyOrPill = (living: Living): boolean =>
  pregnanciesOf(living).length > 0 || living.treatments.some(({ name }) => name === 'contraceptive_pill')

/** The combined pill that a person takes on a day. */
export const pillOn = ({ treatments }: Living, date: string): Span<TreatmentName> | undefined =>
  treatments.find(
    ({ name, since, until }) =>
      name === 'contraceptive_pill' && since <= date && (until === null || date < until),
  )

/** Years of age at which puberty begins and ends, and their deviation between people; assumed from Tanner's stages. */
const puberty = { female: [10, 16], male: [11.5, 17.5] } as const
const PUBERTY_SD = 0.9

function maturityOf({ random, drawKey, sex, birthDate }: Living, date: string): number {
  const age = yearsBetweenDates(birthDate, date)
  const [from, until] = puberty[sex]
  if (age > until + 3) return 1
  const late = PUBERTY_SD * standardNormal(random, `person/${drawKey}/puberty`)
  return clamp((age - from - late) / (until - from), 0, 1)
}

/** Values in the middle of the first and second trimester, and towards the end of the third. */
export const trimesters = () => z.tuple([z.number(), z.number(), z.number()])
type Trimesters = SeedRow<typeof trimesters>

/** Weeks after a birth in which its effects fade; assumed. */
const FADING_WEEKS = 6

/** A value in a pregnancy and after it; `usual` without one. */
export function inPregnancy(values: Trimesters, life: Life, usual: number): number {
  const { pregnantWeeks, weeksAfterBirth = FADING_WEEKS } = life
  const [first, second, third] = values
  return pregnantWeeks === undefined
    ? usual + (third - usual) * Math.max(0, 1 - weeksAfterBirth / FADING_WEEKS)
    : valueAt(
        [
          [0, usual],
          [8, first],
          [22, second],
          [36, third],
        ],
        pregnantWeeks,
      )
}

/**
 * What a trait is added, or multiplied by. Resting heart rate and variability: Rowan 2022 (18 women). Weight: 11.5 to 16 kg
 * at a usual one (Institute of Medicine 2009). All other figures are assumed.
 */
const effects = bundledTable('people/pregnancy.json', pregnancy.effects, () =>
  z.strictObject({ add: trimesters().optional(), times: trimesters().optional() }),
)

/** What a life does to traits: nothing outside of a pregnancy and the weeks after it. */
export const effectsOfLife = (life: Life): [Trait, TraitEffect][] =>
  isWithoutPeriods(life)
    ? [...effects].map(([trait, { add, times }]) => [
        trait,
        { add: add ? inPregnancy(add, life, 0) : 0, times: times ? inPregnancy(times, life, 1) : 1 },
      ])
    : []
