import { MINUTE_MS, SECOND_MS } from '../kernel/instant.ts'
import { perOwner, remembered } from '../kernel/kept.ts'
import { nextDate } from '../kernel/local-day.ts'
import { once } from '../kernel/once.ts'
import type { Random } from '../kernel/random.ts'
import { type Baseline, baselineOf, bodyOfDay } from './daily.ts'
import { daysLater, MAX_KEPT } from './dates.ts'
import { clockOn, type DayClock, type ZoneOn } from './day-clock.ts'
import { type Device, deviceBeats, recordedNaps, recordedNight, recordedWorkout } from './devices.ts'
import { type Meal, mealsOf } from './food.ts'
import { type Minutes, minutesOf } from './minutes.ts'
import { napsOf, nightOf, type Sleep } from './night.ts'
import { type Noise, noiseOf } from './noise.ts'
import type { Body, Person } from './person.ts'
import { type Workout, workoutsOf } from './workouts.ts'

/** A person's local day. All series and summaries are derived from it. */
export interface Day extends DayClock {
  readonly drawKey: string
  readonly timeZone: string
  readonly random: Random
  readonly person: Person
  /** What records it. */
  readonly device: Device
  /** Beats per minute that the device counts too many. */
  readonly deviceBeats: number
  readonly body: Body
  /** What the body is compared with. */
  readonly baseline: () => Baseline
  /** The nights that end and begin on this day. */
  readonly nights: readonly [Sleep, Sleep]
  readonly naps: readonly Sleep[]
  readonly workouts: readonly Workout[]
  readonly meals: () => readonly Meal[]
  /** Those of this day and of the evening before it. */
  readonly mealsAround: () => readonly Meal[]
  readonly minutes: Minutes
  /** Random numbers by purpose. */
  noise(purpose: string): Noise
}

let people = 0
/** What tells a person from all others, also of another world with the same seed. */
const ordinalOf = perOwner<Person, number>(() => people++)

/** The night at an instant, or the nearest one. */
export const nightAt = ({ nights }: Pick<Day, 'nights'>, instant: number): Sleep =>
  instant < (nights[0].end + nights[1].start) / 2 ? nights[0] : nights[1]

/** Resting heart rate of the day, as a device reports it. */
export const restingBeats = ({ body, nights, deviceBeats }: Day): number =>
  Math.round(body.restingHeart + 0.2 * nights[0].beats + deviceBeats)

/** How devices record a person's day. */
interface Recording {
  /** Minutes of the shortest nap that is recorded; null for none. */
  readonly leastNap?: number | null
  /** The sport that the person has a device for. */
  readonly sport?: string | undefined
}

/** Generates a day, at a place or on a journey. A pure function; `device` records it. */
export const dayOf = (
  person: Person,
  where: string | ZoneOn,
  date: string,
  device?: Device,
  recording: Recording = {},
): Day => keptDay(person, typeof where === 'string' ? () => where : where, date, device, recording)

/** Days of all people, up to 300 KB each: enough for 20 users whose last two days, and the one before, are read series by series. */
const keptDay = remembered(
  MAX_KEPT,
  makeDay,
  (person, zoneOn, date, device, { leastNap, sport }) =>
    `${ordinalOf(person)}/${zoneOn(date)}/${zoneOn(nextDate(date))}/${date}/${device}/${leastNap}/${sport}`,
)

function makeDay(person: Person, zoneOn: ZoneOn, date: string, device: Device, recording: Recording): Day {
  const { random, drawKey } = person
  const [clock, nextClock] = [clockOn(zoneOn, date), clockOn(zoneOn, nextDate(date))]
  const timeZone = zoneOn(date)
  const body = bodyOfDay(person, date)
  const slept = [nightOf(person, clock), nightOf(person, nextClock)] as const
  const [last, next] = slept
  const nights = [recordedNight(last, device), recordedNight(next, device)] as const
  // A day that a time zone change makes shorter is cut at its end.
  const isLeft = zoneOn(nextClock.date) !== timeZone
  const trained = workoutsOf(person, body, slept, clock, recording.sport)
  const workouts = trained
    .map((workout) => recordedWorkout(person, device, workout))
    .filter(({ end }) => !isLeft || end <= clock.end)
  const noise = (purpose: string) => noiseOf(random, `${purpose}/${drawKey}/${date}`)
  const meals = once(() => mealsOf(person, slept, clock).filter(({ at }) => !isLeft || at < clock.end))
  const naps = recordedNaps(napsOf(last, next, trained), device, recording.leastNap).filter(
    ({ end }) => end <= clock.end,
  )
  const life = { person, body, nights, naps, workouts }
  return {
    ...clock,
    person,
    body,
    nights,
    naps,
    workouts,
    meals,
    mealsAround: once(() => [...mealsBefore(person, zoneOn, date), ...meals()]),
    device,
    deviceBeats: deviceBeats(person, device),
    baseline: once(() => baselineOf(person, date)),
    random,
    drawKey,
    timeZone,
    noise,
    minutes: minutesOf(
      clock,
      life,
      noise,
      () => dayOf(person, zoneOn, daysLater(date, -1), device, recording).minutes,
    ),
  }
}

/** The meals of the day before. */
function mealsBefore(person: Person, zoneOn: ZoneOn, date: string): Meal[] {
  const clocks = [clockOn(zoneOn, daysLater(date, -1)), clockOn(zoneOn, date)] as const
  return mealsOf(person, [nightOf(person, clocks[0]), nightOf(person, clocks[1])], clocks[0])
}

/** Metres of a workout: from its steps, or from its speed. */
export function metresOf(day: Day, { start, end, sport, pace }: Day['workouts'][number]): number {
  const minute = (instant: number) => Math.round((instant - day.start) / MINUTE_MS)
  const metres = day.minutes.sums('metres')
  if (sport.cadence > 0) return (metres[minute(end)] ?? 0) - (metres[minute(start)] ?? 0)
  return (sport.speed * pace * (end - start)) / SECOND_MS
}
