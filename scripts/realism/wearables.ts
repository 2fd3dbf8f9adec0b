import { DAY_MS } from '../../src/kernel/instant.ts'
import { connectAll, dateBefore, type Known, type Population, type Size, withPeople } from './people.ts'
import { type Row, type Section, section } from './section.ts'
import {
  correlation,
  deviation,
  lagOne,
  largest,
  mean,
  median,
  type Pair,
  rho,
  share,
  shareOfMostFrequent,
  slope,
} from './statistics.ts'

const assumed = 'assumed'
const nhanes = 'NHANES 2017–18'

export interface Night {
  readonly id: string
  readonly calendar_date: string
  readonly type: string
  readonly bedtime_start: string
  readonly bedtime_stop: string
  /** Seconds. */
  readonly total: number
  readonly duration: number
  readonly efficiency: number | null
  readonly hr_lowest: number | null
  readonly hr_average: number | null
  readonly hr_resting: number | null
  readonly average_hrv: number | null
  readonly recovery_readiness_score: number | null
}

interface Activity {
  readonly calendar_date: string
  readonly steps: number | null
  /** Minutes by intensity. */
  readonly low: number | null
  readonly medium: number | null
  readonly high: number | null
  readonly heart_rate: { readonly resting_bpm: number | null } | null
}

interface Workout {
  readonly id: string
  readonly time_start: string
  readonly time_end: string
  readonly average_speed: number | null
  readonly total_elevation_gain: number | null
  readonly sport: { readonly slug: string }
}

interface Stream {
  readonly velocity_smooth: readonly (number | null)[] | null
  readonly heartrate: readonly (number | null)[] | null
  readonly lat: readonly (number | null)[] | null
  readonly lng: readonly (number | null)[] | null
}

export interface Body {
  readonly weight: number | null
  readonly fat: number | null
  readonly source: { readonly provider: string; readonly type: string }
}

/** A person's summaries of whole days, by one device. */
export async function summaries<Item>(
  { petri }: Population,
  { userId }: Known,
  resource: string,
  days: number,
  provider: string,
): Promise<readonly Item[]> {
  const dates = `start_date=${dateBefore(days)}&end_date=${dateBefore(1)}`
  const path = `/v2/summary/${resource}/${userId}?${dates}&provider=${provider}`
  const [items = []] = Object.values(await petri.call<Record<string, readonly Item[]>>('GET', path))
  return items
}

interface Sample {
  readonly timestamp: string
  readonly value: number
  readonly systolic: number
  readonly diastolic: number
}

interface Groups {
  readonly groups: Readonly<
    Record<
      string,
      readonly { readonly source: { readonly type: string }; readonly data: readonly Sample[] }[]
    >
  >
}

/** A person's samples of a series, with the type of their source. */
export async function samples({ petri }: Population, { userId }: Known, series: string, days: number) {
  const found: (Sample & { readonly sourceType: string })[] = []
  const dates = `start_date=${dateBefore(days)}&end_date=${dateBefore(0)}`
  const { groups } = await petri.call<Groups>('GET', `/v2/timeseries/${userId}/${series}/grouped?${dates}`)
  for (const { source, data } of Object.values(groups).flat())
    for (const sample of data) found.push({ ...sample, sourceType: source.type })
  return found
}

export interface Wearer {
  readonly person: Known
  readonly nights: readonly Night[]
  readonly naps: readonly Night[]
  readonly activity: readonly Activity[]
  /** The number of days asked for. */
  readonly days: number
}

export const part = ({ people }: Size, portion: number) => Math.max(2, Math.round(people * portion))

/** Runs once for each person of a world in which all wear this device. */
export const perPerson = <Result>(
  count: number,
  providers: readonly string[],
  collect: (population: Population, person: Known) => Promise<Result>,
  isWanted?: (known: Omit<Known, 'userId'>) => boolean,
): Promise<Result[]> =>
  withPeople(
    count,
    0,
    async (population) => {
      for (const provider of providers) await connectAll(population, provider)
      const results: Result[] = []
      for (const person of population.people) results.push(await collect(population, person))
      return results
    },
    isWanted,
  )

export const collectWearers = ({ people, days }: Size): Promise<Wearer[]> =>
  perPerson(people, ['fitbit'], async (population, person) => {
    const sleep = await summaries<Night>(population, person, 'sleep', days, 'fitbit')
    const activity = await summaries<Activity>(population, person, 'activity', days, 'fitbit')
    return { person, ...parted(sleep), activity, days }
  })

