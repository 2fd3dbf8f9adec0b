import { describe, expect, it, vi } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { seriesTable } from '../../src/resources/timeseries/catalogue.ts'
import { storedSamples } from '../../src/resources/timeseries/table.ts'
import { field } from '../support/field.ts'
import { deleteUser } from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { advance, put, told, toldOf, wearer } from '../support/wearables.ts'

const petri = forEachTest(startTestWorld)

const grouped = (userId: string, slug: string, query = 'start_date=2025-12-01') =>
  petri.get(`/v2/timeseries/${userId}/${slug}/grouped?${query}`)

describe('samples that are put in', () => {
  it('change the day they are of', async () => {
    const userId = await wearer(petri)
    const day = async () =>
      (await petri.read(`/v2/summary/activity/${userId}?start_date=2026-01-04&end_date=2026-01-04`))
        .activity[0].steps
    const before = await day()
    const night = { start: '2026-01-04T03:00:00Z', end: '2026-01-04T03:15:00Z', value: 1000 }
    await put(petri, userId, { resource: 'steps', provider: 'fitbit', samples: [night] })
    expect(await day()).toBe(before + 1000)
  })

  it('come by the name of the event or of the path, for every series', { tags: 'slow' }, async () => {
    const userId = await wearer(petri, [])
    const own: Record<string, object> = {
      blood_pressure: { systolic: 120, diastolic: 80 },
      note: { value: 'felt well', tags: ['food'] },
      heart_rate_alert: { value: 1, type: 'low_heart_rate' },
      insulin_injection: { type: 'rapid_acting', value: 4 },
      stand_hour: { type: 'stood', value: 1 },
    }
    for (const { slug, types } of seriesTable) {
      const body = { timestamp: '2026-01-04T12:00:00Z', value: 1, ...(types === 'any' && { type: 'kind' }) }
      const samples = [
        slug === 'blood_pressure' ? { timestamp: body.timestamp, ...own[slug] } : { ...body, ...own[slug] },
      ]
      const answer = await put(petri, userId, { resource: slug, provider: 'manual', samples })
      expect(answer.body, slug).toMatchObject({ created: 1, updated: 0 })
      const { groups } = (await grouped(userId, slug)).body
      expect(groups.manual[0].data).toHaveLength(1)
    }
    expect(new Set(told(petri).map(field('event_type'))).size).toBe(50)
    await advance(petri, HOUR_MS)
    expect((await put(petri, userId, { resource: 'weight', provider: 'manual', samples: [] })).status).toBe(
      200,
    )
  })

  it('of cholesterol are on the route of their kind, by its short name as well', async () => {
    const userId = await wearer(petri, [])
    const samples = ['hdl', 'cholesterol/hdl', 'ldl', 'non-hdl'].map((type, at) => ({
      timestamp: `2026-01-04T12:00:0${at}Z`,
      value: 1 + at,
      type,
    }))
    await put(petri, userId, { resource: 'cholesterol', provider: 'manual', samples })
    const typesOn = async (kind: string) => {
      const body = await petri.read(`/v2/timeseries/${userId}/cholesterol/${kind}?start_date=2026-01-01`)
      return body.map(field('type'))
    }
    expect(await typesOn('hdl')).toEqual(['hdl', 'cholesterol/hdl'])
    expect(await typesOn('ldl')).toEqual(['ldl'])
    expect(await typesOn('triglycerides')).toEqual([])
  })

  it('thousands of years apart are read, and deleted with their user, without a look at each day between', async () => {
    const userId = await wearer(petri)
    const samples = ['0001-01-01', '2026-01-04', '9999-12-30'].map((day) => ({
      timestamp: `${day}T12:00:00Z`,
      value: 60,
    }))
    await put(petri, userId, { resource: 'heartrate', provider: 'manual', samples })
    const lookUps = [vi.spyOn(petri.world().db, 'by'), vi.spyOn(petri.world().db, 'idsBy')]
    const query = 'start_date=0001-01-01&end_date=9999-12-31&provider=manual'
    const { groups } = (await grouped(userId, 'heartrate', query)).body
    expect(
      groups.manual[0].data.map(({ timestamp }: { timestamp: string }) => timestamp.slice(0, 10)),
    ).toEqual(['0001-01-01', '2026-01-04', '9999-12-30'])
    await deleteUser(petri, userId)
    await advance(petri, 8 * DAY_MS)
    expect(petri.world().db.count(storedSamples)).toBe(0)
    const count = lookUps.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    expect(count).toBeLessThan(5000)
    vi.restoreAllMocks()
  })

  it('are told of a thousand at a time', { tags: 'slow' }, async () => {
    const userId = await wearer(petri, [])
    const samples = Array.from({ length: 2500 }, (_, at) => ({
      timestamp: new Date(Date.parse('2026-01-01T00:00:00Z') + at * MINUTE_MS).toISOString(),
      value: 60,
    }))
    await put(petri, userId, { resource: 'heartrate', provider: 'polar', samples })
    expect(toldOf(petri, 'daily.data.heartrate.created').map(({ data }) => data.data.length)).toEqual([
      1000, 1000, 500,
    ])
  })
})
