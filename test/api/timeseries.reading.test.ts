import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { fromCursor, takePage, toCursor } from '../../src/resources/timeseries/read.ts'
import { field } from '../support/field.ts'
import { MIDNIGHT } from '../support/made-day.ts'
import { refusal, startTestWorld, type TestPetri } from '../support/petri.ts'
import { put, wearer } from '../support/wearables.ts'

const at = (hours: number) => new Date(MIDNIGHT + hours * HOUR_MS).toISOString()

const read = async (petri: TestPetri, userId: string, query: string, path = 'heartrate/grouped') =>
  petri.get(`/v2/timeseries/${userId}/${path}?${query}`)
const point = (timestamp: string, value: number) => ({ timestamp, value })

/** A user with measurements of three sources that were put in. */
async function measured() {
  const petri = await startTestWorld()
  const userId = await wearer(petri, [])
  const add = (provider: string, source_type: string, ...samples: object[]) =>
    put(petri, userId, { resource: 'heartrate', provider, source_type, samples })
  await add('polar', 'watch', point(at(10), 61), point(at(12), 63))
  await add('garmin', 'watch', point(at(11), 62), point(at(12), 64))
  await add('polar', 'chest_strap', point(at(9), 60))
  return { petri, userId }
}

describe('a series', () => {
  it('is grouped by provider, and by device within it', async () => {
    const { petri, userId } = await measured()
    const { body } = await read(petri, userId, `start_date=${at(0)}`)
    const values = (provider: string) =>
      body.groups[provider].map(
        ({ source, data }: { source: { type: string }; data: { value: number }[] }) => [
          source.type,
          ...data.map(field('value')),
        ],
      )
    expect(Object.keys(body.groups)).toEqual(['polar', 'garmin'])
    expect(values('polar')).toEqual([
      ['watch', 61, 63],
      ['chest_strap', 60],
    ])
    expect(values('garmin')).toEqual([['watch', 62, 64]])
    expect(body).toMatchObject({ next: null, next_cursor: null })
    const only = await read(petri, userId, `start_date=${at(0)}&provider=garmin`)
    expect(only.body.groups).toEqual({ garmin: body.groups.garmin })
    expect((await read(petri, userId, `start_date=${at(13)}`)).body.groups).toEqual({})
  })

  it('is one row on the older route, of one instant in the order of the groups', async () => {
    const { petri, userId } = await measured()
    const row = async (query: string) =>
      (await read(petri, userId, query, 'heartrate')).body.map(field('value'))
    expect(await row(`start_date=${at(0)}`)).toEqual([60, 61, 62, 63, 64])
    expect(await row(`start_date=${at(10)}&end_date=${at(11)}`)).toEqual([61, 62])
    expect(await row(`start_date=${at(0)}&provider=polar`)).toEqual([60, 61, 63])
  })

  it('without an end goes up to now', async () => {
    const { petri, userId } = await measured()
    const now = '2026-01-05T09:00:00.000Z'
    const later = '2026-01-05T09:00:01.000Z'
    await put(petri, userId, {
      resource: 'heartrate',
      provider: 'polar',
      samples: [point(now, 70), point(later, 71)],
    })
    const values = async (query: string) =>
      (await read(petri, userId, `start_date=2026-01-05&${query}`, 'heartrate')).body.map(field('value'))
    expect(await values('')).toEqual([70])
    expect(await values('end_date=2026-01-05')).toEqual([70, 71])
  })

  it.each([
    ['2026-01-04T00:00:00Z', '2026-01-11T00:00:00Z', 200],
    ['2026-01-04T00:00:00Z', '2026-01-11T00:00:01Z', 400],
    ['2025-12-29T09:00:00Z', '', 200],
    ['2025-12-29T08:59:59Z', '', 400],
  ])('in a limited sandbox spans seven days: from %s to "%s" is a %i', async (from, until, status) => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, [])
    petri.world().setSettings({ features: { sandbox_limits: true } })
    for (const path of ['heartrate/grouped', 'heartrate']) {
      const answer = await read(petri, userId, `start_date=${from}${until && `&end_date=${until}`}`, path)
      expect(answer).toAnswer(status)
      if (status === 400)
        expect(answer.body.detail).toBe(
          'GET requests to timeseries endpoints are limited to 7 days in Sandbox',
        )
    }
  })

  it('is of a user that exists', async () => {
    const petri = await startTestWorld()
    for (const path of ['heartrate/grouped', 'heartrate'])
      expect(
        await read(petri, '2f1b5c9e-3d35-4b4e-8f43-6b1b7a3f0c11', 'start_date=2026-01-01', path),
      ).toAnswer(404)
  })
})

