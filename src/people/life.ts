import { entriesOf } from '../kernel/fields.ts'
import { kept } from '../kernel/kept.ts'
import type { Random } from '../kernel/random.ts'
import type { ConditionName, TraitEffect, TreatmentName } from './conditions.ts'
import { daysBetween, daysLater, yearsBetweenDates } from './dates.ts'
import { type Points, valueAt } from './points.ts'
import { type Sex, standardNormal, type Trait } from './traits.ts'

/** Where in life a body is on a day. Laboratory results and devices read the same. */
export interface Life {
  /** Weeks since the first day of the last period, with fraction; undefined for those who are not pregnant. */
  readonly pregnantWeeks: number | undefined
  /** The latest birth of the last year. */
  readonly birth: Birth | undefined
  /** Whether hormones of a combined pill replace those of the ovaries. */
  readonly isOnPill: boolean
  /** Years since periods ended for good, with fraction; negative before. Undefined for men. */
  readonly yearsAfterMenopause: number | undefined
  /** The share of puberty that is behind: 0 in children, 1 in adults. */
  readonly maturity: number
}

export interface Birth {
  /** Weeks since it, with fraction. */
  readonly weeksAgo: number
  /** Weeks that the pregnancy lasted; fewer than 37 where it ended early. */
  readonly carried: number
  /** Weeks that the mother nurses after it; 0 if she does not. */
  readonly nursing: number
}

interface Span<Name extends string> {
  readonly name: Name
  readonly since: string
  readonly until: string | null
}

/** The part of a person that a life follows from. */
export interface Living {
  readonly userId: string
  readonly random: Random
  readonly sex: Sex
  readonly birthDate: string
  readonly menopause: string | null
  readonly conditions: readonly Span<ConditionName>[]
  readonly treatments: readonly Span<TreatmentName>[]
}

const TERM_DAYS = 280
const YEAR_WEEKS = 52

/** The state of a person's life on a day: a pure function of the person and the date. */
export const lifeOn = kept(64, (living: Living, date: string): Life => {
  const pregnancies = pregnanciesOf(living).filter(({ since }) => since <= date)
  const ended = pregnancies.filter((each) => birthDateOf(each) <= date)
  const current = pregnancies.find((each) => birthDateOf(each) > date)
  const latest = ended.toSorted((a, b) => (birthDateOf(a) < birthDateOf(b) ? 1 : -1))[0]
  const birth = latest && birthOf(living, latest, date)
  return {
    pregnantWeeks: current && daysBetween(current.since, date) / 7,
    birth: birth && birth.weeksAgo < YEAR_WEEKS ? birth : undefined,
    isOnPill: current === undefined && pillOn(living, date) !== undefined,
    yearsAfterMenopause: living.menopause === null ? undefined : yearsBetweenDates(living.menopause, date),
    maturity: maturityOf(living, date),
  }
})

const pregnanciesOf = (living: Living) => keptPregnancies(living, 'all')
const keptPregnancies = kept(1, ({ conditions }: Living, _: 'all') =>
  conditions.filter(({ name }) => name === 'pregnancy'),
)

const birthDateOf = ({ since, until }: Span<'pregnancy' | ConditionName>): string =>
  until ?? daysLater(since, TERM_DAYS)

/**
 * Of US births of 2015 83 % were nursed, 58 % after six months and 36 % after twelve (CDC Breastfeeding Report Card 2018);
 * the course between is assumed. So is that periods return after four fifths of the nursing, and after six weeks without.
 */
const nursingWeeks: Points = [
  [0, 78],
  [0.36, 52],
  [0.58, 26],
  [0.83, 2],
  [0.831, 0],
  [1, 0],
]
const MIN_WEEKS_WITHOUT_PERIODS = 6
const EARLIEST_NURSED_WEEKS = 28

function birthOf({ random, userId }: Living, pregnancy: Span<ConditionName>, date: string): Birth {
  const born = birthDateOf(pregnancy)
  const carried = daysBetween(pregnancy.since, born) / 7
  const rank = random.noise(`person/${userId}/nursing/${born}`)
  return {
    weeksAgo: daysBetween(born, date) / 7,
    carried,
    nursing: carried < EARLIEST_NURSED_WEEKS ? 0 : valueAt(nursingWeeks, rank),
  }
}

/** Whether the ovaries rest: in a pregnancy, and in the weeks after a birth. */
export const isWithoutPeriods = ({ pregnantWeeks, birth }: Life): boolean =>
  pregnantWeeks !== undefined ||
  (birth !== undefined && birth.weeksAgo < Math.max(MIN_WEEKS_WITHOUT_PERIODS, 0.8 * birth.nursing))

/** Days from the last period before a pregnancy to a time when the ovaries surely work again. */
const MOST_DAYS_WITHOUT_PERIODS = TERM_DAYS + 14 + 7 * YEAR_WEEKS

/** Whether a pregnancy or the pill may interrupt a woman's own cycles between two days, both included. */
export function hasPregnancyOrPill(living: Living, from: string, until: string): boolean {
  const earliest = daysLater(from, -MOST_DAYS_WITHOUT_PERIODS)
  return (
    pregnanciesOf(living).some(
      (each) => each.since <= until && (each.since >= earliest || (each.until ?? from) >= earliest),
    ) ||
    living.treatments.some(
      (each) =>
        each.name === 'contraceptive_pill' &&
        each.since <= until &&
        (each.until === null || each.until > from),
    )
  )
}