const parted = (sleep: readonly Night[]) => ({
  nights: sleep.filter(({ type }) => type === 'long_sleep'),
  naps: sleep.filter(({ type }) => type !== 'long_sleep'),
})

/** The value of each day in order of date; undefined on days without one. */
function byDay<Item extends { readonly calendar_date: string }>(
  items: readonly Item[],
  read: (item: Item) => number | null | undefined,
  days: number,
): (number | undefined)[] {
  const values = new Map(items.map((item) => [item.calendar_date, read(item) ?? undefined]))
  return Array.from({ length: days }, (_, at) => values.get(dateBefore(days - at)))
}

/** Of days with a step: on the others the device was not worn. */
const steps = (wearer: Wearer) => byDay(wearer.activity, (day) => day.steps || null, wearer.days)
const minutesOf = (intensity: 'low' | 'medium' | 'high') => (wearer: Wearer) =>
  byDay(wearer.activity, (day) => (day.steps ? day[intensity] : null), wearer.days)
const hours = (wearer: Wearer) => byDay(wearer.nights, ({ total }) => total / 3600, wearer.days)
const resting = (wearer: Wearer) => byDay(wearer.nights, ({ hr_resting }) => hr_resting, wearer.days)
const variability = (wearer: Wearer) => byDay(wearer.nights, ({ average_hrv }) => average_hrv, wearer.days)

type Daily = (wearer: Wearer) => (number | undefined)[]

const known = (series: readonly (number | undefined)[]) => series.filter((value) => value !== undefined)
/** A statistic of each person's days. */
const each = (all: readonly Wearer[], daily: Daily, statistic: (numbers: readonly number[]) => number) =>
  all.map((wearer) => statistic(known(daily(wearer)))).filter(Number.isFinite)
const everyDay = (all: readonly Wearer[], daily: Daily) => all.flatMap((wearer) => known(daily(wearer)))
const medianLagOne = (all: readonly Wearer[], daily: Daily) =>
  median(all.map((wearer) => lagOne(daily(wearer))).filter(Number.isFinite))
const logs =
  (daily: Daily): Daily =>
  (wearer) =>
    daily(wearer).map((value) => (value === undefined || value <= 0 ? undefined : Math.log(value)))
const ofSex = (all: readonly Wearer[], sex: Known['sex']) => all.filter(({ person }) => person.sex === sex)
const onWeekend = (date: string) => [0, 6].includes(new Date(date).getUTCDay())

/** Means of weekend days less means of weekdays. */
const weekendLess = (items: readonly (readonly [date: string, value: number])[]) =>
  mean(items.flatMap(([date, value]) => (onWeekend(date) ? [value] : []))) -
  mean(items.flatMap(([date, value]) => (onWeekend(date) ? [] : [value])))

/** Hours by which the middle of sleep is later on free days. */
const jetlagOf = ({ nights }: Wearer): number =>
  weekendLess(
    nights.map((night): [string, number] => {
      const middle = (Date.parse(night.bedtime_start) + Date.parse(night.bedtime_stop)) / 2
      return [night.calendar_date, (middle - Date.parse(night.calendar_date)) / 3_600_000]
    }),
  )

const hrvByAge = (all: readonly Wearer[]): Pair[] =>
  all.flatMap((wearer): Pair[] => {
    const hrv = mean(known(variability(wearer)))
    return Number.isFinite(hrv) ? [[wearer.person.age, Math.log(hrv)]] : []
  })

const quer = 'Quer 2020, n = 92,457'

