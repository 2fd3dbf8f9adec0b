import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { connections } from '../../src/resources/connections/table.ts'
import { storedSamples } from '../../src/resources/timeseries/table.ts'
import { openScenarios } from '../../src/scenarios/repository.ts'
import { groupsOf, heardOf, sumOf } from '../support/feeds.ts'
import { field } from '../support/field.ts'
import { createUser, deleteUser } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance, toldOf } from '../support/wearables.ts'

const PROVIDER = 'apple_health_kit'
const SDK = { 'x-vital-ios-sdk-version': '1.8.8' }
const scenarios = openScenarios({
  resultNames: () => new Map(),
}).byKind.feed.names()

interface Phone {
  readonly petri: TestPetri
  readonly user: string
  /** Uploads samples of a value and begins, an hour each. */
  send(series: string, value: number, starts: readonly number[], stage?: string): Promise<void>
}

const iso = (instant: number) => new Date(instant).toISOString()

async function newPhone(scenario?: string): Promise<Phone> {
  const petri = await startTestWorld()
  const user = await createUser(petri)
  const headers = { ...SDK, ...(scenario !== undefined && { 'x-petri-scenario': scenario }) }
  await petri.post(`/v2/link/provider/manual/${PROVIDER}`, { user_id: user }, headers)
  return {
    petri,
    user,
    async send(series, value, starts, stage = 'daily') {
      const data = starts.map((start) => ({
        value,
        start_date: iso(start),
        end_date: iso(start + HOUR_MS - 1),
        unit: 'count',
        source_bundle: 'com.apple.health.1234',
        product_type: 'iPhone16,1',
      }))
      const body = { stage, time_zone: 'Europe/Berlin', provider: PROVIDER, data }
      const reply = await petri.post(`/v2/timeseries/${user}/${series}`, body, SDK)
      expect(reply).toAnswer(200)
    },
  }
}

const now = ({ petri }: Phone) => petri.world().clock.now()
const shown = ({ petri, user }: Phone, series = 'steps', since = '2026-01-05') =>
  groupsOf(petri, user, series, since, PROVIDER)
const countOf = async (phone: Phone, since?: string) =>
  (await shown(phone, 'steps', since)).flatMap(({ data }) => data).length

/** Lets hours pass; after each, the phone uploads its steps, and those of the hour before once more. */
async function wear(phone: Phone, hours: number): Promise<void> {
  const { petri, user } = phone
  for (let hour = 0; hour < hours; hour++) {
    await advance(petri, HOUR_MS)
    const path = `/v2/user/${user}/sdk_sync_state/${PROVIDER}`
    const { status } = (await petri.post(path, { tzinfo: 'Europe/Berlin' }, SDK)).body
    const started = [2, 1].slice(hour === 0 ? 1 : 0).map((ago) => now(phone) - ago * HOUR_MS)
    if (status === 'active') await phone.send('steps', 100, started)
  }
}

describe.each(scenarios)('uploads of a phone under the feed scenario %s', { tags: 'slow' }, (scenario) => {
  it('cause events for exactly the samples that can be read', async () => {
    const phone = await newPhone(scenario)
    await wear(phone, 30)
    await advance(phone.petri, DAY_MS)
    const { known, again, unknown } = heardOf(phone.petri, 'steps')
    const read = (await shown(phone)).flatMap(({ source, data }) =>
      data.map(({ timestamp, value }) => [`${source.type}/${timestamp}`, value] as const),
    )
    expect(new Map(read)).toEqual(known)
    expect(unknown).toEqual([])
    if (scenario === 'duplicate-samples') expect(again.length).toBeGreaterThan(10)
    else expect(again).toEqual([])
  })
})

