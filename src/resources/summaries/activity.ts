import type { Parsed } from '../../contract/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { localDay, offsetSeconds } from '../../kernel/local-day.ts'
import type { World } from '../../world/world.ts'
import type { Connection } from '../connections/table.ts'
import { getProvider, sourceOf } from '../providers/service.ts'
import { sumOfSeries } from '../timeseries/service.ts'
import type { Activity } from './schema.ts'

type ActivityOfDay = Omit<Parsed<typeof Activity>, 'created_at' | 'updated_at'>

/** The sums of a local day's series as far as the day has come; undefined when there is nothing of it yet. */
export function activityOfDay(world: World, connection: Connection, date: string): ActivityOfDay | undefined {
  const { user_id, provider, time_zone } = connection
  const { start, end } = localDay(time_zone, date)
  const sum = (slug: string) => sumOfSeries(world, slug, connection, { from: start, until: end })
  const [steps, distance] = [sum('steps'), sum('distance')]
  const [active, basal] = [sum('calories_active'), sum('calories_basal')]
  if (basal === 0) return undefined
  const [type] = getProvider(provider).source_types
  return {
    id: world.random.uuid(`activity/${user_id}/${provider}/${type}/${date}`),
    user_id,
    date: `${date}T00:00:00+00:00`,
    calendar_date: date,
    calories_total: hundredths(active + basal),
    calories_active: hundredths(active),
    steps,
    daily_movement: hundredths(distance),
    distance: hundredths(distance),
    low: Math.round(steps / STEPS_PER_MINUTE.low),
    medium: Math.round(steps / STEPS_PER_MINUTE.medium),
    high: Math.round(steps / STEPS_PER_MINUTE.high),
    source: sourceOf(world, provider, type),
    floors_climbed: null,
    time_zone,
    timezone_offset: offsetSeconds(time_zone, start),
    heart_rate: null,
    wheelchair_use: null,
    wheelchair_push: null,
  }
}

/** How many of a day's steps stand for a minute of each intensity, so that minutes fall into the usual ranges. */
const STEPS_PER_MINUTE = { low: 45, medium: 250, high: 600 } as const

const hundredths = (value: number) => Math.round(value * 100) / 100

/** An activity with the instants it was first and last told of. */
export const stamped = (
  activity: ActivityOfDay,
  createdAt: string,
  updatedAt: number,
): Parsed<typeof Activity> => ({ ...activity, created_at: createdAt, updated_at: toWire(updatedAt) })