// biome-ignore format: a table is read by its columns.
const days: readonly Row<readonly Wearer[]>[] = [
  { name: 'resting heart rate, mean bpm', low: 61, high: 69, source: `65 (${quer})`, measure: (all) => mean(each(all, resting, mean)) },
  { name: 'resting heart rate, sd between people', low: 6, high: 10, source: `6.8 (LifeSnaps 2021); range 40–109 (${quer})`, measure: (all) => deviation(each(all, resting, mean)) },
  { name: 'resting heart rate, women − men', low: 1, high: 5.5, source: `+2 to +5 (${quer})`, measure: (all) => mean(each(ofSex(all, 'female'), resting, mean)) - mean(each(ofSex(all, 'male'), resting, mean)) },
  { name: 'resting heart rate, weekend − weekday', low: 0.2, high: 2.5, source: '+1.6 (published, ring users)', measure: (all) => mean(all.map(({ nights }) => weekendLess(nights.flatMap((night): [string, number][] => (night.hr_resting === null ? [] : [[night.calendar_date, night.hr_resting]])))).filter(Number.isFinite)) },
  { name: 'resting heart rate, lag-1', low: 0.5, high: 0.95, source: '.87 (LifeSnaps 2021)', measure: (all) => medianLagOne(all, resting) },
  { name: 'HRV, change by year of age in %', low: -2.4, high: -0.8, source: `declines (104,431 ring users, 2020); by how much is ${assumed}`, measure: (all) => 100 * slope(hrvByAge(all)) },
  { name: 'HRV, log sd between people', low: 0.25, high: 0.6, source: '.41 (LifeSnaps 2021)', measure: (all) => deviation(hrvByAge(all).map(([, log]) => log)) },
  { name: 'HRV, lag-1', low: 0.1, high: 0.5, source: '.28 (LifeSnaps 2021)', measure: (all) => medianLagOne(all, variability) },
  { name: 'sleep, mean hours', low: 6.4, high: 7.4, source: '6.7 (LifeSnaps 2021); 7.3 (Fitness Tracker Data 2016); 6.4 in men, 6.8 in women (Fitbit 2018)', measure: (all) => mean(each(all, hours, mean)) },
  { name: 'sleep, sd between people', low: 0.5, high: 1.1, source: '.74 (LifeSnaps 2021); .88 (Fitness Tracker Data 2016)', measure: (all) => deviation(each(all, hours, mean)) },
  { name: 'sleep, sd within a person', low: 0.7, high: 1.4, source: '1.25 (LifeSnaps 2021); 1.13 (Fitness Tracker Data 2016)', measure: (all) => median(each(all, hours, deviation)) },
  { name: 'sleep < 6 h, share of nights', low: 0.12, high: 0.33, source: '30 % (LifeSnaps 2021); 20 % (Fitness Tracker Data 2016)', measure: (all) => share(everyDay(all, hours), (value) => value < 6) },
  { name: 'sleep, lag-1', low: -0.15, high: 0.2, source: '0 (LifeSnaps 2021); −.02 (Fitness Tracker Data 2016)', measure: (all) => medianLagOne(all, hours) },
  { name: 'sleep efficiency, mean %', low: 83, high: 92, source: '87.5 (LifeSnaps 2021); 92 (Fitness Tracker Data 2016)', measure: (all) => mean(all.map(meanEfficiency).filter(Number.isFinite)) },
  { name: 'sleep efficiency, sd between people', low: 1.2, high: 4.5, source: '1.5 (LifeSnaps 2021)', measure: (all) => deviation(all.map(meanEfficiency).filter(Number.isFinite)) },
  { name: 'missed nights, share', low: 0.05, high: 0.3, source: '24 % (LifeSnaps 2021)', measure: (all) => 1 - mean(all.map((wearer) => known(hours(wearer)).length / wearer.days)) },
  { name: 'naps a week', low: 0.05, high: 2, source: 'at most .8, with nights in two parts (Fitness Tracker Data 2016)', measure: (all) => mean(all.map(({ naps, days: count }) => (7 * naps.length) / count)) },
  { name: 'social jetlag, mean hours', low: 0.4, high: 1.3, source: assumed, measure: (all) => mean(all.map(jetlagOf).filter(Number.isFinite)) },
  { name: 'social jetlag, sd between people', low: 0.3, high: 1, source: assumed, measure: (all) => deviation(all.map(jetlagOf).filter(Number.isFinite)) },
  { name: 'steps, mean', low: 5500, high: 9000, source: '8,700 (LifeSnaps 2021); 8,500 (Fitness Tracker Data 2016); 6,540 (NHANES 2005–06)', measure: (all) => mean(each(all, steps, mean)) },
  { name: 'steps, log sd between people', low: 0.32, high: 0.6, source: '.36 (LifeSnaps 2021); .41 (Fitness Tracker Data 2016); quartile medians 3,553–10,901 (Paluch 2022)', measure: (all) => deviation(each(all, logs(steps), mean)) },
  { name: 'steps, log sd within a person', low: 0.35, high: 0.85, source: '.60 (LifeSnaps 2021); .46 (Fitness Tracker Data 2016)', measure: (all) => median(each(all, logs(steps), deviation)) },
  { name: 'steps < 3,000, share of days', low: 0.07, high: 0.25, source: '14 % (LifeSnaps 2021); 9 % (Fitness Tracker Data 2016)', measure: (all) => share(everyDay(all, steps), (value) => value < 3000) },
  { name: 'steps > 15,000, share of days', low: 0.02, high: 0.1, source: '11 % (LifeSnaps 2021); 8 % (Fitness Tracker Data 2016)', measure: (all) => share(everyDay(all, steps), (value) => value > 15_000) },
  { name: 'steps, lag-1', low: 0, high: 0.35, source: '.13 (LifeSnaps 2021); .15 (Fitness Tracker Data 2016)', measure: (all) => medianLagOne(all, steps) },
  { name: 'minutes of low intensity a day, mean', low: 130, high: 280, source: '210 (Fitness Tracker Data 2016)', measure: (all) => mean(each(all, minutesOf('low'), mean)) },
  { name: 'minutes of medium intensity a day, mean', low: 7, high: 30, source: '15 (Fitness Tracker Data 2016)', measure: (all) => mean(each(all, minutesOf('medium'), mean)) },
  { name: 'minutes of high intensity a day, mean', low: 7, high: 30, source: '23 (Fitness Tracker Data 2016)', measure: (all) => mean(each(all, minutesOf('high'), mean)) },
  { name: 'days with steps, share', low: 0.7, high: 0.97, source: '87 % (LifeSnaps 2021)', measure: (all) => mean(all.map((wearer) => known(steps(wearer)).length / wearer.days)) },
  { name: 'rho resting heart rate ~ steps, between people', low: -0.6, high: -0.05, source: `active people have a lower one (${assumed})`, measure: (all) => rho(all.flatMap((wearer): Pair[] => pairOf(mean(known(resting(wearer))), mean(known(steps(wearer)))))) },
]

