import type { LocalPetri } from '../../src/index.ts'
import { DAY_MS } from '../../src/kernel/instant.ts'
import {
  ARRIVAL,
  connectAll,
  dateBefore,
  type Known,
  type Population,
  type Size,
  withPeople,
} from './people.ts'
import { type Row, type Section, section } from './section.ts'
import { deviation, mean, share } from './statistics.ts'

export interface Night {
  readonly calendar_date: string
  readonly type: string
  /** Seconds. */
  readonly total: number
  readonly duration: number
  readonly deep: number | null
  readonly light: number | null
  readonly rem: number | null
  readonly hr_lowest: number | null
  readonly hr_average: number | null
  readonly hr_resting: number | null
  readonly average_hrv: number | null
}

interface Activity {
  readonly steps: number | null
}

/** A person's summaries of whole days, by one device. */
async function summaries<Item>(
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
  readonly value: number
  readonly systolic: number
}

type Groups = Readonly<Record<string, readonly { readonly data: readonly Sample[] }[]>>

const until = (days: number) => `start_date=${dateBefore(days)}&end_date=${dateBefore(0)}`

/** The samples of a person between dates. */
export async function samples(petri: LocalPetri, { userId }: Known, series: string, dates: string) {
  const path = `/v2/timeseries/${userId}/${series}/grouped?${dates}`
  const { groups } = await petri.call<{ groups: Groups }>('GET', path)
  return Object.values(groups).flatMap((sources) => sources.flatMap(({ data }) => data))
}

/** Runs once for each person of a world in which all wear these devices. */
const perPerson = <Result>(
  count: number,
  providers: readonly string[],
  collect: (population: Population, person: Known) => Promise<Result>,
): Promise<Result[]> =>
  withPeople(Math.max(2, Math.round(count)), 0, async (population) => {
    for (const provider of providers) await connectAll(population, provider)
    await population.petri.clock.advance(ARRIVAL)
    const results: Result[] = []
    for (const person of population.people) results.push(await collect(population, person))
    return results
  })

interface Wearer {
  readonly person: Known
  readonly nights: readonly Night[]
  readonly steps: readonly number[]
}

const longNights = (sleep: readonly Night[]) => sleep.filter(({ type }) => type === 'long_sleep')

const collectWearers = ({ people, days }: Size): Promise<Wearer[]> =>
  perPerson(people, ['fitbit'], async (population, person) => {
    const activity = await summaries<Activity>(population, person, 'activity', days, 'fitbit')
    return {
      person,
      nights: longNights(await summaries<Night>(population, person, 'sleep', days, 'fitbit')),
      // On days without a step the device was not worn.
      steps: activity.flatMap(({ steps }) => steps || []),
    }
  })

const heartOf = ({ nights }: Wearer) => mean(nights.flatMap(({ hr_resting }) => hr_resting ?? []))
const hoursOf = ({ nights }: Wearer) => nights.map(({ total }) => total / 3600)
const hearts = (all: readonly Wearer[]) => all.map(heartOf).filter(Number.isFinite)
const ofSex = (all: readonly Wearer[], sex: Known['sex']) => all.filter(({ person }) => person.sex === sex)
const quer = 'Quer 2020, n = 92,457'

// biome-ignore format: a table is read by its columns.
const days: readonly Row<readonly Wearer[]>[] = [
  { name: 'resting heart rate, mean bpm', low: 61, high: 69, source: `65 (${quer})`, measure: (all) => mean(hearts(all)) },
  { name: 'resting heart rate, sd between people', low: 6, high: 10, source: '6.8 (LifeSnaps 2021)', measure: (all) => deviation(hearts(all)) },
  { name: 'resting heart rate, women − men', low: 1, high: 5.5, source: `+2 to +5 (${quer})`, measure: (all) => mean(hearts(ofSex(all, 'female'))) - mean(hearts(ofSex(all, 'male'))) },
  { name: 'sleep, mean hours', low: 6.4, high: 7.4, source: '6.7 (LifeSnaps 2021); 7.3 (Fitness Tracker Data 2016)', measure: (all) => mean(all.flatMap(hoursOf)) },
  { name: 'steps, mean', low: 5500, high: 9000, source: '8,700 (LifeSnaps 2021); 8,500 (Fitness Tracker Data 2016)', measure: (all) => mean(all.flatMap(({ steps }) => steps)) },
]

interface Measured {
  readonly bmi: number
  readonly systolic: number
  readonly glucose: readonly number[]
}

/** mg/dL for a mmol/L of glucose. */
export const MG_PER_MMOL = 18.016

const collectBodies = ({ people }: Size): Promise<Measured[]> =>
  perPerson(people / 2, ['withings', 'fitbit', 'dexcom_v3'], async (population, person) => {
    const body = await summaries<{ weight: number | null }>(population, person, 'body', 30, 'withings')
    const path = `/v2/summary/profile/${person.userId}?provider=fitbit`
    const { height } = await population.petri.call<{ height: number }>('GET', path)
    const pressures = await samples(population.petri, person, 'blood_pressure', until(30))
    const sugars = await samples(population.petri, person, 'glucose', until(14))
    return {
      bmi: mean(body.flatMap(({ weight }) => weight ?? [])) / (height / 100) ** 2,
      systolic: mean(pressures.map(({ systolic }) => systolic)),
      glucose: sugars.map(({ value }) => value * MG_PER_MMOL),
    }
  })

