import { DAY_MS } from '../../kernel/instant.ts'
import { localDay } from '../../kernel/local-day.ts'
import type { World } from '../../world/world.ts'
import { type Connection, collectedSpans, type Span } from '../connections/table.ts'
import { NO_INGESTION_END, users } from '../users/table.ts'

/**
 * The parts of a window in which a connection collected data that the user's ingestion window includes, as of its end;
 * oldest first, without overlap. Data that the feed scenario withholds are left out.
 */
export function readableSpans(world: World, connection: Connection, span: Span, near: Span = span): Span[] {
  const spans = collectedWithin(world, connection, span)
  const window = { from: near.from - DAY_MS, until: near.until + DAY_MS }
  const hidden = hiddenSpans(world, connection, window, span.until)
  return hidden.length === 0 ? spans : spans.flatMap((one) => without(one, hidden))
}

/** The same without the effects of the feed scenario. */
export function collectedWithin(world: World, connection: Connection, { from, until }: Span): Span[] {
  const { first, last } = ingestionBounds(world, connection)
  return merged(collectedSpans(world, connection))
    .map((span) => ({
      from: Math.max(span.from, from, first),
      until: Math.min(span.until, until, last),
    }))
    .filter((span) => span.from < span.until)
}

/** The periods that a feed scenario hides, as of `asOf`. */
export function hiddenSpans(world: World, connection: Connection, within: Span, asOf: number): Span[] {
  const effects = world.parts.feedScenarios.effectsOf(world, connection)
  if (!effects) return []
  const collected = collectedWithin(world, connection, within)
  return collected.flatMap((span) => effects.hidden(span, seenFrom(world, connection, asOf)))
}

/** The end of a connection's data. */
export const seenFrom = (world: World, connection: Connection, asOf: number): number =>
  Math.min(
    asOf,
    ...collectedSpans(world, connection)
      .slice(-1)
      .map(({ until }) => until),
  )

/** A span without the parts that are hidden. */
function without(span: Span, hidden: readonly Span[]): Span[] {
  const left: Span[] = []
  let { from } = span
  for (const hole of [...hidden].sort((a, b) => a.from - b.from)) {
    if (hole.from > from) left.push({ from, until: Math.min(hole.from, span.until) })
    from = Math.max(from, hole.until)
    if (from >= span.until) return left.filter((one) => one.from < one.until)
  }
  left.push({ from, until: span.until })
  return left.filter((one) => one.from < one.until)
}

function ingestionBounds(world: World, { user_id, time_zone }: Connection) {
  const { ingestion_start = null, ingestion_end = null } = world.db.find(users, user_id) ?? {}
  const isOpen = ingestion_end === null || ingestion_end === NO_INGESTION_END
  return {
    first: ingestion_start === null ? Number.NEGATIVE_INFINITY : localDay(time_zone, ingestion_start).start,
    last: isOpen ? Number.POSITIVE_INFINITY : localDay(time_zone, ingestion_end).end,
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
