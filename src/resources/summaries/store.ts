import * as z from 'zod'
import { toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { deviceIdOf, findProvider, sourceOf } from '../providers/service.ts'
import { getUser } from '../users/service.ts'
import { emitSummary } from './announce.ts'
import { getSummary, type Summary } from './catalogue.ts'
import { type Dated, listSummaries } from './list.ts'
import type { Item } from './make.ts'
import { storedSummaries } from './stored.ts'

/** An added summary; missing fields are those of the replaced one, or null. */
export interface SummaryToStore {
  readonly userId: string
  readonly summary: Summary
  readonly provider: string
  readonly sourceType?: string | undefined
  readonly item: Item
}

/** Stores a summary and announces it. It replaces the one with its id, or of its day if a day has only one. */
export function storeSummary(
  world: World,
  { userId, summary, provider, sourceType, item }: SummaryToStore,
): { id: string; what: 'created' | 'updated' } {
  getUser(world, userId)
  const date = dateOf(item) ?? toWire(world.clock.now()).slice(0, 10)
  const known = replacedBy(world, summary, userId, { date, provider, item })
  const type = sourceType ?? findProvider(provider)?.source_types[0] ?? 'unknown'
  const now = toWire(world.clock.now())
  const id = String(known?.item.id ?? item.id ?? world.newId(`put_in/${summary.resource}`))
  const whole = {
    ...blank(summary),
    ...(hasField(summary, 'date') && { date: `${date}T00:00:00+00:00` }),
    ...(hasField(summary, 'calendar_date') && { calendar_date: date }),
    ...(hasField(summary, 'provider_id') && { provider_id: id }),
    ...(hasField(summary, 'source_id') && {
      source_id: findProvider(provider)?.source_id ?? 0,
      priority_id: 1,
    }),
    ...(hasField(summary, 'source_provider') && { source_provider: provider, source_type: type }),
    source: { ...sourceOf(world, provider, type), device_id: deviceIdOf(world, userId, provider, type) },
    created_at: now,
    ...known?.item,
    ...item,
    id,
    user_id: userId,
    updated_at: now,
  }
  const read = readSummary(summary, whole)
  world.db.put(storedSummaries, {
    id,
    user_id: userId,
    resource: summary.resource,
    provider,
    date,
    item: read,
  })
  const what = known ? 'updated' : 'created'
  emitSummary(world, summary, userId, what, read)
  if (summary.resource === 'workouts') announceStream(world, userId, what, read)
  return { id, what }
}

/** The fields that can contain a summary's date; the first present one is used. */
const dateFields = [
  'calendar_date',
  'date',
  'time_start',
  'timestamp',
  'bedtime_stop',
  'session_start',
  'period_start',
]

function dateOf(item: Item): string | undefined {
  const field = dateFields.find((name) => typeof item[name] === 'string')
  return field === undefined ? undefined : String(item[field]).slice(0, 10)
}

/** Kinds of which a day has one. */
const onePerDay = ['activity', 'sleep', 'body', 'sleep_cycle']

function replacedBy(world: World, summary: Summary, userId: string, { date, provider, item }: Dated) {
  const everywhere = { first: '0000-01-01', last: '9999-12-31' }
  const dates = summary.resource === 'profile' ? everywhere : { first: date, last: date }
  const here = listSummaries(world, summary, userId, dates, provider)
  if (item.id !== undefined) return here.find((dated) => dated.item.id === item.id)
  return summary.resource === 'profile' || onePerDay.includes(summary.resource) ? here.at(-1) : undefined
}

const shapeOf = ({ schema }: Summary) => (schema() as z.ZodObject).shape
const hasField = (summary: Summary, field: string) => field in shapeOf(summary)

/** A value with null, empty or false fields where allowed. */
const blank = (summary: Summary): Item =>
  Object.fromEntries(
    Object.entries(shapeOf(summary)).flatMap(([name, field]) => {
      const empty = [null, [], {}, false].find((value) => z.safeParse(field, value).success)
      return empty === undefined ? [] : [[name, empty]]
    }),
  )

function readSummary(summary: Summary, whole: Item): Item {
  const parsed = (summary.schema() as z.ZodObject).strict().safeParse(whole)
  if (parsed.success) return parsed.data
  throw new Problem(
    'invalid',
    parsed.error.issues.map(({ path, message }) => ({
      type: 'value_error',
      loc: ['body', 'summary', ...path],
      msg: message,
      input: whole[String(path[0])] ?? null,
    })),
  )
}

function announceStream(world: World, userId: string, what: 'created' | 'updated', item: Item): void {
  const { id, provider_id, source, sport } = item
  emitSummary(world, getSummary('workout_stream'), userId, what, {
    ...{ user_id: userId, workout_id: id, provider_id },
    message: `The stream is read with GET /v2/timeseries/workouts/${id}/stream.`,
    ...{ source, sport },
  })
}
