import { DAY_MS } from '../../src/kernel/instant.ts'
import type { Connection } from '../../src/resources/connections/table.ts'
import { events } from '../../src/world/events.ts'
import { connectionOf } from './made-day.ts'
import { eventsOf, startTestPetri, startTestWorld, type TestPetri } from './petri.ts'
import { seedFolder } from './seeds.ts'
import { advance, openData, wearer } from './wearables.ts'

/** A user, connected to a provider whose connection follows a scenario. */
export async function follower(petri: TestPetri, scenario?: string, provider = 'fitbit'): Promise<string> {
  const user = (await petri.post('/v2/user', { client_user_id: 'ada' })).body.user_id
  const headers: Record<string, string> = scenario === undefined ? {} : { 'x-petri-scenario': scenario }
  const reply = await petri.post('/v2/link/connect/demo', { user_id: user, provider }, headers)
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  openData(petri, user)
  return user
}

/** A Petri whose Fitbit misses no minute of a heart rate. */
export const startUnbroken = (): Promise<TestPetri> =>
  startTestPetri({
    seeds: [
      seedFolder({
        'provider-traits.json': [
          { slug: 'fitbit', missed_minutes: { is: [0, 0], known: 'assumed', source: 'test' } },
        ],
      }),
    ],
  })

/** A connection that follows a feed scenario of these steps, two days on. */
export async function following(
  steps: readonly object[],
  {
    provider = 'fitbit',
    body = {},
    start = startTestWorld,
  }: {
    readonly provider?: string
    readonly body?: object
    readonly start?: () => Promise<TestPetri>
  } = {},
): Promise<{ readonly petri: TestPetri; readonly userId: string; readonly own: Connection }> {
  const petri = await start()
  const scenario = { name: 'mine', summary: 'Mine.', kind: 'feed', steps }
  const { status } = await petri.put('/_petri/scenarios/mine', scenario)
  if (status >= 300) throw new Error(`the feed scenario is refused: ${status}`)
  const userId = await wearer(petri, [], body)
  await petri.post('/v2/link/connect/demo', { user_id: userId, provider }, { 'x-petri-scenario': 'mine' })
  await advance(petri, 2 * DAY_MS)
  return { petri, userId, own: connectionOf(petri, userId, provider) }
}

export interface Point {
  readonly timestamp: string
  readonly timezone_offset: number | null
  readonly value: number
}

export interface Group {
  readonly source: { readonly type: string; readonly app_id: string | null }
  readonly data: readonly Point[]
}

/** What can be read of a series since an instant, source by source. */
export async function groupsOf(
  petri: TestPetri,
  userId: string,
  series: string,
  since = '2026-01-05',
  provider = 'fitbit',
): Promise<Group[]> {
  const path = `/v2/timeseries/${userId}/${series}/grouped?start_date=${since}&provider=${provider}`
  return (await petri.read(path)).groups[provider] ?? []
}

export const sumOf = (data: readonly Point[]): number => data.reduce((sum, { value }) => sum + value, 0)

export const summariesOf = async (
  petri: TestPetri,
  userId: string,
  resource: string,
  since = '2026-01-05',
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
): Promise<any[]> => (await petri.read(`/v2/summary/${resource}/${userId}?start_date=${since}`))[resource]

/** What a receiver that keeps every sample it is sent knows of a series in the end, and what it was told that it knew. */
export function heardOf(petri: TestPetri, series: string) {
  const known = new Map<string, number>()
  const again: string[] = []
  const unknown: string[] = []
  for (const { payload } of petri.world().db.all(events)) {
    const { event_type, data } = payload as { event_type: string; data: Group }
    const what = /^daily\.data\.(\w+)\.(created|updated)$/.exec(event_type)
    if (what?.[1] !== series) continue
    for (const { timestamp, value } of data.data) {
      const key = `${data.source.type}/${timestamp}`
      if (what[2] === 'created' && known.has(key)) again.push(key)
      if (what[2] === 'updated' && !known.has(key)) unknown.push(key)
      known.set(key, value)
    }
  }
  return { known, again, unknown }
}

/** Every event of a world without its id: when, what, whose. */
export const chronicle = (petri: TestPetri): string[] =>
  eventsOf(petri).map(({ at, payload }) => `${at} ${JSON.stringify(payload)}`)
