import { localDay } from '../../kernel/local-day.ts'
import type { World } from '../../world/world.ts'
import { type Connection, collectedSpans, type Span } from '../connections/table.ts'
import { users } from '../users/table.ts'

/** What of a time is covered by what a connection collected and its user lets in; oldest first, without overlap. */
export function readableSpans(world: World, connection: Connection, { from, until }: Span): Span[] {
  const { first, last } = ingestionBounds(world, connection)
  return merged(collectedSpans(world, connection))
    .map((span) => ({
      from: Math.max(span.from, from, first),
      until: Math.min(span.until, until, last),
    }))
    .filter((span) => span.from < span.until)
}

function ingestionBounds(world: World, { user_id, time_zone }: Connection) {
  const { ingestion_start = null, ingestion_end = null } = world.db.find(users, user_id) ?? {}
  return {
    first: ingestion_start === null ? Number.NEGATIVE_INFINITY : localDay(time_zone, ingestion_start).start,
    last: ingestion_end === null ? Number.POSITIVE_INFINITY : localDay(time_zone, ingestion_end).end,
  }
}

function merged(spans: readonly Span[]): Span[] {
  const whole: Span[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const before = whole.at(-1)
    if (!before || before.until < span.from) whole.push(span)
    else whole[whole.length - 1] = { from: before.from, until: Math.max(before.until, span.until) }
  }
  return whole
}