describe('a feed scenario of a phone', () => {
  const follow = async (steps: readonly object[]) => {
    const phone = await newPhone()
    const { petri, user } = phone
    const scenario = { name: 'mine', summary: 'Mine.', kind: 'feed', steps }
    expect((await petri.put('/_petri/scenarios/mine', scenario)).status).toBeLessThan(300)
    const path = `/_petri/users/${user}/connections/${PROVIDER}/feed`
    expect(await petri.put(path, { scenario: 'mine' })).toAnswer(200)
    return phone
  }

  it('withholds the samples of a gap, and announces them when they arrive', async () => {
    const phone = await follow([{ after: '1h', gap: '4h', arrives: '3h' }])
    await wear(phone, 7)
    expect(await countOf(phone)).toBe(3)
    expect(toldOf(phone.petri, 'daily.data.steps.created')).toHaveLength(3)
    await advance(phone.petri, 2 * HOUR_MS)
    expect(await countOf(phone)).toBe(7)
    const late = toldOf(phone.petri, 'daily.data.steps.created').slice(3)
    expect(late.map(({ data }) => data.data.length)).toEqual([4])
    await wear(phone, 4)
    expect(toldOf(phone.petri, 'daily.data.steps.created')).toHaveLength(8)
  })

  it('sends samples twice, and shows them in two groups of one source', async () => {
    const phone = await follow([{ after: '0s', duplicate: '1d', of: ['steps'] }])
    await wear(phone, 3)
    await phone.send('heartrate', 60, [now(phone) - HOUR_MS])
    const groups = await shown(phone)
    expect(groups.map(({ source, data }) => [source.type, data.length])).toEqual([
      ['phone', 3],
      ['phone', 3],
    ])
    expect(toldOf(phone.petri, 'daily.data.steps.created')).toHaveLength(6)
    expect(await shown(phone, 'heartrate')).toHaveLength(1)
    expect(toldOf(phone.petri, 'daily.data.heartrate.created')).toHaveLength(1)
  })

  it('adds a second source with values of its own', async () => {
    const phone = await follow([{ after: '0s', second_source: '1d', source_type: 'watch', by: 0.9 }])
    await wear(phone, 2)
    const groups = await shown(phone)
    expect(groups.map(({ source, data }) => [source.type, sumOf(data)])).toEqual([
      ['phone', 200],
      ['watch', 180],
    ])
  })

  it('completes values later, with an event for the update', async () => {
    const phone = await follow([{ after: '0s', incomplete: '1d', by: 0.5, arrives: '5h' }])
    await wear(phone, 1)
    expect((await shown(phone)).map(({ data }) => sumOf(data))).toEqual([50])
    expect(toldOf(phone.petri, 'daily.data.steps.updated')).toEqual([])
    await advance(phone.petri, 6 * HOUR_MS)
    expect((await shown(phone)).map(({ data }) => sumOf(data))).toEqual([100])
    const [update] = toldOf(phone.petri, 'daily.data.steps.updated')
    expect(update?.data.data.map(field('value'))).toEqual([100])
  })

  it('leaves days out of an uploaded history', async () => {
    const phone = await newPhone('sparse-wearer')
    const starts = Array.from({ length: 48 }, (_, hour) => now(phone) - (48 - hour) * HOUR_MS)
    await phone.send('steps', 100, starts, 'historical')
    const read = await countOf(phone, '2026-01-01')
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(20)
  })

  it('leaves other connections and phones without one alone', async () => {
    const phone = await newPhone()
    await wear(phone, 3)
    expect(await countOf(phone)).toBe(3)
    expect(toldOf(phone.petri, 'daily.data.steps.created')).toHaveLength(3)
    expect(toldOf(phone.petri, 'daily.data.steps.updated')).toEqual([])
  })
})

it('the uploads of a deleted user are deleted with the rest', async () => {
  const phone = await newPhone()
  await wear(phone, 3)
  await deleteUser(phone.petri, phone.user)
  await advance(phone.petri, 30 * DAY_MS)
  const { db } = phone.petri.world()
  expect([db.count(storedSamples), db.count(connections)]).toEqual([0, 0])
})
