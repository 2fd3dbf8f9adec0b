import { describe, expect, it } from 'vitest'
import { FeedReader } from '../../src/scenarios/incidents/feed-record.ts'
import { writeFeed } from '../../src/scenarios/incidents/feed-text.ts'
import { readFeed } from '../../src/scenarios/read.ts'

const START = Date.parse('2026-01-05T00:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const USER = '4a29dbc7-6db3-4c83-bfac-70a20a4be1b2'

const iso = (at: number) => new Date(at).toISOString()
const point = (minutes: number, more: object = {}) => ({
  timestamp: iso(START + minutes * MINUTE),
  unit: 'bpm',
  value: 60,
  ...more,
})
const source = { provider: 'fitbit', type: 'watch' }
const created = (resource: string, data: readonly object[], what = 'created') => ({
  event_type: `daily.data.${resource}.${what}`,
  user_id: USER,
  data: { source, data },
})
const received = (hours: number, body: object, id?: string) => ({
  received_at: iso(START + hours * HOUR),
  ...(id !== undefined && { headers: { 'svix-id': id } }),
  body,
})
const connection = (what: string, more: object = {}) => ({
  event_type: `provider.${what}`,
  user_id: USER,
  data: { provider: { slug: 'fitbit' }, ...more },
})
/** Points each ten minutes of these hours. */
const points = (from: number, until: number, more: object = {}) =>
  Array.from({ length: (until - from) * 6 }, (_, at) => point(from * 60 + at * 10, more))

const readerOf = (...documents: unknown[]) => {
  const reader = new FeedReader()
  for (const document of documents) reader.add(document)
  return reader
}
function stepsOf(...documents: unknown[]): string[] {
  const { source } = writeFeed(readerOf(...documents).finish(), 'mine')
  readFeed(source, 'mine.yaml')
  return source
    .split('\n')
    .filter((line) => line.startsWith('  - '))
    .map((line) => line.slice(6, -2))
}

describe('a record of health data', () => {
  const hour = created('heartrate', points(0, 1))

  it('is of nothing unusual, if its data came as they were measured', () => {
    const log = [1, 2, 3, 4].map((each) => received(each, created('heartrate', points(each - 1, each))))
    expect(stepsOf(...log)).toEqual([])
    expect(writeFeed(readerOf(...log).finish(), 'mine').source).toContain(
      'summary: "Repeats the data of fitbit: nothing unusual."',
    )
  })

  it('has a message that was delivered twice once, and data of two messages twice', () => {
    const begun = received(0, connection('connection.created'))
    expect(stepsOf(begun, received(1, hour, 'a'), received(1, hour, 'a'))).toEqual([])
    expect(stepsOf(begun, received(1, hour, 'a'), received(1, hour, 'b'))).toEqual([
      'after: 0s, duplicate: 51m, of: [ heartrate ]',
    ])
  })

  it('has what two pages of an export share once, and two groups of one page twice', () => {
    const group = { source, data: points(0, 1) }
    const page = (...groups: object[]) => ({ groups: { fitbit: groups } })
    expect(stepsOf(page(group), page(group))).toEqual([])
    expect(stepsOf(page(group, group))).toEqual(['after: 0s, duplicate: 51m'])
  })

  it('reads samples without a source, and pages in lists', () => {
    const { provider, streams } = readerOf(points(0, 1)).finish()
    expect({ provider, count: streams[0]?.samples.size }).toEqual({ provider: undefined, count: 6 })
    expect(writeFeed(readerOf({ data: points(0, 1) }).finish(), 'mine').notes).toContain(
      'The record names no provider.',
    )
  })

  it.each([
    [-18_000, 'America/New_York'],
    [32_400, 'Asia/Tokyo'],
    [20_700, undefined],
    [14_400, 'Etc/GMT-4'],
    [-36_000, 'Etc/GMT+10'],
  ])('has a time zone with the offset of its samples: %s', (timezone_offset, zone) => {
    const expected = zone === undefined ? [] : [`after: 0s, time_zone: ${zone}`]
    expect(stepsOf(created('heartrate', points(0, 1, { timezone_offset })))).toEqual(expected)
  })

  it('has a flight there and back, each on the day before the first data of the place', () => {
    const day = (date: number, timezone_offset: number, localMidnight: number) =>
      created(
        'heartrate',
        points(localMidnight + 24 * date, localMidnight + 24 * date + 20, { timezone_offset }),
      )
    const steps = stepsOf(day(0, -18_000, 5), day(1, 32_400, -9 + 24), day(3, -18_000, 5 + 24))
    expect(steps.flatMap((step) => /time_zone: (.*)$/.exec(step)?.[1] ?? [])).toEqual([
      'America/New_York',
      'Asia/Tokyo',
      'America/New_York',
    ])
  })

  it('has errors and what follows them, and no gap while the connection was broken', () => {
    const failed = (hours: number, error_type: string) =>
      received(hours, connection('connection.error', { error_type, provider: 'fitbit' }))
    const begun = received(0, connection('connection.created'))
    const again = received(12, connection('connection.created'))
    const log = [begun, received(1, hour), failed(2, 'token_refresh_failed'), again]
    expect(stepsOf(...log, received(14, created('heartrate', points(12, 14))))).toEqual([
      'after: 2h, error: token_refresh_failed',
      'after: 10h, reconnect: true',
    ])
    // Nothing of the history had come by then.
    expect(stepsOf(begun, failed(2, 'unheard_of'), failed(3, 'unknown'))).toEqual([
      'after: 0s, history: { takes: 4h }',
      'after: 2h, error: unknown',
    ])
  })

  it('has a workout that became another sport', () => {
    const workout = (hours: number, slug: string, what: string) =>
      received(hours, {
        event_type: `daily.data.workouts.${what}`,
        user_id: USER,
        data: { id: 'w', source, calendar_date: '2026-01-05', sport: { id: 1, name: slug, slug } },
      })
    const begun = received(0, connection('connection.created'))
    const log = [begun, workout(1, 'running', 'created'), workout(26, 'running', 'updated')]
    expect(stepsOf(...log, workout(27, 'padel_tennis', 'updated'))).toEqual([
      'after: 1d3h, correct: { resource: workouts, day: -1, values: { sport: { id: 1, name: padel_tennis, slug: padel_tennis } } }',
    ])
  })

  it('has other devices without their ids', () => {
    const device = (what: string, more: object) =>
      connection(`device.${what}`, {
        provider: 'fitbit',
        source_type: 'watch',
        device_model: 'Watch',
        device_version: '1.0',
        device_id: 'SECRET1',
        ...more,
      })
    const log = [
      received(0, connection('connection.created')),
      received(0, device('created', {})),
      received(5, device('updated', { device_version: '2.0' })),
      received(6, device('updated', { device_version: '2.0', device_model: 'New', device_id: 'SECRET2' })),
      received(7, device('created', { source_type: 'phone', device_model: 'Phone' })),
    ]
    expect(stepsOf(...log)).toEqual([
      'after: 5h, device: { device_version: "2.0" }',
      expect.stringMatching(/^after: 1h, device: \{ device_model: New, device_id: "?0000\d+"? \}$/),
      'after: 1h, device: { device_model: Phone, device_version: "1.0" }, source_type: phone',
    ])
  })

  it('has a sample that grew while it was measured, without a correction', () => {
    const bucket = (value: number) => ({ ...point(0), start: iso(START), end: iso(START + HOUR), value })
    const log = (hours: number) => [
      received(hours, created('steps', [bucket(10)])),
      received(hours + 2, created('steps', [bucket(40)], 'updated')),
    ]
    expect(stepsOf(...log(0.5))).toEqual([])
    expect(stepsOf(received(0, connection('connection.created')), ...log(1))).toEqual([
      expect.stringContaining('change: 1m, by: 4, of: [ steps'),
    ])
  })

  it('has no more steps than a file may have', () => {
    const alerts = Array.from({ length: 120 }, (_, at) =>
      point(at * 60, { type: 'high_heart_rate', value: 1 }),
    )
    const { source, notes } = writeFeed(readerOf(created('heart_rate_alert', alerts)).finish(), 'mine')
    expect(readFeed(source, 'mine.yaml').steps).toHaveLength(100)
    expect(notes).toContain('Left out 20 steps after the first 100.')
  })

  it.each([
    [[5, 'text', null, {}], 'These are neither samples, nor summaries, nor webhooks of health data.'],
    [[{ event_type: 'labtest.order.created', data: { id: USER } }], 'These are neither samples'],
    [[{ event_type: 'daily.data.steps.created' }], 'These are neither samples'],
    [[created('steps', [])], 'Nothing here says when it was measured.'],
    [[created('steps', [{ timestamp: 'soon' }, 5 as never])], 'Nothing here says when it was measured.'],
    [[{ activity: [{ user_id: USER, source, date: 'soon' }] }], 'Nothing here says when it was measured.'],
  ])('of something else is refused in a sentence: %j', (documents, message) => {
    expect(() => readerOf(...documents).finish()).toThrow(message)
  })
})
