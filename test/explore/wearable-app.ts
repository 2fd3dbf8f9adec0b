import { Hono } from 'hono'
import { Webhook } from 'svix'
import { field } from '../support/field.ts'

/** Mistakes that handlers of wearable data make; each can be planted into the wearable app. */
export const wearableBugs = {
  history_is_complete:
    'takes the history as complete once it is announced, so that it drops older days of daily events',
  reads_at_redirect: 'reads the history when the user is connected, and not when it has come',
  reads_history_once: 'reads the history of a provider once, and ignores that of a later consent',
  reads_last_day: 'reads the last day of a history only',
  appends_history: 'appends the rows of a history to those that it has',
  created_only: 'ignores daily events that update',
  row_by_date: 'keeps one row of each kind for a date',
  offset_or_zero: 'takes a time zone offset that is unknown for zero',
  floating_is_utc: 'shifts floating times as if they were UTC',
  one_device: 'drops rows that do not name their device',
  paused_unnoticed: 'shows a paused connection as connected',
  only_tried: 'drops rows of providers that it was not tried with',
} as const
export type WearableBug = keyof typeof wearableBugs
export const wearableBugNames = Object.keys(wearableBugs) as readonly WearableBug[]

export const summaries = ['sleep', 'activity'] as const
export const series = ['glucose', 'steps', 'water'] as const
const kept: readonly string[] = [...summaries, ...series]
/** Providers whose times are those of the wall. */
const floating = ['freestyle_libre', 'abbott_libreview']

/** A night, a day or a sample. */
export interface StoredRow {
  readonly key: string
  /** The local date of its beginning. */
  readonly day: string
  readonly value: number | string | null
}

interface Source {
  readonly slug: string
  readonly type: string
  readonly device_id: string | null
}
export interface SummaryRow {
  readonly id: string
  readonly calendar_date: string
  readonly updated_at: string
  readonly state?: string | null
  readonly steps?: number | null
  readonly source: Source
}
export interface SampleRow {
  readonly timestamp: string
  readonly timezone_offset: number | null
  readonly value: number
}
export interface Group {
  readonly source: Source
  readonly data: readonly SampleRow[]
}

const dateIn = (timeZone: string, at: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(at))

/** The local date of a sample: by its offset, as it is written where times float, or else where the user lives. */
export function dayOf(
  { timestamp, timezone_offset }: SampleRow,
  provider: string,
  zone: string,
  bug?: WearableBug,
): string {
  const offset = timezone_offset ?? (bug === 'offset_or_zero' ? 0 : null)
  if (offset !== null) return new Date(Date.parse(timestamp) + offset * 1000).toISOString().slice(0, 10)
  if (floating.includes(provider) && bug !== 'floating_is_utc') return timestamp.slice(0, 10)
  return dateIn(zone, timestamp)
}

export const ofSummary = (row: SummaryRow, resource: string): StoredRow => ({
  key: `${resource}/${row.id}`,
  day: row.calendar_date,
  value: row.state ?? row.steps ?? null,
})

export const ofGroup = (group: Group, resource: string, zone: string, bug?: WearableBug): StoredRow[] =>
  group.data.map((row) => ({
    key: `${resource}/${group.source.slug}/${group.source.type}/${row.timestamp}`,
    day: dayOf(row, group.source.slug, zone, bug),
    value: row.value,
  }))

/** Reads JSON of the service; throws for an error. */
// biome-ignore lint/suspicious/noExplicitAny: the app reads what it needs.
export type Read = (path: string) => Promise<any>