/** Means of people with diabetes are above this. */
const DIABETES_MEAN = 120
const healthy = (all: readonly Measured[]) =>
  all.map(({ glucose }) => glucose).filter((readings) => mean(readings) < DIABETES_MEAN)
const bmis = (all: readonly Measured[]) => all.map(({ bmi }) => bmi).filter(Number.isFinite)
const shah = 'Shah 2019, people without diabetes'

// biome-ignore format: a table is read by its columns.
const bodies: readonly Row<readonly Measured[]>[] = [
  { name: 'BMI, mean', low: 27, high: 31.5, source: '29.8 (NHANES 2017–18)', measure: (all) => mean(bmis(all)) },
  { name: 'systolic pressure, mean mmHg', low: 117, high: 129, source: '124 (NHANES 2017–18)', measure: (all) => mean(all.map(({ systolic }) => systolic).filter(Number.isFinite)) },
  { name: 'glucose sensor, mean mg/dL', low: 92, high: 106, source: `98–99 (${shah})`, measure: (all) => mean(healthy(all).map(mean)) },
  { name: 'dexcom_v3: readings within what its sensor shows, share', low: 1, source: 'manual of the sensor: 40 to 400, beyond it LOW and HIGH', measure: (all) => share(all.flatMap(({ glucose }) => glucose), (value) => value > 38 && value < 402) },
  { name: 'glucose sensor, mean CV in %', low: 14, high: 20, source: `17 (${shah})`, measure: (all) => mean(healthy(all).map((readings) => (100 * deviation(readings)) / mean(readings))) },
]

interface Cyclist {
  readonly person: Known
  /** Days. */
  readonly lengths: readonly number[]
}

const collectCycles = ({ people }: Size): Promise<Cyclist[]> =>
  perPerson(people / 4, ['apple_health_kit'], async (population, person) => {
    const found = await summaries<{ period_start: string; is_predicted: boolean }>(
      population,
      person,
      'menstrual_cycle',
      365,
      'apple_health_kit',
    )
    const starts = [
      ...new Set(found.flatMap((each) => (each.is_predicted ? [] : [Date.parse(each.period_start)]))),
    ]
    starts.sort((a, b) => a - b)
    return { person, lengths: starts.slice(1).map((start, at) => (start - (starts[at] ?? start)) / DAY_MS) }
  })

// biome-ignore format: a table is read by its columns.
const cycles: readonly Row<readonly Cyclist[]>[] = [
  { name: 'cycle, mean days', low: 27.5, high: 31, source: '29.3 (Bull 2019)', measure: (all) => mean(all.flatMap(({ lengths }) => lengths)) },
  { name: 'men, and women over 60, with cycles', high: 0, source: 'cannot be', measure: (all) => all.filter(({ person: { sex, age }, lengths }) => (sex === 'male' || age > 60) && lengths.length > 0).length },
]

// biome-ignore format: a list that is read by lines.
const recorders = [
  'fitbit', 'oura', 'garmin', 'whoop_v2', 'withings', 'polar', 'ultrahuman', 'google_health', 'google_fit',
  'apple_health_kit', 'strava', 'wahoo',
] as const

/** Whether each night and workout adds up, by provider. */
const collectDevices = ({ people, days: asked }: Size): Promise<Map<string, boolean[]>[]> =>
  perPerson(people / 20, recorders, async (population, person) => {
    const found = new Map<string, boolean[]>()
    for (const provider of recorders) {
      const nights = await summaries<Night>(population, person, 'sleep', Math.min(asked, 60), provider)
      const workouts = await summaries<Exercise>(
        population,
        person,
        'workouts',
        Math.min(asked, 60),
        provider,
      )
      found.set(provider, [...nights.map(addsUp), ...workouts.map(isPossible)])
    }
    return found
  })

const addsUp = ({ total, duration, deep, light, rem }: Night): boolean =>
  total <= duration && (deep === null || Math.abs((deep ?? 0) + (light ?? 0) + (rem ?? 0) - total) <= 60)

interface Exercise {
  readonly time_start: string
  readonly time_end: string
  readonly average_hr: number | null
  readonly max_hr: number | null
  readonly hr_zones: readonly number[] | null
}

const isPossible = ({ time_start, time_end, average_hr, max_hr, hr_zones }: Exercise): boolean => {
  const seconds = (Date.parse(time_end) - Date.parse(time_start)) / 1000
  const zoned = (hr_zones ?? []).reduce((sum, zone) => sum + zone, 0)
  return (average_hr ?? 0) <= (max_hr ?? 0) && zoned <= seconds + 1
}

const devices = recorders.map(
  (provider): Row<readonly ReadonlyMap<string, readonly boolean[]>[]> => ({
    name: `${provider}: nights and workouts that add up, share`,
    low: 1,
    source: 'an identity, except for rounding',
    measure: (all) =>
      share(
        all.flatMap((found) => found.get(provider) ?? []),
        Boolean,
      ),
  }),
)

export const wearableSections: readonly Section[] = [
  section('wearables', 'Days and nights', collectWearers, days),
  section('wearables', 'Body, blood pressure and glucose', collectBodies, bodies),
  section('wearables', 'Cycles', collectCycles, cycles),
  section('wearables', 'Devices', collectDevices, devices),
]