const meanEfficiency = ({ nights }: Wearer) => mean(nights.flatMap(({ efficiency }) => efficiency ?? []))

const pairOf = (x: number, y: number): Pair[] => (Number.isFinite(x) && Number.isFinite(y) ? [[x, y]] : [])

const YEAR = 365

const collectYear = (size: Size): Promise<Wearer[]> =>
  perPerson(part(size, 0.1), ['fitbit'], async (population, person) => {
    const sleep = await summaries<Night>(population, person, 'sleep', YEAR, 'fitbit')
    return { person, ...parted(sleep), activity: [], days: YEAR }
  })

const inMonths = (wearer: Wearer, months: readonly string[]) =>
  mean(
    wearer.nights
      .filter(({ calendar_date }) => months.includes(calendar_date.slice(5, 7)))
      .flatMap(({ hr_resting }) => hr_resting ?? []),
  )

/** Whether the resting heart rate swings by 10 bpm or more within some week. */
function hasSwing(wearer: Wearer): boolean {
  const series = resting(wearer)
  return series.some((_, at) => {
    const week = known(series.slice(at, at + 7))
    return week.length > 1 && Math.max(...week) - Math.min(...week) >= 10
  })
}

// biome-ignore format: a table is read by its columns.
const year: readonly Row<readonly Wearer[]>[] = [
  { name: 'resting heart rate, December − July to August', low: 0.8, high: 3.5, source: '+2.1 (published, ring users)', measure: (all) => mean(all.map((wearer) => inMonths(wearer, ['12']) - inMonths(wearer, ['07', '08'])).filter(Number.isFinite)) },
  { name: 'a week of the year with a swing of ≥ 10 bpm, share of people', low: 0.08, high: 0.6, source: `20 % (${quer})`, measure: (all) => share(all, hasSwing) },
]

interface Trained {
  readonly workouts: readonly Workout[]
  readonly streams: readonly Stream[]
  readonly days: number
}

const STREAMS = 4

const collectWorkouts = (size: Size): Promise<Trained[]> =>
  perPerson(part(size, 0.1), ['garmin'], async (population, person) => {
    const workouts = await summaries<Workout>(population, person, 'workouts', size.days, 'garmin')
    const streams: Stream[] = []
    for (const { id } of workouts.slice(0, STREAMS))
      streams.push(await population.petri.call('GET', `/v2/timeseries/workouts/${id}/stream`))
    return { workouts, streams, days: size.days }
  })

const sportsOf = ({ workouts }: Trained) => new Set(workouts.map(({ sport }) => sport.slug)).size
const aWeek = ({ workouts, days: count }: Trained) => (7 * workouts.length) / count
const startHour = ({ time_start }: Workout) => new Date(time_start).getUTCHours()
const allWorkouts = (all: readonly Trained[]) => all.flatMap(({ workouts }) => workouts)
const allStreams = (all: readonly Trained[]) => all.flatMap(({ streams }) => streams)
const ride = /cycling|biking|ride/

