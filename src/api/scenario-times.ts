import * as z from 'zod'
import { MINUTE_MS, SECOND_MS, toIso } from '../kernel/instant.ts'
import { table } from '../storage/table.ts'
import type { World } from '../world/world.ts'

/** When the events of an order or appointment happened in scenario time, in milliseconds. Only rows that had events in a live world are here. */
export const scenarioTimes = table(
  'scenario_times',
  () => z.object({ id: z.string(), times: z.array(z.number()) }),
  ({ id }) => id,
  { owner: ['order', 'appointment'] },
)

/** A row with a list of what happened to it. */
interface Eventful {
  readonly id: string
  readonly events: readonly { readonly created_at: string }[]
}

/** Records when the last event of an order or appointment happened, if scenario time may differ from the clock. */
export function recordScenarioTime(world: World, row: Eventful): void {
  if (world.clock.frozen && !world.db.has(scenarioTimes, row.id)) return
  world.db.put(scenarioTimes, {
    id: row.id,
    times: [...timesOf(world, row).slice(0, -1), world.agenda.scenarioTime.atInstant(world.clock.now())],
  })
}

/** An event without a recorded time happened in a frozen world, where scenario time passes with the clock. */
function timesOf(world: World, { id, events }: Eventful): number[] {
  const known = world.db.find(scenarioTimes, id)?.times ?? []
  return events.map(
    ({ created_at }, at) => known[at] ?? world.agenda.scenarioTime.atInstant(Date.parse(created_at)),
  )
}

/** The same rows with events whose intervals are those of scenario time; the first event of the first row stays. */
export function inScenarioTime<Row extends Eventful>(world: World, rows: readonly Row[]): Row[] {
  const [first] = rows
  if (!first || !world.db.has(scenarioTimes, first.id)) return [...rows]
  const times = [...new Set(rows.flatMap((row) => timesOf(world, row)))].sort((a, b) => a - b)
  const instants = new Map<number, number>()
  let instant = 0
  for (const [at, time] of times.entries()) {
    instant += at === 0 ? 0 : rounded(time - (times[at - 1] ?? time), world.settings().pace)
    instants.set(time, instant)
  }
  const [begun = 0] = timesOf(world, first)
  const offset = Date.parse(first.events[0]?.created_at ?? '') - (instants.get(begun) ?? 0)
  return rows.map((row) => {
    const own = timesOf(world, row)
    const events = row.events.map((event, at) => ({
      ...event,
      created_at: toIso(offset + (instants.get(own[at] ?? 0) ?? 0)),
    }))
    return { ...row, events }
  })
}

/** To a minute if that is as exact as the clock, which counts milliseconds; otherwise to a second. */
function rounded(intervalMs: number, pace: number): number {
  const minutes = Math.round(intervalMs / MINUTE_MS) * MINUTE_MS
  if (Math.abs(intervalMs - minutes) <= pace) return minutes
  return Math.round(intervalMs / SECOND_MS) * SECOND_MS
}
