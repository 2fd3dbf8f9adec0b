import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { glucose } from '../../src/people/curves.ts'
import { bodyOfDay } from '../../src/people/daily.ts'
import { daysLater } from '../../src/people/dates.ts'
import { type Day, dayOf } from '../../src/people/day.ts'
import type { Whereabouts } from '../../src/people/day-clock.ts'
import { lifeOn, type Life as StateOfLife } from '../../src/people/life.ts'
import { STAGES } from '../../src/people/night.ts'
import { type Body, makePerson, weightOf } from '../../src/people/person.ts'
import { END_YEAR } from './people.ts'
import { type Row, section } from './section.ts'
import { correlation, deviation, mean, median, type Pair, share } from './statistics.ts'

/** Consecutive days of a person, those of a journey, and the bodies of a year. */
interface Life {
  readonly days: readonly Day[]
  /** Hours by which nights in London are later than without a journey, from the first on. */
  readonly later: readonly number[]
  readonly year: readonly Body[]
}

const ZONE = 'America/New_York'
const FIRST = '2025-03-20'
const DAYS = 14
const assumed = 'assumed'

const LONDON = 'Europe/London'
const toLondon: Whereabouts = {
  zoneOn: (date) => (date < FIRST ? ZONE : LONDON),
  journeys: [{ date: FIRST, from: ZONE, to: LONDON }],
}
const middleOf = ({ nights: [night] }: Day) => (night.start + night.end) / 2

/** The model itself, minute by minute, as a Fitbit records it. */
function collectLives(people: number): Life[] {
  const random = createRandom('continuity')
  return Array.from({ length: people }, (_, nth) => {
    const person = makePerson(random, `user-${nth}`, {})
    return {
      later: [0, 1, 2, 3, 4].map((passed) => {
        const date = daysLater(FIRST, passed)
        return (middleOf(dayOf(person, toLondon, date)) - middleOf(dayOf(person, LONDON, date))) / HOUR_MS
      }),
      days: Array.from({ length: DAYS }, (_, at) => dayOf(person, ZONE, daysLater(FIRST, at), 'fitbit')),
      year: Array.from({ length: 365 }, (_, at) => bodyOfDay(person, daysLater('2025-01-01', at))),
    }
  })
}

const days = (all: readonly Life[]) => all.flatMap((life) => life.days)
const neighbours = (all: readonly Life[]) =>
  all.flatMap((life) => life.days.slice(1).map((day, at) => [life.days[at] as Day, day] as const))

/** Mean step of a minute at midnight by that of a minute an hour later. */
const heartStep = (all: readonly Life[]) => {
  const steps = neighbours(all).map(([day, next]): Pair => {
    const [before, heart] = [day.minutes.heart(), next.minutes.heart()]
    return [Math.abs((heart[0] ?? 0) - (before.at(-1) ?? 0)), Math.abs((heart[60] ?? 0) - (heart[59] ?? 0))]
  })
  return mean(steps.map(([step]) => step)) / mean(steps.map(([, usual]) => usual))
}

const FIVE_MINUTES = 5 * MINUTE_MS

const glucoseStep = (all: readonly Life[]) => {
  const steps = neighbours(all).map(([day, next]): Pair => {
    const at = (instant: number) => glucose(instant < next.start ? day : next, instant, 0.5)
    const step = (instant: number) => Math.abs(at(instant) - at(instant - FIVE_MINUTES))
    return [step(next.start), step(next.start + 12 * FIVE_MINUTES)]
  })
  return mean(steps.map(([step]) => step)) / mean(steps.map(([, usual]) => usual))
}

/** Lag-1 correlation of the differences of readings every five minutes. */
const glucoseSmoothness = (all: readonly Life[]) =>
  median(
    days(all).map((day) => {
      const noise = day.noise('readings')
      const values = Array.from({ length: 288 }, (_, at) =>
        glucose(day, day.start + at * FIVE_MINUTES, noise(at)),
      )
      const steps = values.slice(1).map((value, at) => value - (values[at] ?? value))
      return correlation(steps.slice(1).map((step, at): Pair => [steps[at] ?? 0, step]))
    }),
  )

const stepsOf = (day: Day) => day.minutes.sums('steps').at(-1) ?? 0

const mostOnFoot = (all: readonly Life[]) =>
  mean(
    days(all)
      .filter((day) => day.workouts.length === 0 && stepsOf(day) > 4000)
      .map((day) => Math.max(...day.minutes.heart())),
  )

const training = (all: readonly Life[], isWanted: (workout: Day['workouts'][number]) => boolean) =>
  days(all).flatMap((day) =>
    day.workouts.filter(isWanted).map(({ start, end }) => {
      const at = (instant: number) => Math.round((instant - day.start) / MINUTE_MS)
      return [...day.minutes.heart().slice(at(start), at(end))]
    }),
  )
