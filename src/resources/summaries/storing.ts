import * as z from 'zod'
import { valueError } from '../../api/issue.ts'
import { inShort } from '../../kernel/in-short.ts'
import { SECOND_MS, toWire } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { BadSeed } from '../../kernel/seed-table.ts'
import type { World } from '../../world/world.ts'
import type { ProviderTraitsSeed } from '../catalogue/schema.ts'
import { deviceIdOf } from '../connections/table.ts'
import { findProvider, sourceOf } from '../providers/service.ts'
import type { EventsOfStored } from '../timeseries/service.ts'
import { eventSubject, getUser } from '../users/service.ts'
import { findSummary, getSummary, type Summary } from './catalogue.ts'
import { contentOf, eventOf } from './events.ts'
import type { Item } from './making.ts'
import { type Dated, listSummaries } from './service.ts'
import { type StoredSummary, storedSummaries } from './table.ts'

/** An added summary; missing fields are those of the replaced one, or null. */
interface SummaryToStore {
  readonly userId: string
  readonly summary: Summary
  readonly provider: string
  readonly sourceType?: string | undefined
  readonly item: Item
}

/** Fields that Petri sets. */
const ownFields = new Set(['id', 'user_id', 'created_at', 'updated_at'])
/** Numbers that may be below zero. */
const signedFields = new Set(['timezone_offset', 'temperature_delta', 'elev_high', 'elev_low', 'hr_dip'])

/** Why the fields of a summary cannot have these values, in phrases. */
export function problemsOfValues(resource: string, values: JsonObject): string[] {
  const fields = new Map<string, z.ZodType>(
    Object.entries((getSummary(resource).schema() as z.ZodObject).shape),
  )
  for (const name of ownFields) fields.delete(name)
  return Object.entries(values).flatMap(([name, value]) => {
    const schema = fields.get(name)
    if (!schema)
      return [`names "${name}", which is not a field of ${resource}.${didYouMean(name, [...fields.keys()])}`]
    const { error } = schema.safeParse(value)
    if (error) return [`gives ${name} ${inShort(JSON.stringify(value), 40)}: ${error.issues[0]?.message}`]
    const isNegative = typeof value === 'number' && value < 0 && !signedFields.has(name)
    return isNegative ? [`gives ${name} ${value}, which is below 0`] : []
  })
}

/** Throws for the trait `nulls` with a field that its summary does not have, or that cannot be null. */
export function assertNulls(traits: Iterable<ProviderTraitsSeed>): void {
  for (const { slug, nulls } of traits)
    for (const [resource, fields] of Object.entries(nulls?.is ?? {})) {
      const values = Object.fromEntries(fields.map((field) => [field, null]))
      const [problem] = findSummary(resource) ? problemsOfValues(resource, values) : ['is of no summary']
      if (problem) throw new BadSeed('provider-traits.json', `${slug}.nulls.${resource} ${problem}`)
    }
}

/** Stores a summary and announces it. It replaces the one with its id, or of its day if a day has only one. */
export function storeSummary(
  world: World,
  input: SummaryToStore,
): { id: string; what: 'created' | 'updated' } {
  const prepared = prepareSummary(world, input)
  putSummary(world, prepared, 'all')
  return { id: prepared.row.id, what: prepared.what }
}

/** A summary that can be stored. */
export interface PreparedSummary {
  readonly summary: Summary
  readonly row: StoredSummary & { readonly item: Item }
  readonly what: 'created' | 'updated'
  /** Whether it differs from the summary that it replaces. */
  readonly isChange: boolean
}

/** Completes and validates a summary; throws if it cannot be stored. */
export function prepareSummary(
  world: World,
  { userId, summary, provider, sourceType, item }: SummaryToStore,
): PreparedSummary {
  getUser(world, userId)
  const date = dateIn(item) ?? toWire(world.clock.now()).slice(0, 10)
  const known = replacedBy(world, summary, userId, { date, provider, item })
  const type = sourceType ?? findProvider(provider)?.source_types[0] ?? 'unknown'
  const now = toWire(world.clock.now())
  const id = String(known?.item.id ?? item.id ?? world.newId(`put_in/${summary.resource}`))
  assertFree(world, id, { userId, summary })
  const whole = {
    ...blank(summary),
    ...withFieldsOf(summary, {
      calendar_date: date,
      provider_id: id,
      source_id: findProvider(provider)?.source_id ?? 0,
      priority_id: 1,
      source_provider: provider,
      source_type: type,
    }),
    source: {
      ...sourceOf(world, provider, type),
      device_id: deviceIdOf(world, { user_id: userId, provider }, summary.resource, type),
    },
    created_at: now,
    ...known?.item,
    ...item,
    // A date alone is midnight.
    ...(hasField(summary, 'date') &&
      (item.date === undefined || item.date === date) && { date: `${date}T00:00:00+00:00` }),
    id,
    user_id: userId,
    ...withFieldsOf(summary, { user_key: userId }),
    updated_at: now,
  }
  const read = readSummary(summary, whole)
  return {
    summary,
    row: { id, user_id: userId, resource: summary.resource, provider, date, item: read },
    what: known ? 'updated' : 'created',
    isChange: !known || contentOf(known.item) !== contentOf(read),
  }
}

