import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { Query } from '../../src/resources/sense/schema.ts'
import { checkContinuousQuery, dropContinuousQuery } from '../../src/resources/sense/service.ts'
import { continuousQueries, resultTables, tasks } from '../../src/resources/sense/table.ts'
import { field } from '../support/field.ts'
import { changeUser, deleteUser } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { createContinuousQuery, per } from '../support/sense.ts'
import { advance, put, toldOf, wearer } from '../support/wearables.ts'

const NOW = '2026-01-05T09:00:00+00:00'
const heart = (func: string) => ({ func, arg: { timeseries: 'heartrate', field: 'value' } })
const daily = {
  slug: 'heart',
  title: 'Highest heart rate a day',
  query: { select: [{ group_key: '*' }, heart('max')], group_by: [per('day', 1, 'timeseries')] },
}

/** A user without connections, whose heart is asked about. */
async function asking(query: object = daily) {
  const petri = await startTestWorld()
  const userId = await wearer(petri, [])
  const { body, status } = await createContinuousQuery(petri, query)
  expect(status).toBe(200)
  const send = async (...beats: readonly [timestamp: string, value: number][]) => {
    const samples = beats.map(([timestamp, value]) => ({ timestamp, value }))
    expect(await put(petri, userId, { resource: 'heartrate', provider: 'oura', samples })).toAnswer(200)
  }
  return { petri, userId, send, queryId: body.id as string }
}
const path = (userId: string, what: string, of = 'heart') =>
  `/aggregate/v1/user/${userId}/continuous_query/${of}/${what}`
const tableOf = async (petri: TestPetri, userId: string) =>
  (await petri.read(path(userId, 'result_table'))).table
const historyOf = async (petri: TestPetri, userId: string) =>
  (await petri.read(path(userId, 'task_history'))).data
const changes = (petri: TestPetri) =>
  toldOf(petri, 'continuous_query.result_table.changed').map(field('data'))