/** All rows of a resource that can be read, of one provider or of all. */
export async function readRows(read: Read, resource: string, userId: string, range: string) {
  const rows: SummaryRow[] = []
  const groups: Group[] = []
  if (summaries.some((name) => name === resource)) {
    const body = await read(`/v2/summary/${resource}/${userId}?${range}`)
    rows.push(...body[resource])
  } else {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&next_cursor=${encodeURIComponent(cursor)}`
      const body = await read(`/v2/timeseries/${userId}/${resource}/grouped?${range}${next}`)
      groups.push(...Object.values(body.groups as Record<string, Group[]>).flat())
      cursor = body.next_cursor ?? null
    }
  }
  return { rows, groups }
}

/** An integration that stores what wearables measure. */
export function createWearableApp(
  call: (path: string) => Promise<Response>,
  secret: string,
  zone: string,
  bug?: WearableBug,
) {
  const has = (name: WearableBug) => bug === name
  const stored = new Map<string, StoredRow>()
  const updatedAt = new Map<string, string>()
  const providers = new Map<string, readonly string[]>()
  const known = new Set<string>()
  const connectedAt = new Map<string, string>()
  let appended = 0

  const read: Read = async (path) => {
    const response = await call(path)
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json()
  }

  const keep = (row: StoredRow, isNew: boolean) => {
    const key = has('row_by_date') ? `${row.key.split('/')[0]}/${row.day}` : row.key
    if (isNew && has('appends_history') && stored.has(key)) stored.set(`${key}/${++appended}`, row)
    else stored.set(key, row)
  }
  const keepSummary = (row: SummaryRow, resource: string, isNew: boolean) => {
    if (has('one_device') && row.source.device_id === null) return
    const own = ofSummary(row, resource)
    if ((updatedAt.get(own.key) ?? '') > row.updated_at) return
    updatedAt.set(own.key, row.updated_at)
    keep(own, isNew)
  }

  const readFinding = async (userId: string, resource: string, range: string) => {
    const { rows, groups } = await readRows(read, resource, userId, range)
    for (const row of rows) keepSummary(row, resource, true)
    for (const group of groups) for (const row of ofGroup(group, resource, zone, bug)) keep(row, true)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const onHistory = async (resource: string, { user_id, provider, start_date, end_date }: any) => {
    if (has('reads_at_redirect')) return
    if (has('reads_history_once') && known.has(`${provider}/${resource}`)) return
    known.add(`${provider}/${resource}`)
    connectedAt.set(provider, end_date.slice(0, 10))
    // Days are local, the range is not.
    const from = has('reads_last_day') ? end_date : new Date(Date.parse(start_date) - DAY_MS).toISOString()
    const range = `start_date=${from.slice(0, 10)}&end_date=${end_date.slice(0, 10)}`
    await readFinding(user_id, resource, `${range}&provider=${provider}`)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const onDaily = (resource: string, change: string, data: any) => {
    const slug: string = data.source.slug
    if (has('created_only') && change === 'updated') return
    if (has('only_tried') && !['oura', 'fitbit', 'freestyle_libre'].includes(slug)) return
    const isOld = (day: string) => has('history_is_complete') && day < (connectedAt.get(slug) ?? '')
    if (data.data === undefined) {
      if (!isOld(data.calendar_date)) keepSummary(data, resource, false)
      return
    }
    for (const row of ofGroup(data, resource, zone, bug)) {
      if (isOld(row.day) || (change === 'created' && stored.has(row.key))) continue
      keep(row, false)
    }
  }

  const readProviders = async (userId: string) => {
    const body = await read(`/v2/user/providers/${userId}`)
    const working = has('paused_unnoticed') ? ['connected', 'paused'] : ['connected']
    const connected = body.providers.filter(({ status }: { status: string }) => working.includes(status))
    providers.set(userId, connected.map(field('slug')))
  }

  const app = new Hono()
  app.onError((error, c) => c.text(error.message, 500))
  app.post('/webhooks', async (c) => {
    const raw = await c.req.text()
    new Webhook(secret).verify(raw, c.req.header())
    const { event_type, user_id, data } = JSON.parse(raw)
    const [kind, , resource = '', change = ''] = event_type.split('.')
    if (event_type === 'provider.connection.created') {
      for (const name of has('reads_at_redirect') ? kept : [])
        await readFinding(user_id, name, `start_date=${FIRST_DAY}`)
    }
    if (event_type.startsWith('provider.connection.')) await readProviders(user_id)
    const isKept = kept.includes(resource)
    if (kind === 'historical' && isKept) await onHistory(resource, data)
    if (kind === 'daily' && isKept) onDaily(resource, change, data)
    return c.body(null, 204)
  })

  return {
    app,
    /** What a job does each day, and the first page that a user sees. */
    look: readProviders,
    rows: () => [...stored.values()],
    providersOf: (userId: string) => providers.get(userId) ?? [],
  }
}

const DAY_MS = 86_400_000
export const FIRST_DAY = '2025-06-01'
