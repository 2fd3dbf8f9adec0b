import type { World } from '../../world/world.ts'
import type { Connection, Span } from '../connections/table.ts'
import { getSeries, resourceOf, seriesTable } from './catalogue.ts'
import { connectionSamples } from './feeds.ts'
import type { Sample } from './sample.ts'

/** The verbs of timeseries, and the model of a day they share with the summaries. */

export { eventsOfSamples } from './announce.ts'
export { findSeries, getSeries, type Series } from './catalogue.ts'
export { collectedWithin, hiddenSpans, readableSpans } from './collected.ts'
export { connectionSamples, dateOf, dayOfConnection, feedsOf, samplesOf } from './feeds.ts'
export { readSessionId, sessionId } from './ids.ts'
export { breathing, heartRate, heartRateVariability } from './life/curves.ts'
export { daysIntoCycle, daysLater } from './life/cycle.ts'
export { type Day, restingBeats } from './life/day.ts'
export { recordingOf } from './life/electrocardiogram.ts'
export type { Meal } from './life/food.ts'
export { nutritionOf } from './life/food.ts'
export { type Sleep, STAGES, secondsInStages } from './life/night.ts'
export { round } from './life/noise.ts'
export { highestHeart, personOf } from './life/person.ts'
export type { Workout } from './life/training.ts'
export { metresOf } from './moments.ts'
export { listSeries, readSeries } from './read.ts'
export { isFloating, type Sample } from './sample.ts'
export { storeSamples } from './store.ts'
export { dropStored } from './stored.ts'
export { sampleWriter } from './write.ts'

/** The names of all series in events. */
export const seriesResources: readonly string[] = seriesTable.flatMap((series) => resourceOf(series) ?? [])

/** A connection's samples of a series that begin in a window (its end excluded), as of `asOf`. */
export const samplesWithin = (
  world: World,
  slug: string,
  connection: Connection,
  { from, until }: Span,
  asOf?: number,
): Sample[] => [...connectionSamples(world, getSeries(slug), connection, { from, until: until - 1 }, asOf)]

/** The sum of a series over the available part of a window. */
export function sumOfSeries(
  world: World,
  slug: string,
  connection: Connection,
  span: Span,
  asOf?: number,
): number {
  let sum = 0
  for (const { value } of samplesWithin(world, slug, connection, span, asOf)) sum += Number(value)
  return sum
}
