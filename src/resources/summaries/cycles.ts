import { localDate } from '../../kernel/local-day.ts'
import { cycleOn, periodDaysOf } from '../../people/cycles.ts'
import { bodyOfDay } from '../../people/daily.ts'
import { daysLater } from '../../people/dates.ts'
import type { Day } from '../../people/day.ts'
import { hasHabit } from '../../people/habits.ts'
import { round } from '../../people/noise.ts'
import type { World } from '../../world/world.ts'
import type { Connection } from '../connections/table.ts'
import { personOf } from '../personas/service.ts'
import { dayOfConnection } from '../timeseries/service.ts'
import { flatSource, idFor, isKnown, type Make, type Making, sourceFor, stampsOf } from './making.ts'

/** The flow on a day of a period, by how many come before and after it. */
function flowOn(before: number, after: number) {
  if (before === 1) return 'heavy'
  return after < 2 ? 'light' : 'medium'
}

/** Whether a menstrual cycle begins on a local date. */
export const beginsCycle = (world: World, { user_id }: Connection, date: string): boolean =>
  cycleOn(personOf(world, user_id), date)?.begins === date

/** The menstrual cycle that began on a day, up to now. */
export const menstrualCyclesOf: Make = (making) => {
  const { connection, day, asOf } = making
  const cycle = cycleOn(day.person, day.date)
  if (!cycle) return []
  const cycleDays = cycle.days
  const begins = notedAt(day)
  if (!isKnown(making, begins)) return []
  const dates = datesWithEntries(making, cycleDays)
  const periodDays = periodDaysOf(day.person)
  const period = dates.slice(0, periodDays)
  const lastNoted = notedAt(dayOfConnection(making.world, connection, dates.at(-1) ?? day.date))
  const { ovulation } = cycle
  const fertile = ovulation
    ? dates.filter((date) => date >= daysLater(ovulation, -2) && date <= daysLater(ovulation, 1))
    : []
  return [
    {
      id: idFor(making, 'menstrual_cycle', day.date),
      period_start: day.date,
      period_end: dates.length > periodDays ? daysLater(day.date, periodDays - 1) : null,
      cycle_end:
        asOf >= dayOfConnection(making.world, connection, daysLater(day.date, cycleDays)).start
          ? daysLater(day.date, cycleDays - 1)
          : null,
      is_predicted: false,
      menstrual_flow: period.map((date, at) => ({ date, flow: flowOn(at, periodDays - 1 - at) })),
      cervical_mucus: fertile.map((date) => ({ date, quality: 'egg_white' })),
      intermenstrual_bleeding: [],
      contraceptive: [],
      detected_deviations: [],
      ovulation_test: fertile.map((date, at) => ({
        date,
        test_result: at === 2 ? 'luteinizing_hormone_surge' : 'negative',
      })),
      home_pregnancy_test: [],
      home_progesterone_test: [],
      sexual_activity: [],
      basal_body_temperature: dates
        .filter((date) => hasHabit(day.person, date, 'basal_body_temperature', false))
        .map((date) => ({ date, value: round(36.3 + bodyOfDay(day.person, date).temperature, 2) })),
      ...flatSource(making),
      user_id: connection.user_id,
      source: sourceFor(making),
      ...stampsOf(making, begins, lastNoted),
    },
  ]
}

/** The instant of a day's entries: after getting up. */
const notedAt = (day: Day) => day.instantAt(480)

/** The days of a cycle with entries. */
function datesWithEntries({ world, connection, day, asOf }: Making, cycleDays: number): string[] {
  const today = localDate(day.timeZone, asOf)
  const isNotedToday = asOf >= notedAt(dayOfConnection(world, connection, today))
  return Array.from({ length: cycleDays }, (_, at) => daysLater(day.date, at)).filter(
    (date) => date < today || (date === today && isNotedToday),
  )
}
