import { MINUTE_MS, SECOND_MS, type TimeRange } from '../kernel/instant.ts'
import { kept } from '../kernel/kept.ts'
import { compact } from '../kernel/list.ts'
import { nextDate } from '../kernel/local-day.ts'
import { dayNumber } from './dates.ts'
import type { DayClock } from './day-clock.ts'
import type { Amount } from './minutes.ts'
import { nightOf, type Sleep, STAGES, type Stage, type StageSpan } from './night.ts'
import { between, type Noise, noiseOf } from './noise.ts'
import type { Person } from './person.ts'
import type { Workout } from './workouts.ts'

/** A device of a person, by its provider; without one for what truly happened. */
export type Device = string | undefined

const noiseOfDevice = ({ random, drawKey }: Person, device: Device, purpose: string): Noise =>
  noiseOf(random, `device/${device}/${drawKey}/${purpose}`)

/** What a device takes a stage for instead, and how often. */
const confused: Readonly<Record<Stage, readonly [stage: Stage, chance: number]>> = {
  [STAGES.deep]: [STAGES.light, 0.07],
  [STAGES.light]: [STAGES.rem, 0.06],
  [STAGES.rem]: [STAGES.light, 0.07],
  [STAGES.awake]: [STAGES.light, 0.12],
}

/** Minutes by which a device is late or early at most: in bed, from stage to stage, and in a workout. */
const MOST = { bed: 5, stage: 5, workout: 2 } as const

/** The naps that a device records, of at least so many minutes; none if it is null. */
export function recordedNaps(
  naps: readonly Sleep[],
  device: Device,
  least: number | null = 0,
): readonly Sleep[] {
  const isRecorded = ({ start, end }: Sleep) => least !== null && end - start >= least * MINUTE_MS
  return device === undefined ? naps : naps.filter(isRecorded).map((nap) => recordedNight(nap, device))
}

/** A night or a nap as a device records it. By how much two of them disagree is assumed. */
export const recordedNight = kept(8, (night: Sleep, device: Device): Sleep => {
  if (device === undefined) return night
  const noise = noiseOfDevice(night.person, device, `${night.kind}/${night.date}`)
  const start = night.start + late(noise(0), MOST.bed)
  const end = night.end + late(noise(1), MOST.bed)
  const stages: StageSpan[] = []
  let from = start
  for (const [at, { start: begins, end: until, stage }] of night.stages.entries()) {
    const isLast = at === night.stages.length - 1
    const most = Math.min(MOST.stage, (until - begins) / MINUTE_MS / 3)
    const ends = isLast ? end : Math.min(end, until + late(noise(10 + 2 * at), most))
    if (ends <= from) continue
    const [other, chance] = confused[stage]
    const seen = noise(11 + 2 * at) < chance ? other : stage
    const before = stages.at(-1)
    if (before?.stage === seen) stages[stages.length - 1] = { ...before, end: ends }
    else stages.push({ start: from, end: ends, stage: seen })
    from = ends
  }
  return { ...night, start, end, stages }
})

const late = (chance: number, most: number) => Math.round(between(chance, -most, most)) * MINUTE_MS

/** A workout as a device records it. */
export function recordedWorkout(person: Person, device: Device, workout: Workout): Workout {
  if (device === undefined) return workout
  const noise = noiseOfDevice(person, device, `workout/${workout.date}`)
  const at = (ordinal: number) => {
    const draw = 2 * workout.index + ordinal
    return late(noise(draw), MOST.workout) + Math.floor(60 * noise(draw + 100)) * SECOND_MS
  }
  return { ...workout, start: workout.start + at(0), end: workout.end + at(1) }
}

/** Amounts that all devices count alike. */
const exact: readonly Amount[] = ['standing', 'daylight']

/** The factor of a device for an amount. */
export function deviceFactor({ random, drawKey }: Person, device: Device, amount: Amount): number {
  const spread = device === undefined || exact.includes(amount) ? 0 : 0.08
  return between(random.noise(`device/${device}/${drawKey}/${amount}`), 1 - spread, 1 + spread)
}

/** Beats per minute that a device counts too many. */
export const deviceBeats = ({ random, drawKey }: Person, device: Device): number =>
  device === undefined ? 0 : between(random.noise(`device/${device}/${drawKey}/beats`), -1.6, 1.6)

/** Minutes by which a device comes off before a night, or goes on after it. */
const AROUND = 20

/** Hours after getting up at which a device comes off; before it, it is not put on at all. Assumed. */
const COMES_OFF = [-1, 6] as const

/**
 * When a device was not worn, by the day on which it came off: from then to the next morning, or for the night that
 * ended on the day. Each person has habits of their own: about 15 and 7 percent of days.
 */
export function timesNotWorn(
  person: Person,
  device: string,
  date: string,
  clockOn: (date: string) => DayClock,
): TimeRange[] {
  const noise = noiseOfDevice(person, device, 'worn')
  const day = 2 * dayNumber(date)
  const isDayOff = noise(day) < between(noise(-1), 0.02, 0.28)
  const isNightOff = noise(day + 1) < between(noise(-2), 0, 0.14)
  const around = AROUND * MINUTE_MS
  const night = nightOf(person, clockOn(date))
  const { start } = night
  // It comes off when it has recorded the night, before it counts a step.
  const { end } = recordedNight(night, device)
  const off = end + Math.max(0, Math.round(60 * between(noise(day + 1e6), ...COMES_OFF))) * MINUTE_MS
  const spans: TimeRange[] = isNightOff ? [{ from: start - around, until: end + around }] : []
  if (isDayOff) spans.push({ from: off, until: nightOf(person, clockOn(nextDate(date))).end + around })
  return spans
}

/** Minutes that a watch misses at a time; assumed. */
const MISSED = 5

/** When a watch that is worn has no heart rate on a day, so many minutes in all. */
export function timesMissed(
  { start, end }: Pick<DayClock, 'start' | 'end'>,
  noise: Noise,
  [least, most]: readonly [number, number],
): TimeRange[] {
  const count = Math.floor(between(noise(0), least, most + MISSED) / MISSED)
  const part = (end - start) / MINUTE_MS / count
  return Array.from({ length: count }, (_, nth) => {
    const from = start + Math.floor(nth * part + noise(1 + nth) * (part - MISSED)) * MINUTE_MS
    return { from, until: from + MISSED * MINUTE_MS }
  })
}

/** How often a glucose sensor loses its signal in a day, for how many minutes; 1 to 5 % of readings are lost. Assumed. */
const SIGNAL_LOSS = { chance: 0.5, minutes: [15, 100] } as const

/** When a glucose sensor gives no readings on a day: while a new one warms up, and out of reach of its receiver. */
export function sensorGaps(
  { person, date, instantAt }: DayClock & { person: Person },
  provider: string,
  { days, warm_up_minutes }: { readonly days: number; readonly warm_up_minutes: number },
): TimeRange[] {
  const noise = noiseOfDevice(person, provider, 'sensor')
  const day = dayNumber(date)
  const gap = (minute: number, minutes: number): TimeRange => {
    const from = instantAt(Math.floor(minute))
    return { from, until: from + minutes * MINUTE_MS }
  }
  const isNew = day % days === Math.floor(noise(-1) * days)
  const isLost = noise(4 * day) < SIGNAL_LOSS.chance
  return compact([
    isNew && gap(between(noise(4 * day + 3), 420, 1260), warm_up_minutes),
    isLost && gap(between(noise(4 * day + 1), 0, 1320), between(noise(4 * day + 2), ...SIGNAL_LOSS.minutes)),
  ])
}