/** How far the route is from the circle that fits it best, as a share of the radius. */
function distanceFromCircle({ lat, lng }: Stream): number[] {
  const places = placesOf(lat, lng)
  if (places.length < 20) return []
  const [middleX, middleY] = [mean(places.map(([x]) => x)), mean(places.map(([, y]) => y))]
  const centred = places.map(([x, y]): Pair => [x - middleX, y - middleY])
  const mean2 = (of: (x: number, y: number) => number) => mean(centred.map(([x, y]) => of(x, y)))
  const [xx, yy, xy] = [mean2((x) => x * x), mean2((_, y) => y * y), mean2((x, y) => x * y)]
  const [byX, byY] = [mean2((x, y) => x * (x * x + y * y)) / 2, mean2((x, y) => y * (x * x + y * y)) / 2]
  const determinant = xx * yy - xy * xy
  if (determinant === 0) return []
  const [centreX, centreY] = [(byX * yy - byY * xy) / determinant, (byY * xx - byX * xy) / determinant]
  const radii = centred.map(([x, y]) => Math.hypot(x - centreX, y - centreY))
  return [deviation(radii) / mean(radii)]
}

const METRES_PER_DEGREE = 111_320

/** Positions in metres, east and north of the first one. */
function placesOf(lat: Stream['lat'], lng: Stream['lng']): Pair[] {
  const [north, east] = [lat?.[0] ?? 0, lng?.[0] ?? 0]
  const narrowing = Math.cos((north * Math.PI) / 180)
  return (lat ?? []).flatMap((latitude, at): Pair[] => {
    const longitude = lng?.[at] ?? null
    if (latitude === null || longitude === null) return []
    return [[(longitude - east) * METRES_PER_DEGREE * narrowing, (latitude - north) * METRES_PER_DEGREE]]
  })
}

/** The reported speed and that of the positions. */
function speedsAgree({ lat, lng, velocity_smooth }: Stream): number[] {
  const places = placesOf(lat, lng)
  if (velocity_smooth === null || places.length !== velocity_smooth.length || places.length < 20) return []
  const both = places.slice(1).flatMap(([x, y], at): Pair[] => {
    const [fromX, fromY] = places[at] ?? [x, y]
    const reported = velocity_smooth[at + 1]
    return typeof reported === 'number' ? [[reported, Math.hypot(x - fromX, y - fromY)]] : []
  })
  const value = correlation(both)
  return Number.isFinite(value) ? [value] : []
}

/** How much more beats a metre takes in the last third than in the middle one, in %. */
function driftOf({ heartrate, velocity_smooth }: Stream): number[] {
  const ratios = (heartrate ?? []).flatMap((bpm, at) => {
    const speed = velocity_smooth?.[at]
    return bpm !== null && speed ? [bpm / speed] : []
  })
  if (ratios.length < 60) return []
  const third = Math.floor(ratios.length / 3)
  return [100 * (median(ratios.slice(2 * third)) / median(ratios.slice(third, 2 * third)) - 1)]
}

// biome-ignore format: a table is read by its columns.
const workouts: readonly Row<readonly Trained[]>[] = [
  { name: 'workouts a week, mean', low: 1, high: 4.5, source: assumed, measure: (all) => mean(all.map(aWeek)) },
  { name: 'workouts a week, sd between people', low: 0.8, high: 3, source: assumed, measure: (all) => deviation(all.map(aWeek)) },
  { name: 'sports of a person, median', low: 1, high: 3, source: assumed, measure: (all) => median(all.filter(({ workouts: some }) => some.length > 0).map(sportsOf)) },
  { name: 'largest share of one elevation gain', high: 0.15, source: 'outdoor routes differ', measure: (all) => shareOfMostFrequent(allWorkouts(all).flatMap(({ total_elevation_gain: gain }) => gain || [])) },
  { name: 'rides, mean speed in m/s', low: 4.5, high: 7.5, source: assumed, measure: (all) => mean(allWorkouts(all).flatMap(({ sport, average_speed }) => (ride.test(sport.slug) ? (average_speed ?? []) : []))) },
  { name: 'rides, sd of speed in m/s', low: 0.4, high: 2, source: assumed, measure: (all) => deviation(allWorkouts(all).flatMap(({ sport, average_speed }) => (ride.test(sport.slug) ? (average_speed ?? []) : []))) },
  { name: 'hours of the day with ≥ 1 % of all starts', low: 8, source: 'people train at hours of their own', measure: (all) => hoursOf(allWorkouts(all).map(startHour)) },
  { name: 'routes, median distance from the best circle by its radius', low: 0.08, source: '0 is a circle', measure: (all) => median(allStreams(all).flatMap(distanceFromCircle)) },
  { name: 'routes, median correlation of the speed with that of the positions', low: 0.5, source: 'the same movement', measure: (all) => median(allStreams(all).flatMap(speedsAgree)) },
  { name: 'cardiac drift, median % of beats a metre', low: 0.5, high: 10, source: `a few % in long workouts (${assumed})`, measure: (all) => median(allStreams(all).flatMap(driftOf)) },
]

