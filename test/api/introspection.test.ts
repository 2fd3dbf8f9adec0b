import { describe, expect, it } from 'vitest'
import { failConnection } from '../../src/resources/connecting/service.ts'
import { field } from '../support/field.ts'
import { browse, newToken } from '../support/link.ts'
import { advance, connectDemo, createUser } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

const petri = forEachTest()

async function demoUser(name = 'ada', provider = 'fitbit'): Promise<string> {
  const user_id = await createUser(petri, name)
  await connectDemo(petri, user_id, provider)
  return user_id
}

const resources = (query = '') => petri.read(`/v2/introspect/resources${query}`)
const pulls = (query = '') => petri.read(`/v2/introspect/historical_pull${query}`)

describe('the resources of a connection', () => {
  it('show the sent data and their dates, event by event', { tags: 'slow' }, async () => {
    const user_id = await demoUser()
    await advance(petri, '1m')
    const found = (await resources()).data[0].provider.fitbit
    const first = found.steps
    // Of a summary, they are the stamps of its first and last rows.
    for (const [name, stamp] of [
      ['activity', 'date'],
      ['sleep', 'date'],
      ['body', 'date'],
      ['workouts', 'time_start'],
    ] as const) {
      const rows = await petri.read(`/v2/summary/${name}/${user_id}?start_date=2025-12-06`)
      const stamps = rows[name].map((row: Record<string, string>) => row[stamp]).sort()
      expect([name, found[name].oldest_data, found[name].newest_data]).toEqual([
        name,
        stamps[0],
        stamps.at(-1),
      ])
    }
    expect(first).toMatchObject({
      last_attempt: { timestamp: '2026-01-05T09:01:00+00:00', status: 'success' },
      oldest_data: '2025-12-06T09:45:00+00:00',
    })
    await advance(petri, '1d')
    const later = (await resources()).data[0].provider.fitbit.steps
    expect(later.last_attempt).toEqual({ timestamp: '2026-01-06T08:00:00+00:00', status: 'success' })
    const body = await petri.read(
      `/v2/timeseries/${user_id}/steps/grouped?start_date=2026-01-05T00:00:00Z&end_date=2026-01-06T08:00:00Z`,
    )
    const groups = Object.values(body.groups).flat() as { data: { start: string }[] }[]
    const readable = groups.flatMap(({ data }) => data)
    expect(later.sent_count).toBeGreaterThanOrEqual(readable.length)
    expect(Date.parse(later.newest_data)).toBeGreaterThan(Date.parse('2026-01-05T20:00:00Z'))
  })

  it('failed when the connection is broken', async () => {
    const user_id = await demoUser()
    await advance(petri, '1h')
    failConnection(petri.world(), user_id, 'fitbit', { errorType: 'user_not_found', message: 'Gone.' })
    expect((await resources()).data[0].provider.fitbit.sleep.last_attempt).toEqual({
      timestamp: '2026-01-05T10:00:00+00:00',
      status: 'failure',
    })
  })

  it('are paginated by user, and later users do not move pages', async () => {
    const users: string[] = []
    for (const name of ['ada', 'grace', 'joan']) users.push(await demoUser(name))
    await createUser(petri, 'unconnected')
    const idsOf = (page: { data: { user_id: string }[] }) => page.data.map(field('user_id'))
    const first = await resources('?user_limit=2')
    expect(idsOf(first)).toEqual(users.slice(0, 2))
    expect(first.next).toBe(first.next_cursor)
    users.push(await demoUser('mary'))
    const second = await resources(`?user_limit=2&next_cursor=${first.next_cursor}`)
    expect(idsOf(second)).toEqual(users.slice(2))
    expect(second.next_cursor).toBeNull()
    expect(await resources(`?user_limit=2&cursor=${first.next}`)).toEqual(second)
    expect(await petri.get('/v2/introspect/resources?next_cursor=x')).toAnswer(400)
    expect(await petri.get('/v2/introspect/resources?user_limit=0')).toAnswer(422)
  })

  it('can be asked for one user, and one provider', async () => {
    const ada = await demoUser('ada', 'fitbit')
    await connectDemo(petri, ada, 'oura')
    const grace = await demoUser('grace', 'oura')
    const keysOf = (page: { data: { user_id: string; provider: object }[] }) =>
      page.data.map(({ user_id, provider }) => [user_id, ...Object.keys(provider)])
    expect(keysOf(await resources(`?user_id=${ada}`))).toEqual([[ada, 'fitbit', 'oura']])
    expect(keysOf(await pulls('?provider=oura'))).toEqual([
      [ada, 'oura'],
      [grace, 'oura'],
    ])
    expect(await pulls('?provider=labcorp')).toMatchObject({ data: [] })
    expect(await petri.get('/v2/introspect/resources?provider=labcorp')).toAnswer(422)
  })
})

