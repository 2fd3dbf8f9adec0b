import { byName } from '../../kernel/fields.ts'
import { SECOND_MS, toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { Item } from './making.ts'
import type { Dated } from './service.ts'
import { boundsOf } from './storing.ts'
import { storedSummaries } from './table.ts'

/** How a field of two sessions becomes that of one, weighted by length. Others are those of the longer session. */
type Fold = (first: number, second: number, share: number) => number

const sum: Fold = (first, second) => first + second
const least: Fold = (first, second) => Math.min(first, second)
const most: Fold = (first, second) => Math.max(first, second)
const mean: Fold = (first, second, share) => Math.round((first * share + second * (1 - share)) * 10) / 10
const wholeMean: Fold = (...of) => Math.round(mean(...of))

const folds = byName<Fold>({
  light: sum,
  rem: sum,
  deep: sum,
  stage_light_second: sum,
  stage_rem_second: sum,
  stage_deep_second: sum,
  distance: sum,
  calories: sum,
  steps: sum,
  moving_time: sum,
  total_elevation_gain: sum,
  hr_lowest: least,
  elev_low: least,
  elev_high: most,
  max_hr: most,
  max_speed: most,
  max_watts: most,
  hr_average: wholeMean,
  average_hr: wholeMean,
  average_hrv: mean,
  respiratory_rate: mean,
  average_speed: mean,
  average_watts: wholeMean,
})

/** A night or workout without its first and last milliseconds; amounts shrink with its length. */
export function trimmed(item: Item, startMs: number, endMs: number): Item {
  const { start, end } = boundsOf(item)
  const length = end - start
  const kept = length - startMs - endMs
  if (!(kept > 0)) throw new Problem('invalid', 'nothing would be left of it')
  const amounts = Object.entries(item).flatMap(([name, value]) =>
    folds[name] === sum && typeof value === 'number' ? [[name, Math.round((value * kept) / length)]] : [],
  )
  return withBounds({ ...item, ...Object.fromEntries(amounts) }, start + startMs, end - endMs)
}

/** Two nights or workouts as one, with the id of the first. The time between them counts as awake. */
export function merged(first: Item, second: Item): Item {
  const [a, b] = [boundsOf(first), boundsOf(second)]
  const [lengthA, lengthB] = [a.end - a.start, b.end - b.start]
  const item: Record<string, unknown> = { ...(lengthA < lengthB ? second : first), id: first.id }
  for (const [name, fold] of Object.entries(folds)) {
    const [one, other] = [first[name], second[name]]
    if (typeof one === 'number' && typeof other === 'number')
      item[name] = fold(one, other, lengthA / (lengthA + lengthB))
  }
  return withBounds(item, Math.min(a.start, b.start), Math.max(a.end, b.end))
}

/** A session with another start and end, in milliseconds since 1970; a night has the sums of its stages. */
function withBounds(item: Item, start: number, end: number): Item {
  if (!('bedtime_start' in item)) return { ...item, time_start: toWire(start), time_end: toWire(end) }
  const duration = Math.round((end - start) / SECOND_MS)
  const total = Number(item.light) + Number(item.rem) + Number(item.deep)
  const awake = duration - total
  return {
    ...item,
    bedtime_start: toWire(start),
    bedtime_stop: toWire(end),
    duration,
    total,
    awake,
    efficiency: Math.round((1000 * total) / duration) / 10,
    ...(item.stage_asleep_second !== null && { stage_asleep_second: total }),
    ...(item.stage_awake_second !== null && { stage_awake_second: awake }),
  }
}

/** Takes a summary away for good. No event says so, because the live service has none. */
export function deleteSummary(
  world: World,
  userId: string,
  resource: string,
  { date, provider, item }: Dated,
): void {
  world.db.put(storedSummaries, {
    id: String(item.id),
    user_id: userId,
    resource,
    provider,
    date,
    item: null,
  })
}