/** Refuses the id of a summary of another kind or user, which would be replaced. */
function assertFree(
  world: World,
  id: string,
  { userId, summary }: Pick<SummaryToStore, 'userId' | 'summary'>,
): void {
  const taken = world.db.find(storedSummaries, id)
  if (!taken || (taken.user_id === userId && taken.resource === summary.resource)) return
  throw new Problem('invalid', [
    { ...valueError('another summary has this id'), loc: ['body', 'summary', 'id'], input: id },
  ])
}

export function putSummary(
  world: World,
  { summary, row, ...prepared }: PreparedSummary,
  events: EventsOfStored,
): void {
  // Another call may have stored it meanwhile.
  const known = world.db.find(storedSummaries, row.id)?.item
  const what = known ? 'updated' : prepared.what
  const isChange = known ? contentOf(known) !== contentOf(row.item) : prepared.isChange
  if (!isChange && events !== 'all') return
  world.db.put(storedSummaries, row)
  if (events === 'none') return
  emitSummary(world, summary, row.user_id, what, row.item)
  if (summary.resource === 'workouts') announceStream(world, row.user_id, what, row.item)
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

function dateIn(item: Item): string | undefined {
  const field = dateFields.find((name) => typeof item[name] === 'string')
  return field === undefined ? undefined : String(item[field]).slice(0, 10)
}

/** Kinds that occur once a day, except naps. */
const onePerDay = ['activity', 'sleep', 'body', 'sleep_cycle']

function replacedBy(world: World, summary: Summary, userId: string, { date, provider, item }: Dated) {
  const everywhere = { first: '0000-01-01', last: '9999-12-31' }
  const dates = summary.resource === 'profile' ? everywhere : { first: date, last: date }
  const here = listSummaries(world, summary, userId, { ...dates, provider })
  if (item.id !== undefined) return here.find((dated) => dated.item.id === item.id)
  return summary.resource === 'profile' || onePerDay.includes(summary.resource) ? mainOf(here) : undefined
}

/** The night rather than a nap, and the latest of others. */
export const mainOf = (here: readonly Dated[]) =>
  here.toSorted((a, b) => secondsAsleep(a.item) - secondsAsleep(b.item)).at(-1)

const secondsAsleep = (item: Item): number => {
  const { start, end } = boundsOf(item)
  return (end - start) / SECOND_MS || 0
}

const shapeOf = ({ schema }: Summary) => (schema() as z.ZodObject).shape
const hasField = (summary: Summary, field: string) => field in shapeOf(summary)

const withFieldsOf = (summary: Summary, values: Item): Item =>
  Object.fromEntries(Object.entries(values).filter(([field]) => hasField(summary, field)))

/** A value with null, empty or false fields where allowed. */
const blank = (summary: Summary): Item =>
  Object.fromEntries(
    Object.entries(shapeOf(summary)).flatMap(([name, field]) => {
      const empty = [null, [], {}, false].find((value) => z.safeParse(field, value).success)
      return empty === undefined ? [] : [[name, empty]]
    }),
  )

/** The fields of summaries that are a start and an end. */
const periods = [
  ['time_start', 'time_end'],
  ['bedtime_start', 'bedtime_stop'],
  ['session_start', 'session_end'],
  ['period_start', 'period_end'],
] as const

/** The start and end of a night, workout or cycle, in milliseconds since 1970; NaN for other summaries. */
export function boundsOf(item: Item): { readonly start: number; readonly end: number } {
  const [start, end] = periods.find(([field]) => field in item) ?? ['', '']
  return { start: Date.parse(String(item[start])), end: Date.parse(String(item[end])) }
}

/** Refuses a summary that ends before it starts. */
function assertInOrder(whole: Item): void {
  for (const [start, end] of periods) {
    const [from, until] = [Date.parse(String(whole[start])), Date.parse(String(whole[end]))]
    if (until < from)
      throw new Problem('invalid', [
        {
          ...valueError(`${end} is before ${start}`),
          loc: ['body', 'summary', end],
          input: whole[end] ?? null,
        },
      ])
  }
}

function readSummary(summary: Summary, whole: Item): Item {
  assertInOrder(whole)
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

function emitSummary(
  world: World,
  summary: Summary,
  userId: string,
  what: 'created' | 'updated',
  item: Item,
): void {
  const { type, data } = eventOf(summary, what, item)
  world.emit(type, eventSubject(world, userId), data)
}

function announceStream(world: World, userId: string, what: 'created' | 'updated', item: Item): void {
  const { id, provider_id, source, sport } = item
  emitSummary(world, getSummary('workout_stream'), userId, what, {
    user_id: userId,
    workout_id: id,
    provider_id,
    message: `The stream is read with GET /v2/timeseries/workouts/${id}/stream.`,
    source,
    sport,
  })
}
