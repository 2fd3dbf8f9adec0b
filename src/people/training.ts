import * as z from 'zod'
import sportRows from '../../seeds/people/sports.json' with { type: 'json' }
import { clamp } from '../kernel/compare.ts'
import { kept } from '../kernel/kept.ts'
import { normalWithin } from '../kernel/normal.ts'
import { bundledTable, type SeedRow } from '../kernel/seed-table.ts'
import { dayNumber, isWeekend } from './dates.ts'
import { between, noiseOf } from './noise.ts'
import type { Person } from './person.ts'

const sportRow = () =>
  z.strictObject({
    /** The `sport.id`; not stable by contract. */
    id: z.number(),
    name: z.string(),
    /** Steps a minute. */
    cadence: z.number(),
    /** Share of the heart rate reserve (from resting to maximum heart rate). */
    effort: z.number(),
    /** Kilocalories per minute at 70 kg, in addition to those of the steps. */
    kcal: z.number(),
    /** Metres per second without steps; 0 for sports on the spot. */
    speed: z.number(),
    /** Step length as a multiple of a walking step. */
    strideFactor: z.number(),
    minutes: z.tuple([z.number(), z.number()]),
    isOutdoors: z.boolean(),
    /** Years from which it is chosen. */
    from: z.number().optional(),
    /** How likely it is chosen at the age of 20 and at that of 80. */
    liked: z.tuple([z.number(), z.number()]),
  })
export type Sport = SeedRow<typeof sportRow> & { readonly slug: string }

/** Source: what people train; figures are assumed. */
const sports: readonly Sport[] = [...bundledTable('people/sports.json', sportRows, sportRow)].map(
  ([slug, row]) => ({ ...row, slug }),
)

export const sportSlugs: readonly string[] = sports.map(({ slug }) => slug)

/** A workout as planned: nights and other workouts may leave no time for it. */
export interface PlannedWorkout {
  readonly sport: Sport
  /** Minutes of local time. */
  readonly minute: number
  readonly minutes: number
  /** Factor for effort on that day, about 1. */
  readonly intensity: number
}

/** A sport of a person, at a time of day. */
interface Habit {
  readonly sport: Sport
  /** Minutes of local time, on working days and at weekends. */
  readonly minute: number
  readonly weekendMinute: number
  /** Minutes that it usually lasts. */
  readonly lasts: number
}

/** One to three sports of a person, and how likely each day of the week is. */
const habitsOf = kept(16, ({ random, drawKey, birthDate }: Person, year: string) => {
  const noise = noiseOf(random, `habits/${drawKey}`)
  // Tastes change with the decades.
  const age = Number(year) - Number(birthDate.slice(0, 4))
  const old = clamp((Math.floor(age / 10) * 10 - 15) / 60, 0, 1)
  const liked = sports
    .map((sport, at) => ({
      sport,
      rank: Math.log(noise(at) + 1e-9) / between(old, sport.liked[0], sport.liked[1]),
    }))
    .filter(({ sport }) => age >= (sport.from ?? 0))
    .sort((a, b) => b.rank - a.rank)
  const habits = liked.slice(0, 1 + Math.floor(noise(20) * 3)).map(({ sport }, at): Habit => {
    const hour = noise(30 + at)
    const low = hour < 0.3 ? 375 : 980
    return {
      sport,
      minute: hour > 0.88 ? 725 + 60 * noise(40 + at) : low + (hour < 0.3 ? 110 : 230) * noise(40 + at),
      weekendMinute: between(noise(50 + at), 510, 1020),
      lasts: between(noise(60 + at), sport.minutes[0], sport.minutes[1]),
    }
  })
  return { habits, weekdays: Array.from({ length: 7 }, (_, at) => between(noise(70 + at), 0.3, 1.7)) }
})

/** Habits in their order; first comes the sport for which the person has a device. */
function withSport(habits: readonly Habit[], slug: string | undefined): readonly Habit[] {
  const sport = sports.find((one) => one.slug === slug)
  const [first] = habits
  if (!sport || !first) return habits
  const own = habits.find((habit) => habit.sport === sport) ?? { ...first, sport, lasts: sport.minutes[0] }
  return [own, ...habits.filter((habit) => habit !== own)]
}

/** Workouts a week of those who have a device for a sport, at least; assumed. */
const WITH_DEVICE = 2

/** What a person who trains so often means to do on a day: nothing, or one or two workouts. */
export function plannedTraining(
  person: Person,
  date: string,
  usualPerWeek: number,
  sport?: string,
): PlannedWorkout[] {
  const noise = noiseOf(person.random, `training/${person.drawKey}/${date}`)
  const day = dayNumber(date)
  const { habits: usualHabits, weekdays } = habitsOf(person, date.slice(0, 4))
  const habits = withSport(usualHabits, sport)
  const workoutsPerWeek = sport ? Math.max(WITH_DEVICE, usualPerWeek) : usualPerWeek
  const daily = (workoutsPerWeek / 7) * (weekdays[(day + 3) % 7] ?? 1)
  const count = Number(noise(0) < daily) + Number(noise(1) < workoutsPerWeek / 7 - 0.85)
  if (count === 0) return []
  const first = Math.floor(noise(2) ** 1.6 * habits.length)
  const chosen = habits.map((_, at) => habits[(first + at) % habits.length] as Habit).slice(0, count)
  return chosen.map(({ minute, weekendMinute, lasts, ...habit }, at) => {
    const draw = (ordinal: number) => noise(10 + at * 8 + ordinal)
    const usual = isWeekend(day) ? weekendMinute : minute
    return {
      sport: habit.sport,
      minute: Math.round(usual + 18 * normalWithin(draw(1), 0, 1, -2.5, 2.5)),
      minutes: Math.round(lasts * between(draw(2), 0.75, 1.25)),
      intensity: between(draw(3), 0.92, 1.08),
    }
  })
}
