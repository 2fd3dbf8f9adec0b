import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { field } from '../support/field.ts'
import { connection } from '../support/made-day.ts'
import { changeUser } from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { advance } from '../support/wearables.ts'

const petri = forEachTest(startTestWorld)

const read = async (userId: string, query: string, path = 'heartrate/grouped') =>
  petri.get(`/v2/timeseries/${userId}/${path}?${query}`)

describe('collected data', () => {
  const dates = async (userId: string, slug = 'calories_basal') => {
    const { body } = await read(userId, 'start_date=2025-01-01&end_date=2027-01-01', `${slug}/grouped`)
    const data = (Object.values(body.groups).flat() as { data: { start: string }[] }[]).flatMap(
      (group) => group.data,
    )
    return { first: data[0]?.start, last: data.at(-1)?.start, count: data.length }
  }

  it("are those within the user's ingestion bounds when they arrived, which are local dates", async () => {
    const body = { ingestion_start: '2026-01-02', ingestion_end: '2026-01-03' }
    const zone = { fallback_time_zone: 'America/New_York' }
    const { user_id } = await connection(petri, 'apple_health_kit', { ...zone, ...body })
    const arrived = {
      first: '2026-01-02T05:00:00+00:00',
      last: '2026-01-04T04:00:00+00:00',
      count: 48,
    }
    expect(await dates(user_id)).toEqual(arrived)
    // What was dropped never returns, and what was stored stays.
    for (const changed of [{ ingestion_end: '2026-01-04' }, { ingestion_start: '2026-01-03' }]) {
      await changeUser(petri, user_id, changed)
      expect(await dates(user_id)).toEqual(arrived)
    }
  })

  it('that come an hour late are those that had come when the bounds changed', async () => {
    const { user_id } = await connection(petri, 'dexcom_v3')
    await advance(petri, 3 * HOUR_MS)
    await changeUser(petri, user_id, { ingestion_end: '2026-01-04' })
    await advance(petri, 3 * HOUR_MS)
    const { body } = await read(user_id, 'start_date=2026-01-05&end_date=2026-01-05', 'glucose/grouped')
    expect(body.groups.dexcom_v3[0].data.at(-1).timestamp).toBe('2026-01-05T10:58:15+00:00')
  })

  it('end before the midnight that ends their bounds', async () => {
    const { user_id } = await connection(petri, 'fitbit', { ingestion_end: '2026-01-03' })
    const { body } = await read(user_id, 'start_date=2026-01-03&end_date=2026-01-04')
    expect(body.groups.fitbit[0].data.at(-1).timestamp).toBe('2026-01-03T23:59:00+00:00')
  })

  it('of amounts include the one that has begun, and of measurements those that are over', async () => {
    const own = await connection(petri, 'apple_health_kit')
    await advance(petri, 30 * MINUTE_MS)
    const { body } = await read(own.user_id, 'start_date=2026-01-05T09:00:00Z', 'calories_basal/grouped')
    const { body: whole } = await read(
      own.user_id,
      'start_date=2026-01-04T09:00:00Z&end_date=2026-01-04T09:00:00Z',
      'calories_basal/grouped',
    )
    const [[growing], [hour]] = [body, whole].map(({ groups }) => groups.apple_health_kit[0].data)
    expect(growing.start).toBe('2026-01-05T09:00:00+00:00')
    expect(growing.value).toBeGreaterThan(0.4 * hour.value)
    expect(growing.value).toBeLessThan(0.6 * hour.value)
    // A phone measures at any second.
    const beats = await read(own.user_id, 'start_date=2026-01-05T09:20:00Z')
    expect(
      beats.body.groups.apple_health_kit[0].data.map(({ timestamp }: { timestamp: string }) =>
        timestamp.slice(11, 16),
      ),
    ).toEqual(['09:21', '09:25'])
  })

  it('of a Libre have local times without an offset, whatever the zone', async () => {
    const own = await connection(petri, 'freestyle_libre', { fallback_time_zone: 'Asia/Tokyo' })
    const { body } = await read(own.user_id, 'start_date=2026-01-04&end_date=2026-01-04', 'glucose/grouped')
    const { data } = body.groups.freestyle_libre[0]
    expect(data[0].timestamp.slice(0, 14)).toBe('2026-01-04T00:')
    expect(new Set(data.map(field('timezone_offset')))).toEqual(new Set([null]))
  })

  it('end when the connection does', { tags: 'slow' }, async () => {
    const own = await connection(petri, 'apple_health_kit')
    await advance(petri, 5 * HOUR_MS)
    await petri.delete(`/v2/user/${own.user_id}/apple_health_kit`)
    await advance(petri, DAY_MS)
    expect((await dates(own.user_id)).last).toBe('2026-01-05T13:00:00+00:00')
  })
})