/** The combined pill that a person takes on a day. */
export const pillOn = ({ treatments }: Living, date: string): Span<TreatmentName> | undefined =>
  treatments.find(
    ({ name, since, until }) =>
      name === 'contraceptive_pill' && since <= date && (until === null || date < until),
  )

/** Years of age at which puberty begins and ends, and their deviation between people; assumed from Tanner's stages. */
const puberty = { female: [10, 16], male: [11.5, 17.5] } as const
const PUBERTY_SD = 0.9

function maturityOf({ random, userId, sex, birthDate }: Living, date: string): number {
  const age = yearsBetweenDates(birthDate, date)
  const [from, until] = puberty[sex]
  if (age > until + 3) return 1
  const late = PUBERTY_SD * standardNormal(random, `person/${userId}/puberty`)
  return Math.min(1, Math.max(0, (age - from - late) / (until - from)))
}

interface Course {
  /** By week of pregnancy. */
  readonly pregnant: Points
  /** By week after a birth at term. */
  readonly after: Points
}

/**
 * What a trait is added, or multiplied by, in a pregnancy and after a birth.
 *
 * Resting heart rate and variability: 0.05 beats a day more and 0.1 ms less until seven weeks before the birth, then 0.23
 * beats less and 0.38 ms more each day (Rowan 2022, 18 women, with a usual variability of about 70 ms). Weight: 11.5 to 16
 * kg at a usual one (Institute of Medicine 2009). All other figures, and those of the year after, are assumed.
 */
// biome-ignore format: a table is read by its columns.
const courses: Partial<Readonly<Record<Trait, { readonly add?: Course; readonly times?: Course }>>> = {
  restingHeart: { add: { pregnant: [[0, 0], [4, 1], [33, 11.5], [40, 4]], after: [[0, 4], [2, -1], [8, 0]] } },
  hrv: { times: { pregnant: [[0, 1], [4, 0.96], [33, 0.7], [40, 0.94]], after: [[0, 0.9], [2, 1], [8, 1.04], [26, 1]] } },
  temperature: { add: { pregnant: [[0, 0], [3, 0.3], [12, 0.3], [24, 0], [40, -0.05]], after: [[0, 0.1], [3, 0]] } },
  breathsPerMinute: { add: { pregnant: [[0, 0], [40, 1.2]], after: [[0, 0.4], [4, 0]] } },
  bodyMassIndex: { times: { pregnant: [[0, 1], [12, 1.025], [20, 1.07], [40, 1.19]], after: [[0, 1.11], [6, 1.06], [26, 1.02], [52, 1]] } },
  usualSteps: { times: { pregnant: [[0, 1], [8, 0.85], [18, 0.95], [30, 0.82], [40, 0.6]], after: [[0, 0.4], [3, 0.65], [8, 0.9], [16, 1]] } },
  workoutsPerWeek: { times: { pregnant: [[0, 1], [8, 0.6], [18, 0.75], [40, 0.25]], after: [[0, 0], [6, 0.1], [16, 0.7], [30, 1]] } },
  sleepHours: { add: { pregnant: [[0, 0], [8, 0.5], [20, 0.2], [40, -0.3]], after: [[0, -1.4], [6, -1], [16, -0.5], [40, 0]] } },
  sleepEfficiency: { add: { pregnant: [[0, 0], [12, -1], [28, -3], [40, -8]], after: [[0, -16], [6, -12], [16, -6], [40, -1], [52, 0]] } },
  napsPerWeek: { add: { pregnant: [[0, 0], [6, 2], [12, 2], [18, 0.7], [40, 2]], after: [[0, 4], [8, 2], [20, 0]] } },
  systolic: { add: { pregnant: [[0, 0], [20, -4], [40, 1]], after: [[0, 3], [2, 2], [6, 0]] } },
  diastolic: { add: { pregnant: [[0, 0], [20, -5], [40, 1]], after: [[0, 3], [2, 2], [6, 0]] } },
}

/** What a life does to traits: nothing outside of a pregnancy and the year after it. */
export function effectsOfLife(life: Life): [Trait, TraitEffect][] {
  const { pregnantWeeks, birth } = life
  if (pregnantWeeks === undefined && birth === undefined) return []
  return entriesOf(courses).map(([trait, { add, times }]) => [
    trait,
    { add: add ? inCourse(add, life, 0) : 0, times: times ? inCourse(times, life, 1) : 1 },
  ])
}

const TERM_WEEKS = TERM_DAYS / 7

/** A value in the course of a life; `usual` without one. What follows a birth is less after a short pregnancy. */
export function inCourse({ pregnant, after }: Course, { pregnantWeeks, birth }: Life, usual: number): number {
  if (pregnantWeeks !== undefined) return valueAt(pregnant, pregnantWeeks)
  if (birth === undefined) return usual
  return usual + (valueAt(after, birth.weeksAgo) - usual) * Math.min(1, birth.carried / TERM_WEEKS)
}
