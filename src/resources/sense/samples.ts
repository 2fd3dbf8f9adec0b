import { MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { offsetSeconds } from '../../kernel/local-day.ts'
import type { World } from '../../world/world.ts'
import { feedsOf, isFloating, type Sample, type Series, samplesOf, sessionId } from '../timeseries/service.ts'
import type { Window, Zones } from './calendar.ts'
import type { Value } from './column.ts'
import type { Row } from './engine.ts'
import type { Plan } from './plan.ts'

type Feed = ReturnType<typeof feedsOf>[number]

interface Reading {
  readonly series: Series
  readonly plan: Plan
  readonly zones: Zones
  /** Bounds as instants, wide enough for every time zone. */
  readonly instants: Window
}

/** A user's samples of a series as rows, in their local times. */
export function* sampleRows(
  world: World,
  userId: string,
  { series, plan, zones, instants }: Reading,
): Generator<Row> {
  for (const feed of feedsOf(world, series, userId)) {
    const source = { provider: feed.provider, type: feed.type }
    const zone = zones(feed.provider)
    const offsetAt = zone === 'UTC' || isFloating(feed.provider) ? () => 0 : offsetsOf(zone)
    for (const sample of samplesOf(world, series, feed, { from: instants.from, until: instants.until - 1 })) {
      const offset = sample.offsetSeconds ?? offsetAt(sample.start)
      const values: Record<string, Value> = {}
      for (const name of plan.columns) {
        const subquery = plan.subqueries.get(name)
        values[name] = subquery
          ? subquery.of(sample.more?.[subquery.list])
          : cellOf(world, feed, sample, name)
      }
      yield { at: sample.start + offset * SECOND_MS, source, values }
    }
  }
}

/** Time zone changes occur on quarters of an hour. */
function offsetsOf(zone: string): (instant: number) => number {
  let [quarter, offset] = [Number.NaN, 0]
  return (instant) => {
    const current = Math.floor(instant / (15 * MINUTE_MS))
    if (current !== quarter) [quarter, offset] = [current, offsetSeconds(zone, instant)]
    return offset
  }
}

function cellOf(world: World, { provider, type, connection }: Feed, sample: Sample, field: string): Value {
  const { start, end, value, more, workout } = sample
  switch (field) {
    case 'value':
      return typeof value === 'number' ? value : null
    case 'content':
      return typeof value === 'string' ? value : null
    case 'duration':
      return (end - start) / SECOND_MS
    case 'timezone_offset':
      return sample.offsetSeconds
    case 'type':
      return sample.type
    case 'source_provider':
      return provider
    case 'source_type':
      return type
    case 'source_sport':
      return workout?.sport.slug ?? null
    case 'source_workout_id':
      return workout && connection
        ? sessionId(world.random, { kind: 'workout', ordinal: connection.ordinal, ...workout })
        : null
    default:
      return (more?.[field] as Value | undefined) ?? null
  }
}
