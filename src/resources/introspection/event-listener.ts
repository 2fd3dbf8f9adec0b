import { toWire } from '../../kernel/instant.ts'
import { payloadText } from '../../world/append-event.ts'
import type { EventHead } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { type SentRow, sent, sentId } from './table.ts'

const DATA_EVENT = /^(daily|historical)\.data\.(\w+)\.(?:created|updated)$/
const PROVIDER = /"provider":"([a-z0-9_]+)"/
/** The instant of a sample and the date of a summary in the JSON of an event. */
const SAMPLE_AT = /"timestamp":"([^"]+)"/g
const SUMMARY_AT = /"(?:time_start|bedtime_start|session_start|measured_at|date)":"([^"]+)"/
const RANGE = /"(?:start_date|end_date)":"([^"]+)"/g

/** Counts announced data, because events are not kept forever. */
export function countSent(world: World, { id, event_type, user_id, at }: EventHead): void {
  const [, kind, resource] = DATA_EVENT.exec(event_type) ?? []
  if (!resource || user_id === null) return
  const text = payloadText(world, id)
  const provider = PROVIDER.exec(text)?.[1]
  if (!provider) return
  const isBackfill = kind === 'historical'
  const moments = momentsIn(text, isBackfill)
  const before = world.db.find(sent, sentId(user_id, provider, resource))
  const known = isBackfill ? moments : [before?.oldest_data, before?.newest_data, ...moments]
  world.db.put(sent, {
    user_id,
    provider,
    resource,
    last_at: at,
    backfilled_at: isBackfill ? at : (before?.backfilled_at ?? null),
    ...bounds(known.flatMap((moment) => (moment ? [moment] : []))),
    sent_count: (before?.sent_count ?? 0) + (isBackfill ? 0 : Math.max(1, moments.length)),
  })
}

function momentsIn(text: string, isBackfill: boolean): string[] {
  if (isBackfill) return [...text.matchAll(RANGE)].map(([, moment = '']) => moment)
  const samples = [...text.matchAll(SAMPLE_AT)].map(([, moment = '']) => moment)
  if (samples.length > 0) return samples
  const [, summary] = SUMMARY_AT.exec(text) ?? []
  return summary ? [summary] : []
}

function bounds(moments: readonly string[]): Pick<SentRow, 'oldest_data' | 'newest_data'> {
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const moment of moments) {
    const instant = Date.parse(moment)
    oldest = Math.min(oldest, instant)
    newest = Math.max(newest, instant)
  }
  const isAny = Number.isFinite(oldest) && Number.isFinite(newest)
  return {
    oldest_data: isAny ? toWire(oldest) : null,
    newest_data: isAny ? toWire(newest) : null,
  }
}