const isHard = ({ sport }: Day['workouts'][number]) => sport.effort > 0.55
const isWalk = ({ sport }: Day['workouts'][number]) => sport.slug === 'walking'

const nights = (all: readonly Life[]) => days(all).map((day) => day.nights[0].stages)

const withinPeople = (all: readonly Life[], pair: (body: Body) => Pair) =>
  median(all.map(({ year }) => correlation(year.map(pair))))

const inMonth = (all: readonly Life[], first: number) =>
  mean(all.flatMap(({ year }) => year.slice(first, first + 31).map(({ systolic }) => systolic)))

const hoursLater = (all: readonly Life[], day: number) => mean(all.map(({ later }) => later[day] ?? 0))

/** Weeks of pregnancy of women of 15 to 44 on one day. */
function collectWomen(people: number) {
  const random = createRandom('life')
  return Array.from({ length: 5 * people }, (_, nth) => {
    const birthDate = `${END_YEAR - 44 + (nth % 30)}-03-01`
    return lifeOn(makePerson(random, `woman-${nth}`, { sex: 'female', birthDate }), `${END_YEAR}-07-01`)
  })
}

const women: readonly Row<readonly StateOfLife[]>[] = [
  {
    name: 'pregnant, share of women of 15 to 44',
    low: 0.03,
    high: 0.055,
    source: '56.3 births a year for 1,000 (National Vital Statistics, 2021), 40 weeks each',
    measure: (all) => share(all, ({ pregnantWeeks }) => pregnantWeeks !== undefined),
  },
  {
    name: 'on the pill, share of women of 15 to 44',
    low: 0.1,
    high: 0.2,
    source: '14.0 % at 15 to 49 (National Survey of Family Growth 2017–19)',
    measure: (all) => share(all, ({ isOnPill }) => isOnPill),
  },
]

const JANUARY = 0
const JULY = 181

// biome-ignore format: a table is read by its columns.
const rows: readonly Row<readonly Life[]>[] = [
  { name: 'heart rate, step at midnight by that an hour later', high: 3, source: 'no seam', measure: heartStep },
  { name: 'glucose, step at midnight by that an hour later', high: 3, source: 'no seam', measure: glucoseStep },
  { name: 'glucose, lag-1 of differences', low: 0.5, source: `smooth (${assumed})`, measure: glucoseSmoothness },
  { name: 'highest heart rate of a day on foot without a workout, mean', low: 100, high: 125, source: assumed, measure: mostOnFoot },
  { name: 'heart rate of a walk, mean', low: 100, high: 120, source: assumed, measure: (all) => mean(training(all, isWalk).map(mean)) },
  { name: 'hard workouts, highest − mean heart rate', low: 10, high: 25, source: assumed, measure: (all) => mean(training(all, isHard).map((heart) => Math.max(...heart) - mean(heart))) },
  { name: 'awakenings a night, median', low: 10, high: 30, source: assumed, measure: (all) => median(nights(all).map((stages) => stages.filter(({ stage }) => stage === STAGES.awake).length)) },
  { name: 'stretches of a stage a night, median', low: 25, high: 60, source: assumed, measure: (all) => median(nights(all).map((stages) => stages.length)) },
  { name: 'r of HRV and resting heart rate within a person', low: -0.75, high: -0.45, source: assumed, measure: (all) => withinPeople(all, ({ hrv, restingHeart }) => [Math.log(hrv), restingHeart]) },
  { name: 'r of both blood pressures within a person', low: 0.45, high: 0.8, source: assumed, measure: (all) => withinPeople(all, ({ systolic, diastolic }) => [systolic, diastolic]) },
  { name: 'systolic pressure, January − July in mmHg', low: 4, high: 9, source: '6.7 (HOMED-BP, home readings)', measure: (all) => inMonth(all, JANUARY) - inMonth(all, JULY) },
  { name: 'New York to London: first night later by hours', low: 3.5, high: 4.5, source: 'as the body’s clock says', measure: (all) => hoursLater(all, 0) },
  { name: 'New York to London: hours less each night', low: 0.8, high: 1.6, source: '57 minutes a day to the east, 92 to the west', measure: (all) => (hoursLater(all, 0) - hoursLater(all, 4)) / 4 },
  { name: 'weight, sd over a year in %, median', low: 1, high: 4, source: assumed, measure: (all) => median(all.map(({ year }) => (100 * deviation(year.map(weightOf))) / mean(year.map(weightOf)))) },
]

export const continuitySections = [
  section(
    'wearables',
    'One continuous body',
    async ({ people }) => collectLives(Math.max(2, Math.round(people * 0.1))),
    rows,
  ),
  section('coherence', 'States of life', async ({ people }) => collectWomen(people), women),
]