function hoursOf(starts: readonly number[]): number {
  return Array.from({ length: 24 }, (_, hour) => share(starts, (start) => start === hour)).filter(
    (part) => part >= 0.01,
  ).length
}

interface Measured {
  readonly bmi: number
  readonly systolic: readonly number[]
  readonly diastolic: readonly number[]
  readonly hours: readonly number[]
}

const collectBodies = (size: Size): Promise<Measured[]> =>
  perPerson(size.people, ['withings', 'fitbit'], async (population, person) => {
    const body = await summaries<Body>(population, person, 'body', 30, 'withings')
    const profile = await population.petri.call<{ height: number }>(
      'GET',
      `/v2/summary/profile/${person.userId}?provider=fitbit`,
    )
    const pressures = await samples(population, person, 'blood_pressure', 30)
    return {
      bmi: mean(body.flatMap(({ weight }) => weight ?? [])) / (profile.height / 100) ** 2,
      systolic: pressures.map(({ systolic }) => systolic),
      diastolic: pressures.map(({ diastolic }) => diastolic),
      hours: pressures.map(({ timestamp }) => new Date(timestamp).getUTCHours()),
    }
  })

const bmis = (all: readonly Measured[]) => all.map(({ bmi }) => bmi).filter(Number.isFinite)
const systolics = (all: readonly Measured[]) =>
  all.map(({ systolic }) => mean(systolic)).filter(Number.isFinite)
const diastolics = (all: readonly Measured[]) =>
  all.map(({ diastolic }) => mean(diastolic)).filter(Number.isFinite)

// biome-ignore format: a table is read by its columns.
const bodies: readonly Row<readonly Measured[]>[] = [
  { name: 'BMI, mean', low: 27, high: 31.5, source: `29.8 (${nhanes})`, measure: (all) => mean(bmis(all)) },
  { name: 'BMI, sd', low: 5, high: 8, source: `7.3 (${nhanes})`, measure: (all) => deviation(bmis(all)) },
  { name: 'BMI ≥ 30, share', low: 0.3, high: 0.48, source: `42.7 % (${nhanes}); 40.3 % (NHANES 2021–23)`, measure: (all) => share(bmis(all), (bmi) => bmi >= 30) },
  { name: 'systolic pressure, mean mmHg', low: 117, high: 129, source: `124 (${nhanes}); 122 (NHANES 2001–08)`, measure: (all) => mean(systolics(all)) },
  { name: 'systolic pressure, sd between people', low: 10, high: 18, source: `18 (${nhanes})`, measure: (all) => deviation(systolics(all)) },
  { name: 'diastolic pressure, mean mmHg', low: 70, high: 78, source: `73 (${nhanes}); 71 (NHANES 2001–08)`, measure: (all) => mean(diastolics(all)) },
  { name: 'pressure ≥ 130/80, share of people', low: 0.33, high: 0.55, source: `39.7 % (${nhanes}); 45.5 % with those on medicine (NHANES 2011–14)`, measure: (all) => share(all.filter(({ systolic }) => systolic.length > 0), ({ systolic, diastolic }) => mean(systolic) >= 130 || mean(diastolic) >= 80) },
  { name: 'pressure, hours of the day with ≥ 1 % of readings', low: 6, source: 'not at two hours only', measure: (all) => hoursOf(all.flatMap(({ hours: some }) => some)) },
]

/** mg/dL for a mmol/L of glucose. */
export const MG_PER_MMOL = 18.016
const SENSOR_DAYS = 14

/** The readings of each person without diabetes, in mg/dL. */
const collectGlucose = (size: Size): Promise<number[][]> =>
  perPerson(part(size, 0.15), ['freestyle_libre'], async (population, person) => {
    const readings = await samples(population, person, 'glucose', SENSOR_DAYS)
    return readings.map(({ value }) => value * MG_PER_MMOL)
  })

