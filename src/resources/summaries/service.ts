import * as z from 'zod'
import { valueError } from '../../api/issue.ts'
import { feedScenariosOf } from '../../api/scenarios.ts'
import type { Parsed } from '../../api/schema.ts'
import { compare } from '../../kernel/compare.ts'
import { omit } from '../../kernel/fields.ts'
import { DAY_MS, HOUR_MS, SECOND_MS, type TimeRange, toDate, toWire } from '../../kernel/instant.ts'
import { JsonText } from '../../kernel/json.ts'
import { datesBetween } from '../../kernel/local-day.ts'
import { Problem } from '../../kernel/problem.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import { daysLater } from '../../people/dates.ts'
import type { NewEvent } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { type Connection, connections, devices, isDenied, viewOf } from '../connections/table.ts'
import { deviceIdOf, findProvider, providerName, sourceOf } from '../providers/service.ts'
import type { WindowQuery } from '../timeseries/schema.ts'
import {
  collectedWithin,
  connectionSamples,
  dateOf,
  dayOfConnection,
  type EventsOfStored,
  getSeries,
  readSessionId,
  sampleWriter,
} from '../timeseries/service.ts'
import { eventSubject, getUser } from '../users/service.ts'
import { getSummary, type Summary, summaryTable } from './catalogue.ts'
import { type Item, isKnown, makingOf } from './making.ts'
import type { SleepStream, WorkoutStream } from './schema.ts'
import { sleepsOn } from './sleep.ts'
import { type StoredSummary, storedSummaries, storedSummariesOf } from './table.ts'
import { streamOf } from './workouts.ts'

export { findSummary, getSummary, type Summary } from './catalogue.ts'

/** The names of all summaries, as in events. */
export const summaryResources: readonly string[] = summaryTable.map(({ resource }) => resource)

/** A user's summaries between two instants. Workouts are selected by their start, all others by their local date. Yields between days. */
export function* readSummaries(
  world: World,
  summary: Summary,
  userId: string,
  { start_date, end_date, provider }: Parsed<typeof WindowQuery>,
): Generator<void, Dated[]> {
  getUser(world, userId)
  const until = end_date ?? world.clock.now()
  const isByStart = summary.resource === 'workouts'
  // The local date of a workout can be the day before or after its date in UTC.
  const away = isByStart ? DAY_MS : 0
  // Without an end, up to tomorrow, because of time zones ahead of UTC.
  const last = end_date === undefined || end_date === null ? until + DAY_MS : until + away
  const found = yield* listInSteps(world, summary, userId, {
    first: toDate(start_date - away),
    last: toDate(last),
    provider,
  })
  if (!isByStart) return found
  return found.filter(({ item }) => {
    const at = Date.parse(String(item.time_start))
    return at >= start_date && at <= until
  })
}

/** The profile of a user at the provider that was connected first. */
export function getProfile(world: World, userId: string, provider: string): Dated {
  getUser(world, userId)
  const wanted = { first: '0000-01-01', last: '9999-12-31', provider }
  const [found] = listSummaries(world, getSummary('profile'), userId, wanted)
  if (!found) throw new Problem('not_found', 'Not found')
  return found
}

/** The points of a workout; `ownerId` is the user to whose data the caller is limited. */
export function getWorkoutStream(world: World, id: string, ownerId?: string): Parsed<typeof WorkoutStream> {
  const isOpen = (userId: string) => ownerId === undefined || ownerId === userId
  const stored = world.db.find(storedSummaries, id)
  if (stored && isOpen(stored.user_id)) return noStream
  const { connection, date, index } = findSession(world, 'workout', id)
  if (!isOpen(connection.user_id)) throw notFound()
  const making = makingOf(world, getSummary('workout_stream'), connection, date, world.clock.now())
  const workout = making.day.workouts[index]
  if (!workout || !isKnown(making, workout.end)) throw notFound()
  return streamOf(making.day, workout)
}

