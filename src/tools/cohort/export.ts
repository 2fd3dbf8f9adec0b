import type { Parsed } from '../../api/schema.ts'
import type { Order } from '../../client/responses.ts'
import { compare } from '../../kernel/compare.ts'
import { DAY_MS, toDate } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { LabResultsRaw } from '../../resources/results/schema.ts'
import type { Activity, Body, Profile, Sleep } from '../../resources/summaries/schema.ts'
import { type Client, unlessRefused } from '../../terminal/client.ts'
import type { Cohort, Member, OnProgress } from './create.ts'
import { type CohortFiles, type Manifest, openFiles } from './files.ts'
import type { CohortPlan } from './plan.ts'
import {
  type Columns,
  type Day,
  dayColumns,
  profileColumns,
  type ResultLine,
  resultColumns,
  rowOf,
  type SeriesSample,
  sampleColumns,
} from './tables.ts'

const personColumns = ['user_id', 'client_user_id']

/** Writes the data of a cohort into a folder, person by person, from where the manifest says that it stopped. */
export async function exportCohort(
  { petri, plan, members }: Cohort,
  folder: string,
  manifest: Manifest,
  progress: OnProgress,
): Promise<Manifest> {
  const files = await openFiles(folder, manifest, tablesOf(plan))
  try {
    let written = await files.complete(manifest.people)
    for (const [nth, member] of members.entries()) {
      if (nth < manifest.people) continue
      await exportMember(petri, plan, member, files)
      written = await files.complete(nth + 1)
      progress('files', nth + 1, members.length)
    }
    return written
  } finally {
    await files.close()
  }
}

const namesOf = <Item>(columns: Columns<Item>) => columns.map(([name]) => name)
const seriesFile = (slug: string) => `series-${slug}`

const tablesOf = ({ series, fhir }: CohortPlan): Record<string, readonly string[]> => ({
  users: [...personColumns, 'persona', ...namesOf(profileColumns)],
  daily: [...personColumns, 'provider', ...namesOf(dayColumns)],
  truth: [],
  results: [...personColumns, ...namesOf(resultColumns)],
  ...(fhir && { fhir: [] }),
  ...Object.fromEntries(
    series.map((slug) => [seriesFile(slug), [...personColumns, ...namesOf(sampleColumns)]]),
  ),
})

async function exportMember(
  petri: Client,
  plan: CohortPlan,
  { userId, clientUserId, persona }: Member,
  files: CohortFiles,
): Promise<void> {
  const person = { user_id: userId, client_user_id: clientUserId }
  const append = (table: string, rows: readonly JsonObject[]) =>
    files.append(
      table,
      rows.map((row) => ({ ...person, ...row })),
    )
  const profile = await findProfile(petri, plan, userId)
  await append('users', [{ persona, ...rowOf(profileColumns, profile) }])
  const { start_date: from, end_date: until } = windowOf(plan)
  const truth = await petri.call<JsonObject>('GET /_petri/users/{user_id}/truth', {
    user_id: userId,
    from,
    until,
  })
  await append('truth', [truth])
  for (const provider of plan.providers) {
    const days = await listDays(petri, plan, userId, provider)
    await append(
      'daily',
      days.map((day) => ({ provider, ...rowOf(dayColumns, day) })),
    )
  }
  for await (const lines of results(petri, userId))
    await append(
      'results',
      lines.map((line) => rowOf(resultColumns, line)),
    )
  if (plan.fhir)
    await files.append('fhir', [
      await petri.call<JsonObject>('GET /_petri/users/{user_id}/fhir', { user_id: userId }),
    ])
  for (const slug of plan.series)
    for await (const rows of samples(petri, plan, userId, slug)) await append(seriesFile(slug), rows)
}

/** The first whole day and the last one. */
const windowOf = ({ until, days }: CohortPlan) => ({
  start_date: toDate(Date.parse(until) - days * DAY_MS),
  end_date: toDate(Date.parse(until) - DAY_MS),
})