const shah = 'Shah 2019, people without diabetes'
/** Means of people with diabetes are above this. */
const DIABETES_MEAN = 120
const healthy = (all: readonly number[][]) => all.filter((readings) => mean(readings) < DIABETES_MEAN)
const variation = (readings: readonly number[]) => (100 * deviation(readings)) / mean(readings)

// biome-ignore format: a table is read by its columns.
const glucose: readonly Row<readonly number[][]>[] = [
  { name: 'glucose sensor, mean mg/dL', low: 92, high: 106, source: `98–99 (${shah})`, measure: (all) => mean(healthy(all).map(mean)) },
  { name: 'glucose sensor, mean CV in %', low: 14, high: 20, source: `17 (${shah})`, measure: (all) => mean(healthy(all).map(variation)) },
  { name: 'glucose sensor, sd of CV between people', low: 1.2, high: 4.5, source: `3 (${shah})`, measure: (all) => deviation(healthy(all).map(variation)) },
  { name: 'glucose sensor, share 70–140', low: 0.92, high: 0.985, source: `96 % (${shah})`, measure: (all) => share(healthy(all).flat(), (value) => value >= 70 && value <= 140) },
  { name: 'glucose sensor, share < 70', low: 0.003, high: 0.03, source: `1.1 % (${shah})`, measure: (all) => share(healthy(all).flat(), (value) => value < 70) },
]

interface Cycle {
  readonly period_start: string
  readonly is_predicted: boolean
}

interface Cyclist {
  readonly person: Known
  /** Days. */
  readonly lengths: readonly number[]
  readonly starts: readonly string[]
  readonly nights: readonly Night[]
}

const mayHaveCycles = ({ sex, age }: Pick<Known, 'sex' | 'age'>) => sex === 'female' && age <= 50

const collectCycles = (size: Size): Promise<Cyclist[]> =>
  perPerson(part(size, 0.2), ['apple_health_kit', 'fitbit'], async (population, person) => {
    const found = await summaries<Cycle>(population, person, 'menstrual_cycle', YEAR, 'apple_health_kit')
    const starts = [
      ...new Set(found.filter((cycle) => !cycle.is_predicted).map((cycle) => cycle.period_start)),
    ].sort()
    const lengths = starts
      .slice(1)
      .map((start, at) => (Date.parse(start) - Date.parse(starts[at] ?? start)) / DAY_MS)
    const sleep = mayHaveCycles(person)
      ? await summaries<Night>(population, person, 'sleep', 120, 'fitbit')
      : []
    return { person, starts, lengths, ...parted(sleep) }
  })

/** Resting heart rate of days 17 to 26 less that of days 4 to 12. */
function lutealRise({ starts, nights }: Cyclist): number[] {
  const beats = (from: number, to: number) =>
    nights.flatMap(({ calendar_date, hr_resting }) => {
      const start = starts.findLast((date) => date <= calendar_date)
      const day = start === undefined ? -1 : (Date.parse(calendar_date) - Date.parse(start)) / DAY_MS + 1
      return day >= from && day <= to ? (hr_resting ?? []) : []
    })
  const rise = mean(beats(17, 26)) - mean(beats(4, 12))
  return Number.isFinite(rise) ? [rise] : []
}

// biome-ignore format: a table is read by its columns.
const cycles: readonly Row<readonly Cyclist[]>[] = [
  { name: 'cycle, mean days', low: 27.5, high: 31, source: '29.3 (Bull 2019)', measure: (all) => mean(all.flatMap(({ lengths }) => lengths)) },
  { name: 'cycle, sd within a person', low: 1.7, high: 4.2, source: `3.95 of all cycles (1968); the rest is ${assumed}`, measure: (all) => median(all.flatMap(({ lengths }) => (lengths.length > 3 ? [deviation(lengths)] : []))) },
  { name: 'resting heart rate, second − first half of the cycle', low: 0.7, high: 4, source: '+1.8 to +3.8 in sleep (Shilaih 2017)', measure: (all) => mean(all.flatMap(lutealRise)) },
  { name: 'men with cycles', high: 0, source: 'cannot be', measure: (all) => all.filter(({ person, starts }) => person.sex === 'male' && starts.length > 0).length },
  { name: 'women over 60 with cycles', high: 0, source: 'cannot be', measure: (all) => all.filter(({ person, starts }) => person.sex === 'female' && person.age > 60 && starts.length > 0).length },
  { name: 'women 20–40 with cycles, share', low: 0.6, source: assumed, measure: (all) => share(all.filter(({ person }) => person.sex === 'female' && person.age <= 40), ({ starts }) => starts.length > 0) },
]