/** The stream of a stored session, which has no points. */
const noStream: Parsed<typeof WorkoutStream> = {
  cadence: [],
  time: [],
  altitude: [],
  velocity_smooth: [],
  heartrate: [],
  lat: [],
  lng: [],
  distance: [],
  power: [],
  resistance: [],
  temperature: [],
}

/** The stream of a night or a nap. */
export function getSleepStream(world: World, id: string): JsonText<Parsed<typeof SleepStream>> {
  const slugs = ['hrv', 'heartrate', 'hypnogram', 'respiratory_rate'] as const
  const rows = (samplesOf: (slug: string) => readonly string[]) =>
    new JsonText<Parsed<typeof SleepStream>>(
      `{${slugs.map((slug) => `"${slug}":[${samplesOf(slug).join(',')}]`).join(',')}}`,
    )
  if (world.db.has(storedSummaries, id)) return rows(() => [])
  const { connection, date, index } = findSession(world, 'sleep', id)
  const night = sleepsOn(dayOfConnection(world, connection, date))[index]
  if (
    !night ||
    !isKnown(makingOf(world, getSummary('sleep'), connection, date, world.clock.now()), night.end)
  )
    throw notFound()
  const span = { from: night.start, until: night.end - 1 }
  return rows((slug) =>
    [...connectionSamples(world, getSeries(slug), connection, span)].map(sampleWriter(getSeries(slug))),
  )
}

function findSession(world: World, kind: 'workout' | 'sleep', id: string) {
  const key = readSessionId(world.random, kind, id)
  const connection: Connection | undefined =
    key && world.db.by(connections, 'ordinal', String(key.ordinal))[0]
  if (!key || !connection) throw notFound()
  getUser(world, connection.user_id)
  return { connection, date: key.date, index: key.index }
}

const notFound = () => new Problem('not_found', 'Not found')

/** A summary with its local date and provider. */
interface Dated {
  readonly date: string
  readonly provider: string
  readonly item: Item
}

/** Local dates, both included. */
export interface Dates {
  readonly first: string
  readonly last: string
}

export interface SummaryFilter extends Dates {
  /** All providers by default. */
  readonly provider?: string | undefined
}

/** A user's summaries of one kind, by date, for a few days. Stored summaries replace generated ones. */
export const listSummaries = (...wanted: Parameters<typeof listInSteps>): Dated[] =>
  runAtOnce(listInSteps(...wanted))

/** The same, yielding between days. */
function* listInSteps(
  world: World,
  summary: Summary,
  userId: string,
  filter: SummaryFilter,
): Generator<void, Dated[]> {
  const found: Dated[] = []
  for (const dated of eachSummary(world, summary, userId, filter)) {
    if (dated) found.push(dated)
    else yield
  }
  return found.sort((a, b) => compare(a.date, b.date))
}

/** The same one by one, unordered; yields undefined after each day, so that callers can work in slices. */
export function* eachSummary(
  world: World,
  summary: Summary,
  userId: string,
  { first, last, provider = '' }: SummaryFilter,
): Generator<Dated | undefined> {
  const stored = storedSummariesOf(world, userId, summary.resource).filter(
    (row) => row.date >= first && row.date <= last && (provider === '' || row.provider === provider),
  )
  const storedIds = new Set(stored.map(({ id }) => id))
  const connections = connectionsWith(world, summary, userId).filter(
    (connection) => provider === '' || connection.provider === provider,
  )
  for (const connection of connections)
    for (const dated of generatedRows(world, summary, connection, { first, last }))
      if (!dated || !storedIds.has(summary.idOf(dated.item))) yield dated
  for (const row of stored) yield { date: row.date, provider: row.provider, item: row.item }
}

const connectionsWith = (world: World, { resource }: Summary, userId: string): Connection[] =>
  world.db
    .by(connections, 'user', userId)
    .filter(({ provider }) => findProvider(provider)?.resources.includes(resource))