describe('a continuous query', () => {
  it('is empty before there are data, and announces each row that is new or changed', async () => {
    const { petri, userId, send, queryId } = await asking()
    const empty = { 'group_key.0': [], 'max.heartrate': [] }
    expect(await tableOf(petri, userId)).toEqual(empty)
    expect(await historyOf(petri, userId)).toEqual([])
    await send(['2026-01-03T12:00:00Z', 60], ['2026-01-04T12:00:00Z', 61])
    expect(await tableOf(petri, userId)).toEqual({
      'group_key.0': ['2026-01-03T00:00:00', '2026-01-04T00:00:00'],
      'max.heartrate': [60, 61],
    })
    expect(changes(petri)).toEqual([
      [
        {
          query_id: queryId,
          query_slug: 'heart',
          data: { 'group_key.0': ['2026-01-03T00:00:00', '2026-01-04T00:00:00'], 'max.heartrate': [60, 61] },
        },
      ],
    ])
    // A smaller one on the same day changes nothing, and is not told of.
    await send(['2026-01-04T13:00:00Z', 55])
    await tableOf(petri, userId)
    expect(changes(petri)).toHaveLength(1)
    await send(['2026-01-04T14:00:00Z', 70], ['2026-01-05T08:00:00Z', 62])
    expect(await tableOf(petri, userId)).toMatchObject({ 'max.heartrate': [60, 70, 62] })
    expect(changes(petri)[1]?.[0].data).toEqual({
      'group_key.0': ['2026-01-04T00:00:00', '2026-01-05T00:00:00'],
      'max.heartrate': [70, 62],
    })
    expect(await historyOf(petri, userId)).toEqual(
      Array(3).fill({
        query_id: queryId,
        user_id: userId,
        status: 'completed',
        error_details: null,
        scheduled_at: NOW,
        started_at: NOW,
        ended_at: NOW,
      }),
    )
  })

  it('is evaluated once for changes of one instant, from the earliest on', async () => {
    const { petri, userId, send } = await asking()
    await petri.world().agenda.advanceTo(petri.world().clock.now())
    const later = ['2026-01-05T08:00:00Z', 62] as const
    await Promise.all([
      send([...later]),
      send(['2025-12-20T08:00:00Z', 50]),
      send(['2026-01-04T08:00:00Z', 63]),
    ])
    expect(await tableOf(petri, userId)).toMatchObject({ 'max.heartrate': [50, 63, 62] })
  })

  it('reads data of other resources not at all, and those of the day before for the sake of the clocks', async () => {
    const { petri, userId, send } = await asking()
    const samples = [{ start: '2026-01-04T12:00:00Z', end: '2026-01-04T12:15:00Z', value: 5 }]
    await put(petri, userId, { resource: 'steps', provider: 'oura', samples })
    expect(await historyOf(petri, userId)).toEqual([])
    await send(['2026-01-04T00:30:00Z', 60])
    expect(await historyOf(petri, userId)).toHaveLength(1)
    const zone = { fallback_time_zone: 'America/New_York' }
    expect(await changeUser(petri, userId, zone)).toAnswer(204)
    await send(['2026-01-04T00:40:00Z', 61])
    // The day before in New York; the one of London is not there any longer.
    expect(await tableOf(petri, userId)).toMatchObject({ 'group_key.0': ['2026-01-03T00:00:00'] })
  })

  it('is known by its id, its slug and its title, and is of its users alone', async () => {
    const { petri, userId, send, queryId } = await asking({ ...daily, title: 'Hearts' })
    const row = petri.world().db.get(continuousQueries, queryId)
    expect(row).toMatchObject({ slug: 'heart', title: 'Hearts', created_at: NOW, resource: 'heartrate' })
    await send(['2026-01-04T12:00:00Z', 61])
    const table = await tableOf(petri, userId)
    expect(await petri.read(path(userId, 'result_table', queryId))).toEqual({ table })
    for (const what of ['result_table', 'task_history']) {
      expect(await petri.get(path(userId, what, 'lungs'))).toRefuse(404, 'Not found')
      expect(await petri.get(path('2f1b5c9e-3d35-4b4e-8f43-6b1b7a3f0c11', what))).toAnswer(404)
    }
    const again = await createContinuousQuery(petri, daily)
    expect(again).toRefuse(409, 'The continuous query heart already exists.')
  })

  it.each([
    [
      { group_by: [], select: [heart('max')] },
      'group_by',
      'alignment and continuous queries need a date_trunc',
    ],
    [{ select: [heart('max')] }, 'select', 'alignment and continuous queries need all group keys'],
  ])('has groups of time, and selects all keys: %j', async (parts, part, reason) => {
    const petri = await startTestWorld()
    const query = { ...daily.query, ...parts }
    const input = query[part as 'select']
    expect(await createContinuousQuery(petri, { slug: 'none', title: '', query })).toRefuse(422, [
      { loc: ['body', 'query', part], msg: `Value error, ${reason}`, input },
    ])
  })

  it('by source fills empty groups with the values before, in each evaluation anew', async () => {
    const query = {
      select: [heart('max'), { group_key: '*' }],
      group_by: [{ source: 'source_provider' }, ...daily.query.group_by],
      align: { carry: { mode: 'carry_forward', max_age: { value: 3, unit: 'day' } } },
    }
    const { petri, userId, send } = await asking({ ...daily, query })
    await send(['2026-01-02T12:00:00Z', 60])
    const days = (...all: number[]) => all.map((day) => `2026-01-0${day}T00:00:00`)
    expect(await tableOf(petri, userId)).toEqual({
      'max.heartrate': [60, 60, 60, 60],
      'group_key.0': Array(4).fill('oura'),
      'group_key.1': days(2, 3, 4, 5),
    })
    await send(['2026-01-04T12:00:00Z', 70])
    expect(await tableOf(petri, userId)).toMatchObject({ 'max.heartrate': [60, 60, 70, 70] })
    expect(changes(petri)[1]?.[0].data).toEqual({
      'max.heartrate': [70, 70],
      'group_key.0': ['oura', 'oura'],
      'group_key.1': days(4, 5),
    })
    const samples = [{ timestamp: '2026-01-03T12:00:00Z', value: 50 }]
    await put(petri, userId, { resource: 'heartrate', provider: 'garmin', samples })
    expect(await tableOf(petri, userId)).toEqual({
      'max.heartrate': [60, 50, 60, 50, 70, 50, 70],
      'group_key.0': ['oura', 'garmin', 'oura', 'garmin', 'oura', 'garmin', 'oura'],
      'group_key.1': days(2, 3, 3, 4, 4, 5, 5),
    })
  })

  it('by source keeps the rows before the first change', async () => {
    const group_by = [{ source: 'source_provider' }, ...daily.query.group_by]
    const { petri, userId, send } = await asking({ ...daily, query: { ...daily.query, group_by } })
    await send(['2026-01-02T12:00:00Z', 60])
    await tableOf(petri, userId)
    await send(['2026-01-05T08:00:00Z', 70])
    expect(await tableOf(petri, userId)).toMatchObject({ 'max.heartrate': [60, 70] })
  })

  it('names the resource and the columns that it reads', () => {
    const nights = {
      select: [{ group_key: '*' }, { func: 'count', arg: { sleep: 'score' } }],
      group_by: [per('week', 1, 'sleep')],
    }
    expect(checkContinuousQuery(Query().parse(nights))).toEqual({
      resource: 'sleep',
      columns: ['group_key.0', 'count.score'],
    })
    const workouts = {
      select: [{ group_key: '*' }, { func: 'sum', arg: { workout: 'calories' } }],
      group_by: [per('week', 1, 'workout')],
    }
    expect(checkContinuousQuery(Query().parse(workouts)).resource).toBe('workouts')
  })

  it('prefers the providers of its own', async () => {
    const query_config = { provider_priority_overrides: ['garmin'] }
    const { petri, userId, send } = await asking({ ...daily, query_config })
    await send(['2026-01-04T12:00:00Z', 99])
    const samples = [{ timestamp: '2026-01-04T12:00:00Z', value: 50 }]
    await put(petri, userId, { resource: 'heartrate', provider: 'garmin', samples })
    expect(await tableOf(petri, userId)).toMatchObject({ 'max.heartrate': [50] })
  })

  it('of a user who was deleted meanwhile is skipped', async () => {
    const { petri, userId, send } = await asking()
    await advance(petri, 0)
    const clock = petri.world().clock.now()
    await send(['2026-01-04T12:00:00Z', 60])
    await deleteUser(petri, userId)
    await petri.world().agenda.advanceTo(clock + HOUR_MS)
    const statuses = [...petri.world().db.all(tasks)].map(field('status'))
    expect(statuses.filter((status) => status === 'scheduled')).toEqual([])
  })

  it('of more than ten thousand rows is an error, and keeps what it had', { tags: 'slow' }, async () => {
    const { petri, userId, send, queryId } = await asking()
    const { db } = petri.world()
    const past = (count: number) => {
      const lines = Array.from({ length: count }, (_, nth) => {
        const begin = new Date(nth * DAY_MS).toISOString().slice(0, 19)
        return { keys: [begin], cells: [begin, 60] }
      })
      db.put(resultTables, { query_id: queryId, user_id: userId, lines })
    }
    past(10_000)
    await send(['2026-01-04T12:00:00Z', 61])
    expect((await historyOf(petri, userId))[0]).toMatchObject({
      status: 'error',
      error_details: 'its table has more than 10000 rows',
      ended_at: NOW,
    })
    expect((await tableOf(petri, userId))['max.heartrate']).toHaveLength(10_000)
    expect(changes(petri)).toEqual([])
    past(9999)
    await send(['2026-01-04T12:00:00Z', 62])
    const { 'max.heartrate': cells } = await tableOf(petri, userId)
    expect([cells.length, cells.at(-1)]).toEqual([10_000, 62])
  })

  it('keeps its last two hundred evaluations, latest first', async () => {
    const { petri, userId, send, queryId } = await asking()
    const world = petri.world()
    for (let nth = 0; nth < 198; nth++)
      world.db.put(tasks, {
        query_id: queryId,
        user_id: userId,
        ordinal: world.next('query_task'),
        status: 'completed',
        scheduled_at: '2026-01-01T00:00:00+00:00',
        started_at: null,
        ended_at: null,
        error_details: null,
      })
    for (let nth = 0; nth < 4; nth++) {
      await send([`2026-01-04T12:00:0${nth}Z`, 60])
      await advance(petri, 1000)
    }
    const body = await petri.read(`${path(userId, 'task_history')}?limit=500`)
    const times = body.data.map(field('scheduled_at'))
    expect(times).toHaveLength(200)
    expect(times.slice(0, 5).map((text: string) => text.slice(11, 19))).toEqual([
      '09:00:03',
      '09:00:02',
      '09:00:01',
      '09:00:00',
      '00:00:00',
    ])
    expect(world.db.count(tasks)).toBe(200)
  })

  it('is forgotten with its results, and each week so are users who are gone', async () => {
    const { petri, userId, send, queryId } = await asking()
    await send(['2026-01-04T12:00:00Z', 60])
    await tableOf(petri, userId)
    const { db } = petri.world()
    const counts = () => [db.count(resultTables), db.count(tasks)]
    await advance(petri, 8 * DAY_MS)
    expect(counts()).toEqual([1, 1])
    await deleteUser(petri, userId)
    await advance(petri, 21 * DAY_MS)
    expect(counts()).toEqual([0, 0])
    const other = await wearer(petri, [], { client_user_id: 'bob' })
    const samples = [{ timestamp: '2026-01-04T12:00:00Z', value: 50 }]
    await put(petri, other, { resource: 'heartrate', provider: 'oura', samples })
    await tableOf(petri, other)
    expect(counts()).toEqual([1, 1])
    dropContinuousQuery(petri.world(), queryId)
    expect(counts()).toEqual([0, 0])
    await put(petri, other, { resource: 'heartrate', provider: 'oura', samples })
    expect(counts()).toEqual([0, 0])
  })
})