interface Twice {
  readonly watch: readonly Night[]
  readonly ring: readonly Night[]
  readonly ringFat: number
}

const collectTwoDevices = (size: Size): Promise<Twice[]> =>
  perPerson(part(size, 0.1), ['fitbit', 'oura'], async (population, person) => {
    const days = Math.min(size.days, 60)
    const watch = parted(await summaries<Night>(population, person, 'sleep', days, 'fitbit')).nights
    const ring = parted(await summaries<Night>(population, person, 'sleep', days, 'oura')).nights
    const body = await summaries<Body>(population, person, 'body', days, 'oura')
    return { watch, ring, ringFat: body.filter(({ fat }) => fat !== null).length }
  })

/** Nights that both devices recorded. */
function bothOf({ watch, ring }: Twice): [watch: Night, ring: Night][] {
  const byDate = new Map(ring.map((night) => [night.calendar_date, night]))
  return watch.flatMap((night) => {
    const other = byDate.get(night.calendar_date)
    return other ? [[night, other] as [Night, Night]] : []
  })
}

const nightsOfBoth = (all: readonly Twice[]) => all.flatMap(bothOf)

const readinessOf = ({ ring }: Twice): number[] => {
  const value = rho(
    ring.flatMap(({ recovery_readiness_score: score, average_hrv: hrv }): Pair[] =>
      score === null || hrv === null ? [] : [[score, hrv]],
    ),
  )
  return Number.isFinite(value) ? [value] : []
}

// biome-ignore format: a table is read by its columns.
const twoDevices: readonly Row<readonly Twice[]>[] = [
  { name: 'two devices: nights with identical sleep and heart rate, share', high: 0.05, source: 'devices disagree', measure: (all) => share(nightsOfBoth(all), ([one, other]) => one.total === other.total && one.hr_average === other.hr_average) },
  { name: 'two devices: median difference of sleep in minutes', low: 4, high: 30, source: assumed, measure: (all) => median(nightsOfBoth(all).map(([one, other]) => Math.abs(one.total - other.total) / 60)) },
  { name: 'two devices: correlation of sleep', low: 0.7, source: 'the same night', measure: (all) => correlation(nightsOfBoth(all).map(([one, other]): Pair => [one.total, other.total])) },
  { name: 'two devices: median difference of heart rate in bpm', low: 0.1, high: 4, source: assumed, measure: (all) => median(nightsOfBoth(all).flatMap(([one, other]) => (one.hr_average === null || other.hr_average === null ? [] : [Math.abs(one.hr_average - other.hr_average)]))) },
  { name: 'rho readiness ~ HRV, median of people', low: 0.25, high: 0.95, source: 'a score follows from its inputs', measure: (all) => median(all.flatMap(readinessOf)) },
  { name: 'days with body fat from a ring', high: 0, source: 'cannot be', measure: (all) => largest(all.map(({ ringFat }) => ringFat)) },
]

/** The types of sources of glucose and pressure at Apple. */
const collectSources = (size: Size): Promise<string[]> =>
  perPerson(part(size, 0.01), ['apple_health_kit'], async (population, person) => [
    ...(await samples(population, person, 'glucose', 2)),
    ...(await samples(population, person, 'blood_pressure', 10)),
  ]).then((all) => all.flat().map(({ sourceType }) => sourceType))

const sources: readonly Row<readonly string[]>[] = [
  {
    name: 'Apple glucose and blood pressure from a watch, share',
    high: 0,
    source: 'cannot be',
    measure: (types) => share(types, (type) => type === 'watch'),
  },
]

export const wearableSections: readonly Section[] = [
  section('wearables', 'Days and nights', collectWearers, days),
  section('wearables', 'A year', collectYear, year),
  section('wearables', 'Workouts', collectWorkouts, workouts),
  section('wearables', 'Body and blood pressure', collectBodies, bodies),
  section('wearables', 'Glucose sensors', collectGlucose, glucose),
  section('wearables', 'Cycles', collectCycles, cycles),
  section('wearables', 'Two devices', collectTwoDevices, twoDevices),
  section('wearables', 'Sources', collectSources, sources),
]