/** Limits the days to the collected period. */
function* generatedRows(
  world: World,
  summary: Summary,
  connection: Connection,
  dates: Dates,
): Generator<Dated | undefined> {
  const only = summary.onlyOn?.(connection)
  const { first, last } = only === undefined ? dates : { first: only, last: only }
  const now = world.clock.now()
  const own = viewOf(connection, summary.resource)
  const spans = collectedWithin(world, own, { from: Number.NEGATIVE_INFINITY, until: now })
  const oldest = spans[0]?.from
  const newest = spans.at(-1)?.until
  if (oldest === undefined || newest === undefined) return
  const { provider } = connection
  // A night that ended on the first day began the day before.
  const from = dateOf(world, connection, oldest - 12 * HOUR_MS)
  const until = only ?? dateOf(world, connection, newest)
  for (const date of datesBetween(first > from ? first : from, last < until ? last : until)) {
    yield undefined
    if (summary.mayBeOn?.(world, connection, date) === false) continue
    const making = makingOf(world, summary, connection, date, Math.min(now, newest))
    for (const item of summary.make(making)) yield { date, provider, item }
  }
}

/** The minimum time of the database. */
const NEVER = '0001-01-01T00:00:00Z'

/** The raw form of providers is not known, so it is the service's own form without the fields the service adds. */
const added = [
  'id',
  'user_id',
  'user_key',
  'source',
  'created_at',
  'updated_at',
  'provider_id',
  'sleep_stream',
]

/** A summary as its provider sent it. Source: docs/contract/health-data.md#summaries. */
export function rawOf(world: World, { item, provider, date }: Dated) {
  const data = Object.fromEntries(Object.entries(item).filter(([name]) => !added.includes(name)))
  const { sport } = item as { sport?: { readonly id: number } }
  return {
    timestamp: item.time_start ?? item.bedtime_start ?? `${date}T00:00:00+00:00`,
    data,
    user_id: item.user_id,
    provider_id: item.provider_id ?? item.id,
    source_id: findProvider(provider)?.source_id ?? 0,
    priority_id: 1,
    id: item.id,
    source_device_id: null,
    created_at: NEVER,
    updated_at: NEVER,
    source: providerName(world, provider),
    sport_id: sport?.id,
    sport,
  }
}

export function rawProfile(world: World, dated: Dated) {
  return { profile: omit(rawOf(world, dated), 'timestamp', 'provider_id', 'source_device_id') }
}

/** The devices of a user's data, as their providers sent them. */
export const rawDevices = (world: World, userId: string, provider: string) =>
  world.db
    .by(devices, 'user', userId)
    .filter((device) => provider === '' || device.provider === provider)
    .map((device) => ({
      data: {
        manufacturer: device.device_manufacturer,
        model: device.device_model,
        version: device.device_version,
        type: device.source_type,
      },
      provider_id: device.device_id ?? device.id,
      user_id: userId,
      source_id: findProvider(device.provider)?.source_id ?? 0,
      id: device.id,
      source: providerName(world, device.provider),
    }))

/** The events of the summaries that were created or changed between two instants. Yields between its steps. */
export function* eventsOfSummaries(
  world: World,
  connection: Connection,
  { from, until }: TimeRange,
): Generator<void, NewEvent[]> {
  const found: NewEvent[] = []
  const { provider } = connection
  const last = dateOf(world, connection, until)
  const late = lateDates(world, connection, { from, until })
  for (const summary of summaryTable) {
    if (!findProvider(provider)?.resources.includes(summary.resource)) continue
    if (isDenied(connection, summary.resource)) continue
    const first = daysLater(dateOf(world, connection, from), -summary.changesFor)
    const dates = late.filter((one) => one < first)
    dates.push(...datesBetween(first, last))
    for (const date of dates) {
      if (summary.mayBeOn?.(world, connection, date) === false) continue
      for (const event of eventsOfDay(world, summary, connection, date, { from, until })) {
        if (event) found.push(event)
        yield
      }
    }
  }
  return found
}

