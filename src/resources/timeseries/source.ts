import type { World } from '../../world/world.ts'
import { deviceIdOf, sourceOf } from '../providers/service.ts'
import type { Feed } from './feeds.ts'
import { sessionId } from './ids.ts'
import type { Workout } from './life/training.ts'
import type { Sample } from './sample.ts'

/** The source of a group of samples. */
export const sourceOfFeed = (
  world: World,
  { userId, provider, type, connection }: Feed,
  workout?: Workout,
) => ({
  ...sourceOf(world, provider, type),
  device_id: deviceIdOf(world, userId, provider, type),
  ...(workout && {
    sport: workout.sport.slug,
    workout_id: connection
      ? sessionId(world.random, { kind: 'workout', ordinal: connection.ordinal, ...workout })
      : null,
  }),
})

export const sourceText = (world: World, feed: Feed, workout?: Workout): string =>
  JSON.stringify(sourceOfFeed(world, feed, workout))

/** Samples grouped by the workout they were measured in; those without one are a group as well. */
export function byWorkout(samples: readonly Sample[]): (readonly Sample[])[] {
  if (!samples.some(({ workout }) => workout)) return samples.length > 0 ? [samples] : []
  const groups = new Map<string, Sample[]>()
  for (const sample of samples) {
    const key = sample.workout ? `${sample.workout.date}/${sample.workout.index}` : ''
    const group = groups.get(key)
    if (group) group.push(sample)
    else groups.set(key, [sample])
  }
  return [...groups.values()]
}