describe('the history of a connection', () => {
  it('has as many days with data as can be read', { tags: 'slow' }, async () => {
    const user_id = await demoUser()
    await advance(petri, '1m')
    const { pulled } = (await pulls()).data[0].provider.fitbit
    const range = 'start_date=2025-12-06T00:00:00Z&end_date=2026-01-05T08:59:59Z'
    const daysOf = async (slug: string) => {
      const days = new Set<number>()
      for (let cursor = ''; ; ) {
        const body = await petri.read(`/v2/timeseries/${user_id}/${slug}/grouped?${range}${cursor}`)
        const groups = Object.values(body.groups).flat() as { data: { timestamp: string }[] }[]
        for (const { timestamp } of groups.flatMap(({ data }) => data))
          days.add(Math.floor((Date.parse(timestamp) - Date.parse('2025-12-06T00:00:00Z')) / 86_400_000))
        if (body.next_cursor === null) return days.size
        cursor = `&next_cursor=${body.next_cursor}`
      }
    }
    expect(pulled.weight.days_with_data).toBeLessThan(30)
    expect(pulled.heartrate.days_with_data).toBeGreaterThan(24)
    const named = { weight: 'body_weight', heartrate: 'heartrate', hrv: 'hrv', steps: 'steps' }
    for (const [name, slug] of Object.entries(named))
      expect(pulled[name].days_with_data, name).toBe(await daysOf(slug))
    const workouts = await petri.read(`/v2/summary/workouts/${user_id}?${range}`)
    const dates = workouts.workouts.map(field('calendar_date'))
    expect(pulled.workouts.days_with_data).toBe(new Set(dates).size)
  })

  it('is fetched, and then there', { tags: 'slow' }, async () => {
    await demoUser()
    const steps = async () => (await pulls()).data[0].provider.fitbit.pulled.steps
    expect(await steps()).toEqual({
      status: 'in_progress',
      range_start: '2025-12-06T00:00:00+00:00',
      range_end: '2026-01-05T09:00:00+00:00',
      timeline: {
        scheduled_at: '2026-01-05T09:00:00+00:00',
        started_at: '2026-01-05T09:00:00+00:00',
        ended_at: null,
      },
      days_with_data: 0,
      release: 'petri',
      trace_id: null,
      error_details: null,
    })
    await advance(petri, '1h')
    expect(await steps()).toMatchObject({
      status: 'success',
      timeline: { ended_at: '2026-01-05T09:01:00+00:00' },
      days_with_data: expect.any(Number),
    })
  })

  it('was not fetched where the connection broke first', async () => {
    const user_id = await demoUser()
    failConnection(petri.world(), user_id, 'fitbit', { errorType: 'unknown', message: 'Broken.' })
    await advance(petri, '1h')
    expect((await pulls()).data[0].provider.fitbit.pulled.steps).toMatchObject({
      status: 'failure',
      error_details: 'non_retriable_error',
      timeline: { ended_at: null },
    })
  })

  it('is fetched once more when many are', { tags: 'slow' }, async () => {
    const user_id = await createUser(petri)
    await browse(petri, `/v2/link/connect/oura?state=${await newToken(petri, user_id)}&code=1`)
    await advance(petri, '1h')
    const body = { provider: 'oura', user_ids: [user_id], wait_for_completion: true }
    await petri.post('/v2/link/bulk_trigger_historical_pull', body)
    const sleep = async () => (await pulls()).data[0].provider.oura.pulled.sleep
    expect(await sleep()).toMatchObject({
      status: 'scheduled',
      timeline: { scheduled_at: '2026-01-05T10:00:00+00:00', started_at: null, ended_at: null },
    })
    await advance(petri, '1h')
    expect(await sleep()).toMatchObject({
      status: 'success',
      timeline: { ended_at: '2026-01-05T10:10:00+00:00' },
    })
  })
})