/** The days with late or changed data in a period, in order; a night belongs to the day it ends on. */
function lateDates(world: World, connection: Connection, { from, until }: TimeRange): string[] {
  const effects = feedScenariosOf(world).effectsOf(world, connection)
  const dates = new Set<string>()
  for (const range of effects?.changedIn(from, until) ?? []) {
    const last = dateOf(world, connection, Math.min(range.until, until) + 12 * HOUR_MS)
    for (const date of datesBetween(dateOf(world, connection, range.from), last)) dates.add(date)
  }
  return [...dates].sort()
}

function* eventsOfDay(
  world: World,
  summary: Summary,
  connection: Connection,
  date: string,
  { from, until }: TimeRange,
): Generator<NewEvent | undefined> {
  const now = summary.make(makingOf(world, summary, connection, date, until))
  yield undefined
  if (now.length === 0) return
  const before = new Map(
    summary.make(makingOf(world, summary, connection, date, from)).map((item) => [summary.idOf(item), item]),
  )
  for (const item of now) {
    const id = summary.idOf(item)
    if (world.db.has(storedSummaries, id)) continue
    const known = before.get(id)
    if (!known) yield eventOf(summary, 'created', item)
    else if (contentOf(known) !== contentOf(item)) yield eventOf(summary, 'updated', item)
  }
}

const contentOf = (item: Item) => JSON.stringify({ ...item, updated_at: null })

const eventOf = ({ resource }: Summary, what: 'created' | 'updated', data: Item): NewEvent => ({
  type: `daily.data.${resource}.${what}`,
  data,
})

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

/** An added summary; missing fields are those of the replaced one, or null. */
interface SummaryToStore {
  readonly userId: string
  readonly summary: Summary
  readonly provider: string
  readonly sourceType?: string | undefined
  readonly item: Item
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
  readonly row: StoredSummary
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
    ...(hasField(summary, 'user_key') && { user_key: userId }),
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

export function putSummary(
  world: World,
  { summary, row, ...prepared }: PreparedSummary,
  events: EventsOfStored,
): void {
  // Another call may have stored it meanwhile.
  const known = world.db.find(storedSummaries, row.id)
  const what = known ? 'updated' : prepared.what
  const isChange = known ? contentOf(known.item) !== contentOf(row.item) : prepared.isChange
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

/** Kinds of which a day has one, but for naps. */
const onePerDay = ['activity', 'sleep', 'body', 'sleep_cycle']

function replacedBy(world: World, summary: Summary, userId: string, { date, provider, item }: Dated) {
  const everywhere = { first: '0000-01-01', last: '9999-12-31' }
  const dates = summary.resource === 'profile' ? everywhere : { first: date, last: date }
  const here = listSummaries(world, summary, userId, { ...dates, provider })
  if (item.id !== undefined) return here.find((dated) => dated.item.id === item.id)
  return summary.resource === 'profile' || onePerDay.includes(summary.resource) ? mainOf(here) : undefined
}

/** The night rather than a nap, and the latest of others. */
const mainOf = (here: readonly Dated[]) =>
  here.toSorted((a, b) => secondsAsleep(a.item) - secondsAsleep(b.item)).at(-1)

const secondsAsleep = ({ bedtime_start, bedtime_stop, session_start, session_end }: Item): number =>
  (Date.parse(String(bedtime_stop ?? session_end)) - Date.parse(String(bedtime_start ?? session_start))) /
    SECOND_MS || 0

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

/** The fields of summaries that are a start and an end. */
const periods = [
  ['time_start', 'time_end'],
  ['bedtime_start', 'bedtime_stop'],
  ['session_start', 'session_end'],
  ['period_start', 'period_end'],
] as const

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
