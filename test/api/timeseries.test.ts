import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { connections } from '../../src/resources/connections/table.ts'
import { seriesTable } from '../../src/resources/timeseries/catalogue.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'
import { put, resourcesOfSome, wearer } from '../support/wearables.ts'

const petri = forEachTest(startTestWorld)

const grouped = (userId: string, slug: string, query = 'start_date=2025-12-01') =>
  petri.get(`/v2/timeseries/${userId}/${slug}/grouped?${query}`)

/** A user whose history is a year long, so that what is rare occurs too. */
async function longKnown(providers: readonly string[]) {
  const userId = await wearer(petri, providers)
  for (const row of petri.world().db.by(connections, 'user', userId)) {
    const from = petri.world().clock.now() - 365 * DAY_MS
    petri.world().db.put(connections, { ...row, periods: [{ from, until: null }] })
  }
  return userId
}

describe('every series', () => {
  it('answers grouped, in its unit, on both kinds of route', { tags: 'slow' }, async () => {
    const userId = await longKnown(['apple_health_kit', 'fitbit', 'freestyle_libre', 'oura'])
    const empty: string[] = []
    for (const { slug, older, unit } of seriesTable) {
      const query = 'start_date=2025-11-20&provider=apple_health_kit'
      const { status, body } = await grouped(userId, slug, query)
      expect(status, slug).toBe(200)
      const groups = body.groups.apple_health_kit ?? []
      if (groups.length === 0) empty.push(slug)
      for (const group of groups) {
        expect(group.source.provider).toBe('apple_health_kit')
        expect(new Set(group.data.map((sample: { unit: string }) => sample.unit))).toEqual(new Set([unit]))
      }
      if (!older || body.next_cursor) continue
      const list = await petri.get(`/v2/timeseries/${userId}/${slug}?${query}`)
      expect(list.body, slug).toEqual(groups.flatMap(({ data }: { data: unknown[] }) => data))
    }
    // What the phone does not have, and what befalls almost nobody or only some.
    const rare = ['wheelchair_push', 'workout_swimming_stroke', ...resourcesOfSome]
    const elsewhere = ['stress_level', 'carbohydrates', 'insulin_injection', 'note', 'workout_duration']
    const laboratory = ['cholesterol', 'ige', 'igg']
    expect(empty.filter((slug) => ![...rare, ...elsewhere, ...laboratory].includes(slug))).toEqual([])
  })

  it('is one of 51, 23 of which have an older route, and cholesterol one for each kind', async () => {
    const routes = petri.petri.operations.map(({ route }) => route)
    const ofSeries = routes.filter((route) => route.startsWith('GET /v2/timeseries/{user_id}/'))
    expect(ofSeries.filter((route) => route.endsWith('/grouped'))).toHaveLength(51)
    expect(ofSeries.filter((route) => !route.endsWith('/grouped'))).toHaveLength(27)
  })
})

describe('a window', () => {
  it('shows what the whole shows of it, page by page, whatever was put in', { tags: 'slow' }, async () => {
    const userId = await wearer(petri, ['fitbit', 'oura'], { fallback_time_zone: 'America/Santiago' })
    const samples = [3, 400, 7000].map((minutes) => ({
      timestamp: new Date(Date.parse('2025-12-30T00:00:30Z') + minutes * MINUTE_MS).toISOString(),
      value: 99,
    }))
    await put(petri, userId, { resource: 'heartrate', provider: 'fitbit', samples })
    await put(petri, userId, { resource: 'heartrate', provider: 'polar', samples })
    type Point = { timestamp: string; value: number }
    type Groups = Record<string, { data: Point[] }[]>
    const read = async (from: string, until: string, cursor = ''): Promise<[Groups, string]> => {
      const query = `start_date=${from}&end_date=${until}&next_cursor=${cursor}`
      const { body } = await grouped(userId, 'heartrate', query)
      return [body.groups, body.next_cursor ?? '']
    }
    const whole: Record<string, Point[]> = {}
    let cursor = ''
    do {
      const [groups, next] = await read('2025-12-20', '2026-01-05T08:00:00Z', cursor)
      for (const [provider, [group]] of Object.entries(groups))
        whole[provider] = [...(whole[provider] ?? []), ...(group?.data ?? [])]
      cursor = next
    } while (cursor)
    const hour = fc.integer({ min: 0, max: 15 * 24 })
    await fc.assert(
      fc.asyncProperty(hour, fc.integer({ min: 0, max: 2000 }), async (after, minutes) => {
        const from = Date.parse('2025-12-20T00:00:00Z') + after * HOUR_MS
        const first = from
        const last = Math.min(from + minutes * MINUTE_MS, Date.parse('2026-01-05T08:00:00Z'))
        const [groups] = await read(new Date(first).toISOString(), new Date(last).toISOString())
        for (const [provider, points] of Object.entries(whole)) {
          const inside = points.filter(({ timestamp }) => {
            const at = Date.parse(timestamp)
            return at >= first && at <= last
          })
          expect(groups[provider]?.[0]?.data ?? []).toEqual(inside)
        }
      }),
      { numRuns: rounds(10) },
    )
  })
})

describe('a series too long to be made in one go', () => {
  const path = (userId: string, slug: string, days: number) => {
    const start = new Date(Date.parse('2026-01-05T00:00:00Z') - days * DAY_MS).toISOString()
    return `/v2/timeseries/${userId}/${slug}?provider=apple_health_kit&start_date=${start}`
  }

  it('is answered in parts that are what its pages hold', { tags: 'slow' }, async () => {
    const userId = await longKnown(['apple_health_kit'])
    const whole = await petri.read(path(userId, 'heartrate', 20))
    const paged: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await petri.get(`${path(userId, 'heartrate/grouped', 20)}&next_cursor=${cursor}`)
      for (const { data } of page.body.groups.apple_health_kit ?? []) paged.push(...data)
      cursor = page.body.next_cursor
    }
    expect(JSON.stringify(whole).length).toBeGreaterThan(1_048_576)
    expect(whole).toEqual(paged)
  })

  it('lets other requests be answered meanwhile, and ends when its reader has gone', async () => {
    const userId = await longKnown(['apple_health_kit'])
    const headers = { 'x-service-api-key': petri.key }
    const response = await petri.petri.app.request(path(userId, 'heartrate', 365), { headers })
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    expect(await petri.get('/_petri/health')).toAnswer(200)
    await reader?.cancel()
    expect((await reader?.read())?.done).toBe(true)
  })
})
