import { clamp } from '../kernel/compare.ts'
import { kept, perOwner } from '../kernel/kept.ts'
import { dateOfDay, dayNumber, daysBetween, daysLater, MAX_KEPT } from './dates.ts'
import { hasPregnancyOrPill, isWithoutPeriods, lifeOn, pillOn } from './life.ts'
import { ageOn, type Person, usualBodyOn } from './person.ts'
import { standardNormal, traitValue } from './traits.ts'

/** The menstrual cycle that a day belongs to. */
export interface Cycle {
  /** The first day of its period. */
  readonly begins: string
  /** Days until the next one. */
  readonly days: number
  /** The day after which the luteal phase begins; null without ovulation. */
  readonly ovulation: string | null
}

/** Whether a person has periods on a day, be it those of a pill. */
export function hasPeriods(person: Person, date: string): boolean {
  if (person.menopause === null || date >= person.menopause || ageOn(person, date) < MENARCHE) return false
  return !isWithoutPeriods(lifeOn(person, date))
}

/** Years of age at the first period; half of US girls are 11.9 or younger (National Survey of Family Growth 2013-17). */
const MENARCHE = 12

/** Days of a packet: three weeks with hormones and one without. */
const PACKET_DAYS = 28

/**
 * Periods begin on a regular grid of days, each displaced by a draw of its own, so that every window shows the same. A
 * pill has a grid of its own from its first day. Undefined for people without periods.
 */
export function cycleOn(person: Person, date: string): Cycle | undefined {
  if (!hasPeriods(person, date)) return undefined
  const pill = pillOn(person, date)
  if (pill) {
    const begins = daysLater(date, -(daysBetween(pill.since, date) % PACKET_DAYS))
    const left = pill.until === null ? PACKET_DAYS : daysBetween(begins, pill.until)
    return { begins, days: Math.min(PACKET_DAYS, left), ovulation: null }
  }
  const today = dayNumber(date)
  const { phase, length } = cycleGrid(person)
  let nth = Math.floor((today - phase) / length)
  while (beginOfCycle(person, nth) > today) nth -= 1
  while (beginOfCycle(person, nth + 1) <= today) nth += 1
  return ownCycle(person, nth, today)
}

/** A cycle of the grid on a day; a pill or a pregnancy can make it shorter on both sides. */
function ownCycle(person: Person, nth: number, today: number): Cycle {
  let begins = beginOfCycle(person, nth)
  let ends = beginOfCycle(person, nth + 1)
  const ovulation = ends - lutealDaysOf(person, nth, ends - begins)
  if (isInterrupted(person, begins, ends)) {
    const isOwn = (day: number) => hasPeriods(person, dateOfDay(day)) && !pillOn(person, dateOfDay(day))
    let first = today
    while (first > begins && isOwn(first - 1)) first -= 1
    let next = today
    while (next < ends && isOwn(next)) next += 1
    ;[begins, ends] = [first, next]
  }
  return {
    begins: dateOfDay(begins),
    days: ends - begins,
    ovulation: ovulation >= begins && ovulation < ends ? dateOfDay(ovulation) : null,
  }
}

/** Whether something may make a cycle shorter. */
function isInterrupted(person: Person, begins: number, ends: number): boolean {
  const [first, last] = [dateOfDay(begins), dateOfDay(ends)]
  return (
    hasPregnancyOrPill(person) ||
    (person.menopause !== null && last >= person.menopause) ||
    ageOn(person, first) < MENARCHE
  )
}

/** The cycles that begin between two days, both included. */
export function cyclesBetween(person: Person, from: string, until: string): Cycle[] {
  const found: Cycle[] = []
  let day = dayNumber(from)
  const last = dayNumber(until)
  while (day <= last) {
    const cycle = cycleOn(person, dateOfDay(day))
    if (cycle && cycle.begins >= from) found.push(cycle)
    day = cycle ? dayNumber(cycle.begins) + cycle.days : day + 1
  }
  return found
}

/** Days that a person's periods last: five in most, three to seven in all. How many have how many is assumed. */
export const periodDaysOf = ({ random, drawKey }: Person): number =>
  clamp(Math.round(5 + 1.2 * standardNormal(random, `person/${drawKey}/period`)), 3, 7)

const cycleGrid = perOwner(({ random, drawKey, sex, deviations }: Person) => {
  const length = Math.round(traitValue('cycleDays', { sex, age: 30 }, deviations.cycleDays))
  return { length, phase: random.integer(`person/${drawKey}/cycle`, 0, length - 1) }
})

const beginOfCycle = kept(MAX_KEPT, (person: Person, nth: number): number => {
  const { phase, length } = cycleGrid(person)
  const day = phase + nth * length
  const { cycleDeviationDays } = usualBodyOn(person, dateOfDay(day))
  const drawn = standardNormal(person.random, `person/${person.drawKey}/cycle/${nth}`)
  const most = Math.floor(length * 0.4)
  // The length is the difference of two displacements, whose variances add up.
  return day + clamp(Math.round((drawn * cycleDeviationDays) / Math.SQRT2), -most, most)
})

/** Luteal phases: mean 12.4 days, 95 % of 7 to 17 (612,613 cycles, Bull 2019). */
const LUTEAL = { mean: 12.4, sd: 2.4, low: 7, high: 17 } as const
const SHORTEST_FOLLICULAR_DAYS = 8

function lutealDaysOf({ random, drawKey }: Person, nth: number, days: number): number {
  const { mean, sd, low, high } = LUTEAL
  const drawn = mean + sd * standardNormal(random, `person/${drawKey}/luteal/${nth}`)
  return Math.min(high, days - SHORTEST_FOLLICULAR_DAYS, Math.max(low, Math.round(drawn)))
}
