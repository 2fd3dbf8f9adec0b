import { codedUuid, readCodedUuid } from '../../kernel/coded-uuid.ts'
import { DAY_MS, SECOND_MS, type TimeRange, toDate } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Random } from '../../kernel/random.ts'
import type { Day } from '../../people/day.ts'
import type { Workout } from '../../people/workouts.ts'
import type { World } from '../../world/world.ts'
import type { OffsetKind, ProviderTraits } from '../catalogue/schema.ts'
import type { Connection } from '../connections/table.ts'
import { traitsOf } from '../providers/service.ts'
import { users } from '../users/table.ts'

/** The key of a session, from which the session can be generated. */
interface SessionKey {
  readonly kind: 'workout' | 'sleep'
  /** The connection's number. */
  readonly ordinal: number
  readonly date: string
  /** Its position on the day. */
  readonly index: number
}

/** A UUID that contains its key, so that a session is found by its id without being stored. */
export function sessionId(random: Random, { kind, ordinal, date, index }: SessionKey): string {
  const day = Math.round(Date.parse(date) / DAY_MS)
  const digits = [[ordinal, 5] as const, [day, 6] as const, [index, 2] as const]
    .map(([part, length]) => part.toString(16).padStart(length, '0'))
    .join('')
  return codedUuid(random, { family: 'session', kind }, digits)
}

/** The key of a session's id; undefined when it is not one of this world. */
export function readSessionId(random: Random, kind: SessionKey['kind'], id: string): SessionKey | undefined {
  const digits = readCodedUuid(random, { family: 'session', kind }, id)
  if (digits === undefined) return undefined
  return {
    kind,
    ordinal: Number.parseInt(digits.slice(0, 5), 16),
    date: toDate(Number.parseInt(digits.slice(5, 11), 16) * DAY_MS),
    index: Number.parseInt(digits.slice(11), 16),
  }
}

/** The user and provider of data. */
export interface Wearer {
  readonly userId: string
  readonly provider: string
  readonly timeZone: string
  readonly traits: ProviderTraits
}

/** One measurement; instants in milliseconds since 1970. */
export interface Sample {
  readonly start: number
  /** Exclusive; the same as `start` for a sample of one instant. */
  readonly end: number
  /** Null where the provider does not send it. */
  readonly offsetSeconds: number | null
  /** Null where a series has other fields instead. */
  readonly value: number | string | null
  readonly type: string | null
  /** The series' additional fields. */
  readonly more?: JsonObject
  /** The workout it was measured in, for series that are grouped by workout. */
  readonly workout?: Workout
}

/**
 * The samples of a series that begin on a day, oldest first. A function of its arguments. Those outside of the span may be left
 * out, and one that is not over when it ends has grown no further.
 */
export type SampleGenerator = (day: Day, wearer: Wearer, span: TimeRange) => Sample[]

/** Whether a provider sends local times as if they were UTC. */
export const isFloating = (world: World, provider: string): boolean =>
  traitsOf(world, { provider }).sample_offset === 'local_as_utc'

/** The offset of a row as its provider sends it. */
export function offsetSent(
  world: World,
  { user_id }: Pick<Connection, 'user_id'>,
  kind: OffsetKind,
  offset: number,
): number | null {
  if (kind === 'number') return offset
  if (kind === 'null' || kind === 'local_as_utc') return null
  if (world.db.find(users, user_id)?.fallback_time_zone) return offset
  return kind === 'fallback_or_zero' ? 0 : null
}

export const sampleAt = (
  day: Day,
  start: number,
  value: Sample['value'],
  rest: Partial<Sample> = {},
): Sample => ({
  start,
  end: start,
  offsetSeconds: day.offsetAt(start),
  value,
  type: null,
  ...rest,
})

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Writes instants in the wire's form, with fractions of a second where there are any; fast for ascending instants. */
function instantWriter(): (instant: number) => string {
  let day = Number.NaN
  let date = ''
  let last = Number.NaN
  let written = ''
  return (instant) => {
    if (instant === last) return written
    const number = Math.floor(instant / DAY_MS)
    if (number !== day) {
      day = number
      date = new Date(number * DAY_MS).toISOString().slice(0, 11)
    }
    const rest = instant - number * DAY_MS
    const seconds = Math.floor(rest / SECOND_MS)
    const micros = Math.round((rest - seconds * SECOND_MS) * 1000)
    const minutes = Math.floor(seconds / 60)
    const hours = Math.floor(minutes / 60)
    const clock = `${twoDigits[hours]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`
    last = instant
    written = `${date}${clock}${micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`}+00:00`
    return written
  }
}

/** Writes samples as JSON; a page has up to ten thousand. */
export function sampleWriter({
  unit,
  isPoint,
}: {
  readonly unit: string
  readonly isPoint?: true
}): (sample: Sample) => string {
  const toText = instantWriter()
  const unitText = `,"unit":${JSON.stringify(unit)},"timestamp":"`
  return ({ start, end, offsetSeconds, value, type, more }) => {
    const startText = toText(start)
    let text = `{"id":null,"timezone_offset":${offsetSeconds},"type":${type === null ? 'null' : JSON.stringify(type)}${unitText}${startText}"`
    if (!isPoint) text += `,"start":"${startText}","end":"${toText(end)}"`
    if (value !== null) text += `,"value":${typeof value === 'number' ? value : JSON.stringify(value)}`
    if (more) text += `,${JSON.stringify(more).slice(1, -1)}`
    return `${text}}`
  }
}