describe('a cursor', () => {
  it('continues at its instant, by either name, and an empty one begins', async () => {
    const { petri, userId } = await measured()
    const cursor = toCursor('heartrate', MIDNIGHT + 11 * HOUR_MS)
    const values = async (query: string) => {
      const { body } = await read(petri, userId, `start_date=${at(0)}&${query}`)
      const groups = Object.values(body.groups).flat() as { data: { value: number }[] }[]
      return groups.flatMap(({ data }) => data.map(field('value'))).sort()
    }
    expect(await values(`next_cursor=${cursor}`)).toEqual([62, 63, 64])
    expect(await values(`cursor=${cursor}`)).toEqual([62, 63, 64])
    expect(await values(`next_cursor=${cursor}&cursor=nonsense`)).toEqual([62, 63, 64])
    for (const empty of ['next_cursor=', 'cursor=null', 'next_cursor=null'])
      expect(await values(empty)).toHaveLength(5)
    // It does not go back before the window.
    expect(await values(`next_cursor=${toCursor('heartrate', 0)}`)).toHaveLength(5)
  })

  it.each([
    'abc',
    toCursor('steps', 1000),
    `${toCursor('heartrate', 1000)}=`,
    Buffer.from('heartrate:').toString('base64url'),
  ])('that is none of the series is refused: %s', async (cursor) => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, [])
    expect(await read(petri, userId, `start_date=${at(0)}&next_cursor=${cursor}`)).toMatchObject(
      refusal(400, `Invalid next_cursor: ${cursor}`),
    )
  })

  it.each([0, -62_135_596_800_000, 1_767_000_000_000, 1_767_000_000_000.125, 999_999_999_999_999])(
    'reads as the instant it was written with: %s',
    (instant) => expect(fromCursor('heart_rate_alert', toCursor('heart_rate_alert', instant))).toBe(instant),
  )

  it.each([
    'steps:1e3',
    'steps:01',
    ' steps:1',
    'steps:1 ',
    'steps:1.1234567',
    'steps:1234567890123456',
    'Steps:1',
    'steps:--1',
  ])('with the text %s is none', (text) =>
    expect(fromCursor('steps', Buffer.from(text).toString('base64url'))).toBeUndefined(),
  )
})

describe('a page', () => {
  const feed = (...starts: number[]) => starts.map((start) => ({ start })).values()
  const starts = (parts: readonly (readonly { start: number }[])[]) =>
    parts.map((part) => part.map(field('start')))

  it.each([
    [1, [[1], []], 2],
    [2, [[1], [2, 2]], 3],
    [3, [[1], [2, 2]], 3],
    [
      4,
      [
        [1, 3],
        [2, 2, 3],
      ],
      4,
    ],
    [
      6,
      [
        [1, 3, 4],
        [2, 2, 3],
      ],
      null,
    ],
    [
      7,
      [
        [1, 3, 4],
        [2, 2, 3],
      ],
      null,
    ],
  ])('of %i samples holds those of its last instant whole', async (most, parts, nextFrom) => {
    const page = await takePage([feed(1, 3, 4), feed(2, 2, 3)], most)
    expect(starts(page.parts)).toEqual(parts)
    expect(page.nextFrom).toBe(nextFrom)
  })

  it('of nothing is empty', async () => {
    expect(await takePage([feed(), feed()])).toEqual({ parts: [[], []], nextFrom: null })
    expect(await takePage([])).toEqual({ parts: [], nextFrom: null })
  })
})