const NOT_FOUND = 404

/** The profile at the first provider that has one. */
async function findProfile(
  petri: Client,
  { providers }: CohortPlan,
  userId: string,
): Promise<Parsed<typeof Profile> | undefined> {
  for (const provider of providers) {
    const input = { user_id: userId, provider }
    const calling = petri.call<Parsed<typeof Profile>>('GET /v2/summary/profile/{user_id}', input)
    const profile = await unlessRefused(calling, NOT_FOUND)
    if (profile) return profile
  }
  return undefined
}

/** The days with data of a provider, in order. */
async function listDays(petri: Client, plan: CohortPlan, userId: string, provider: string): Promise<Day[]> {
  const input = { user_id: userId, provider, ...windowOf(plan) }
  const { activity } = await petri.call<Lists>('GET /v2/summary/activity/{user_id}', input)
  const { sleep } = await petri.call<Lists>('GET /v2/summary/sleep/{user_id}', input)
  const { body } = await petri.call<Lists>('GET /v2/summary/body/{user_id}', input)
  const dates = new Set([...activity, ...sleep, ...body].map((item) => item.calendar_date))
  const on = <Item extends { calendar_date: string }>(items: readonly Item[], date: string) =>
    items.filter((item) => item.calendar_date === date)
  return [...dates].sort(compare).map((date) => {
    const nights = on(sleep, date)
    return {
      date,
      activity: on(activity, date)[0],
      sleep: nights.find(({ type }) => type === 'long_sleep'),
      naps: nights.filter(({ type }) => type !== 'long_sleep').length,
      body: on(body, date)[0],
    }
  })
}

interface Lists {
  readonly activity: readonly Parsed<typeof Activity>[]
  readonly sleep: readonly Parsed<typeof Sleep>[]
  readonly body: readonly Parsed<typeof Body>[]
}

/** The lines of each completed order, oldest order first. */
async function* results(petri: Client, userId: string): AsyncGenerator<ResultLine[]> {
  const filter = { user_id: userId, status: 'completed', order_key: 'created_at', order_direction: 'asc' }
  for (let page = 1, total = 1; (page - 1) * PAGE < total; page++) {
    const found = await petri.call<OrderList>('GET /v3/orders', { ...filter, page, size: PAGE })
    total = found.total
    for (const { id: order_id } of found.orders) {
      const report = await petri.call<Parsed<typeof LabResultsRaw>>('GET /v3/order/{order_id}/result', {
        order_id,
      })
      const collectedAt = report.metadata.date_collected
      const lines = Array.isArray(report.results) ? report.results : []
      yield lines.map((line) => ({ orderId: order_id, collectedAt, line }))
    }
  }
}

const PAGE = 100

interface OrderList {
  readonly orders: readonly Order[]
  readonly total: number
}

/** The samples of a series of all providers, page by page. */
async function* samples(
  petri: Client,
  plan: CohortPlan,
  userId: string,
  slug: string,
): AsyncGenerator<JsonObject[]> {
  let next_cursor: string | null | undefined
  do {
    const page = await petri.call<SamplePage>(`GET /v2/timeseries/{user_id}/${slug}/grouped`, {
      user_id: userId,
      ...windowOf(plan),
      next_cursor: next_cursor ?? undefined,
    })
    const groups = Object.values(page.groups).flat()
    yield groups.flatMap(({ source, data }) =>
      data.map((sample) =>
        rowOf(sampleColumns, { provider: source.provider, sourceType: source.type, sample }),
      ),
    )
    next_cursor = page.next_cursor
  } while (next_cursor)
}

interface SamplePage {
  readonly groups: Readonly<
    Record<
      string,
      readonly {
        readonly source: { readonly provider: string; readonly type: string }
        readonly data: SeriesSample[]
      }[]
    >
  >
  readonly next_cursor: string | null
}
