import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { DAY_MS, toDate, toWire } from '../../src/kernel/instant.ts'
import { connectionErrors } from '../../src/resources/connections/schema.ts'
import { storedSummaries } from '../../src/resources/summaries/table.ts'
import { follower } from '../support/feeds.ts'
import { field } from '../support/field.ts'
import { advance } from '../support/orders.ts'
import { forEachTest, startTestWorld, type TestPetri } from '../support/petri.ts'
import { toldOf } from '../support/wearables.ts'

// Each kind of step: what it requires, what it accepts and how it is described.

const petri = forEachTest(startTestWorld)

const put = (steps: readonly object[], more: object = {}) => {
  const source = JSON.stringify({ name: 'mine', summary: 'A test.', kind: 'feed', steps, ...more })
  return petri.put('/_petri/scenarios/mine', { source })
}
/** How a step is described, or why it is refused. */
async function resultOf(step: object): Promise<string[]> {
  const { status, body } = await put([{ after: '1h', ...step }])
  if (status === 200) return body.steps.map(field('does'))
  return body.detail.map(field('msg'))
}

const described: [object, string][] = [
  [{ gap: '8h' }, 'nothing is seen for 8 h; it never arrives'],
  [{ gap: '8h', arrives: '2h' }, 'nothing is seen for 8 h; it arrives 2 h after its end'],
  [{ gap: '8h', arrives: '0s' }, 'nothing is seen for 8 h; it arrives at its end'],
  [{ outage: '10h' }, 'the provider hands over nothing for 10 h, then all of it'],
  [{ duplicate: '2d' }, 'all series come twice for 2 d'],
  [{ duplicate: '2d', of: ['steps', 'heartrate'] }, 'steps, heartrate come twice for 2 d'],
  [{ change: '3h', by: 0.8 }, 'all series are 0.8 times what they were for 3 h'],
  [
    { change: '3h', by: 0.8, of: ['steps'], arrives: '6h' },
    'steps are 0.8 times what they were for 3 h; the correction arrives 6 h after its end',
  ],
  [
    { incomplete: '3h', by: 0.5, arrives: '2h' },
    'all series come with 0.5 of their values for 3 h; the rest of each arrives 2 h after its end',
  ],
  [{ second_source: '1d', source_type: 'phone' }, 'a phone sends all series as well for 1 d'],
  [
    { second_source: '1d', source_type: 'phone', of: ['steps'], by: 0.9 },
    'a phone sends steps as well for 1 d',
  ],
  [{ time_zone: 'Asia/Tokyo' }, 'the wearer spends the next local day in Asia/Tokyo'],
  [{ skip_days: 0.3 }, '0.3 of the days have no data from then on'],
  [{ skip_days: 0.3, for: '10d' }, '0.3 of the days have no data for 10 d'],
  [{ worn: '8h' }, 'the device is worn 8 h a day from then on'],
  [{ worn: '8h', for: '10d' }, 'the device is worn 8 h a day for 10 d'],
  [{ history: { takes: '6h' } }, 'the history takes 6 h'],
  [{ history: { comes: 'daily' } }, 'the history comes as daily events alone'],
  [{ history: { comes: 'daily', takes: '1h' } }, 'the history comes as daily events alone and takes 1 h'],
  [{ disconnect: true }, 'the user disconnects'],
  [{ pause: true }, 'the connection is paused, without an event'],
  [{ error: 'unknown' }, 'the connection breaks: unknown'],
  [{ error: 'unknown', message: 'Gone.' }, 'the connection breaks: unknown'],
  [{ device: { device_model: 'Sense' } }, 'the usual device is another: Sense'],
  [
    { device: { device_model: 'Sense', device_version: '2' }, source_type: 'watch' },
    'the watch device is another: Sense, 2',
  ],
  [{ sample: { resource: 'heartrate', value: 190 } }, 'one heartrate of 190'],
  [
    { sample: { resource: 'blood_pressure', value: 1, type: 'x', lasts: '5m' } },
    'one blood_pressure (x) of 1',
  ],
  [
    { correct: { resource: 'sleep', day: -1, values: { total: 25_200, score: 61 } } },
    'sleep of day -1 is corrected: total, score',
  ],
  [
    { trim: { resource: 'sleep', day: 0, start: '20m', end: '1h' } },
    'sleep of day 0 loses 20 min at its start and 1 h at its end',
  ],
  [
    { trim: { resource: 'workouts', day: -1, end: '1h' } },
    'workouts of day -1 loses 0 s at its start and 1 h at its end',
  ],
  [{ merge: { resource: 'workouts', day: -1 } }, 'the first two workouts of day -1 become one'],
  [{ delete: { resource: 'activity', day: -30 } }, 'activity of day -30 is deleted'],
]

describe('a step that corrects a summary', () => {
  const sleepsOf = async (user: string) =>
    (await petri.read(`/v2/summary/sleep/${user}?start_date=2026-01-05&end_date=2026-01-06`)).sleep
  const correction = { resource: 'sleep', day: -1, values: { total: 25_200, score: 61 } }

  it('changes the named fields of that night, and announces it as an update', { tags: 'slow' }, async () => {
    await put([{ after: '60h', correct: correction }])
    const user = await follower(petri, 'mine')
    await advance(petri, '59h')
    const lastNight = async () =>
      (await sleepsOf(user)).findLast(({ type }: { type: string }) => type === 'long_sleep')
    const before = await lastNight()
    await advance(petri, '2h')
    const after = await lastNight()
    expect(after).toMatchObject({ id: before.id, total: 25_200, score: 61 })
    expect(after.bedtime_start).toBe(before.bedtime_start)
    const updates = toldOf(petri, 'daily.data.sleep.updated').map(({ data }) => data.total)
    expect(updates).toContain(25_200)
  })

  it.each([
    [{ ...correction, resource: 'slep' }, 'Did you mean "sleep"?'],
    [{ ...correction, values: {} }, 'names no field'],
    [
      { ...correction, values: { totl: 1 } },
      'values names "totl", which is not a field of sleep. Did you mean "total"?',
    ],
    [{ ...correction, values: { constructor: 1 } }, 'names "constructor", which is not a field of sleep'],
    [{ ...correction, values: { id: 'x' } }, 'names "id", which is not a field of sleep'],
    [{ ...correction, values: { total: '7h' } }, 'gives total "7h": '],
    [{ ...correction, values: { total: -5 } }, 'gives total -5, which is below 0'],
    [{ ...correction, day: 1 }, 'day'],
    [{ ...correction, day: -31 }, 'day'],
  ])('is refused: %j', async (correct, message) => {
    expect((await resultOf({ correct })).join()).toContain(message)
  })
})

describe('a step that edits sessions', () => {
  const NIGHTS = [
    ['2026-01-04T22:00:00Z', '2026-01-05T02:00:00Z', 3600, 60, 'freestyle_libre'],
    ['2026-01-05T02:30:00Z', '2026-01-05T06:30:00Z', 4200, 50, 'freestyle_libre'],
  ] as const

  /** Puts in two nights of a day without others, plays the step, and returns what can be read, and what was told. */
  async function edited(
    step: object,
    nights: readonly (readonly [
      start: string,
      stop: string,
      stage: number,
      beats: number,
      provider: string,
    ])[] = NIGHTS,
    daysAgo = 0,
  ) {
    await put([{ after: '1h', ...step }])
    const user = await follower(petri, 'mine', 'freestyle_libre')
    for (const [start, stop, stage, hr_average, provider] of nights) {
      const [from, until] = [start, stop].map((text) => Date.parse(text) - daysAgo * DAY_MS) as [
        number,
        number,
      ]
      const duration = (until - from) / 1000
      const stages = { light: stage, rem: stage, deep: stage, awake: duration - 3 * stage, duration }
      const heart = { hr_average, hr_lowest: hr_average - 10 }
      const [bedtime_start, bedtime_stop] = [toWire(from), toWire(until)]
      const summary = { bedtime_start, bedtime_stop, type: 'long_sleep', ...heart }
      const date = toDate(until)
      const day = `${date}T12:00:00Z`
      const id = `00000000-0000-4000-8000-00000000${stage}`
      const night = { ...summary, ...stages, total: 3 * stage, date, id }
      const cycle = {
        ...{ id: id.replace('8', '9'), sleep_id: id, session_start: day, session_end: day },
        ...{ stage_start_offset_second: [], stage_end_offset_second: [], stage_type: [] },
      }
      for (const [resource, summary] of [
        ['sleep', night],
        ['sleep_cycle', cycle],
      ] as const) {
        const body = { resource, provider, summary }
        expect(await petri.post(`/_petri/users/${user}/data`, body)).toAnswer(200)
      }
    }
    const known = toldOf(petri, 'daily.data.sleep.updated').length
    await advance(petri, '2h')
    const read = async (resource: string) =>
      (await petri.read(`/v2/summary/${resource}/${user}?start_date=2026-01-01&end_date=2026-01-08`))[
        resource
      ]
    const cycles = (await read('sleep_cycle')).map(({ sleep_id }: { sleep_id: string }) => sleep_id.slice(-4))
    return {
      sleep: await read('sleep'),
      cycles,
      told: toldOf(petri, 'daily.data.sleep.updated').slice(known),
      user,
    }
  }
  const ofDay = { resource: 'sleep', day: 0 }

  it('merges two nights into one, awake in between', async () => {
    const { sleep, cycles, told } = await edited({ merge: ofDay }, NIGHTS.toReversed())
    expect([sleep.length, cycles]).toEqual([1, []])
    expect(sleep[0]).toMatchObject({
      id: expect.stringMatching(/3600$/),
      source: { slug: 'freestyle_libre' },
      bedtime_start: expect.stringContaining('2026-01-04T22:00:00'),
      bedtime_stop: expect.stringContaining('2026-01-05T06:30:00'),
      duration: 30_600,
      total: 3 * 7800,
      awake: 30_600 - 3 * 7800,
      hr_average: 55,
      hr_lowest: 40,
    })
    expect(told.map(({ data }) => data.id)).toEqual([sleep[0].id])
  })

  it('trims a night, and its stages by as much', async () => {
    const trim = { ...ofDay, day: -2, start: '1h', end: '1h' }
    const { sleep, cycles } = await edited({ trim }, NIGHTS, 2)
    expect([sleep.length, cycles]).toEqual([2, ['3600']])
    expect(sleep[1]).toMatchObject({ duration: 7200, light: 2100, total: 6300, awake: 900 })
    expect(sleep[1].bedtime_start).toContain('03:30:00')
  })

  it('deletes a night for good, without an event', async () => {
    const { sleep, cycles, told, user } = await edited({ delete: ofDay })
    expect(cycles).toEqual(['3600'])
    expect(sleep.map(field('light'))).toEqual([3600])
    expect(told).toEqual([])
    const stream = await petri.get(`/v2/timeseries/sleep/00000000-0000-4000-8000-000000004200/stream`)
    expect(stream).toAnswer(404)
    expect(petri.world().db.get(storedSummaries, '00000000-0000-4000-8000-000000004200')).toEqual({
      id: '00000000-0000-4000-8000-000000004200',
      user_id: user,
      resource: 'sleep',
      provider: 'freestyle_libre',
      date: '2026-01-05',
      item: null,
    })
    expect((await petri.read(`/v2/summary/sleep/${user}?start_date=2026-01-05`)).sleep).toHaveLength(1)
  })

  it('leaves alone what other providers have of the day', async () => {
    const [night] = NIGHTS
    const other = ['2026-01-04T22:00:00Z', '2026-01-05T06:00:00Z', 4200, 50, 'oura'] as const
    const { sleep, cycles } = await edited({ delete: ofDay }, [night, other])
    expect([sleep.map(field('light')), cycles]).toEqual([[4200], ['4200']])
  })

  it('leaves the stages of a night by the minute where it corrects the night', async () => {
    expect((await edited({ correct: { ...ofDay, values: { score: 61 } } })).cycles).toHaveLength(2)
  })

  it.each([
    [{ trim: { ...ofDay, start: '5h' } }, 0, 'nothing would be left of it'],
    [{ merge: ofDay }, 1, 'there is one sleep of that day'],
    [{ merge: ofDay }, 2, 'there is no sleep of that day'],
  ])('has no effect but a warning: %j of all nights but %d, where %s', async (step, lacking, reason) => {
    const warn = vi.spyOn(petri.world(), 'warn')
    const nights = NIGHTS.slice(lacking)
    const { sleep, cycles, user } = await edited(step, nights)
    expect([sleep.length, cycles.length]).toEqual([nights.length, nights.length])
    const context = { provider: 'freestyle_libre', resource: 'sleep', date: '2026-01-05', reason }
    expect(warn.mock.calls).toEqual([
      ['A step of a feed scenario has no effect', { user_id: user, ...context }],
    ])
    expect((await petri.read('/_petri/world')).failed_jobs).toEqual([])
  })

  it.each([
    [{ trim: ofDay }, 'needs start, end or both'],
    [{ trim: { ...ofDay, start: '0s' } }, 'is zero'],
    [{ merge: { resource: 'activity', day: 0 } }, 'can be edited so'],
    [{ delete: { resource: 'slep', day: 0 } }, 'Did you mean "sleep"?'],
  ])('is refused: %j', async (step, message) => {
    expect((await resultOf(step)).join()).toContain(message)
  })
})

it('takes the bodies that the documentation prints', async () => {
  const page = readFileSync(new URL('../../docs/feeds.md', import.meta.url), 'utf8')
  const printed = page.slice(page.indexOf('## Data of a user')).matchAll(/```json\n(.+?)\n```/gs)
  const bodies = [...printed].map(([, body = '']) => JSON.parse(body))
  expect(bodies.map(field('resource'))).toEqual(['heartrate', 'sleep', 'device'])
  const user = await follower(petri, undefined, 'oura')
  for (const body of bodies) expect(await petri.post(`/_petri/users/${user}/data`, body)).toAnswer(200)
})

it('a connection names the steps that change nothing of its provider', async () => {
  await put([
    { after: '1h', correct: { resource: 'sleep', day: 0, values: { total: 1 } } },
    { after: '1h', duplicate: '1h', of: ['glucose'] },
    { after: '1h', duplicate: '1h', of: ['steps'] },
    { after: '1h', duplicate: '1h' },
    { after: '1h', sample: { resource: 'steps', value: 3 } },
    { after: '1h', sample: { resource: 'glucose', value: 5 } },
  ])
  const user = await follower(petri, undefined, 'freestyle_libre')
  const { body } = await petri.put(`/_petri/users/${user}/connections/freestyle_libre/feed`, {
    scenario: 'mine',
  })
  expect(body.without_effect).toEqual([
    'sleep of day 0 is corrected: total',
    'steps come twice for 1 h',
    'one steps of 3',
  ])
})

describe('a step of a feed scenario', () => {
  it.each(described)('is accepted and described: %j', async (step, phrase) => {
    expect(await resultOf(step)).toEqual([phrase])
  })

  it('begins when the ones before have begun, and its delay has passed', async () => {
    const { body } = await put([
      { after: '1h', error: 'unknown' },
      { after: '0s', reconnect: true },
      { after: '1d', time_zone: 'UTC' },
    ])
    expect(body.steps).toEqual([
      { at_ms: 3_600_000, does: 'the connection breaks: unknown' },
      { at_ms: 3_600_000, does: 'the user connects again' },
      { at_ms: 90_000_000, does: 'the wearer spends the next local day in UTC' },
    ])
  })

  it.each([
    [{ change: '3h' }, 'change needs by'],
    [{ incomplete: '3h', arrives: '1h' }, 'incomplete needs by'],
    [{ incomplete: '3h', by: 0.5 }, 'incomplete needs arrives'],
    [{ second_source: '3h' }, 'second_source needs source_type'],
  ])('is refused without what it needs: %j', async (step, message) => {
    expect(await resultOf(step)).toEqual([expect.stringContaining(message)])
  })

  it('takes no field of another kind of step', { tags: 'slow' }, async () => {
    const own: Record<string, readonly string[]> = {
      gap: ['arrives'],
      outage: [],
      duplicate: ['of'],
      change: ['by', 'of', 'arrives'],
      incomplete: ['by', 'arrives', 'of'],
      second_source: ['source_type', 'of', 'by'],
      time_zone: [],
      skip_days: ['for'],
      worn: ['for'],
      error: ['message'],
      reconnect: [],
      device: ['source_type'],
      sample: [],
    }
    const values = { of: ['steps'], by: 2, arrives: '1h', for: '1d', source_type: 'phone', message: 'Gone.' }
    const verbs = {
      gap: '1h',
      outage: '1h',
      duplicate: '1h',
      change: '1h',
      incomplete: '1h',
      second_source: '1h',
      time_zone: 'UTC',
      skip_days: 0.5,
      worn: '1h',
      error: 'unknown',
      reconnect: true,
      device: {},
      sample: { resource: 'steps', value: 1 },
    }
    for (const [verb, value] of Object.entries(verbs)) {
      for (const [field, said] of Object.entries(values)) {
        const told = await resultOf({ [verb]: value, [field]: said })
        const isOdd = told.some((message) => message.includes(`${field} does not go with ${verb}`))
        expect(isOdd, `${verb} with ${field}`).toBe(!own[verb]?.includes(field))
      }
    }
  })

  it('has exactly one action', async () => {
    const all =
      'gap, outage, duplicate, change, incomplete, second_source, time_zone, skip_days, worn, history,'
    expect(await resultOf({})).toEqual([
      `after needs an action: one of ${all} disconnect, pause, error, reconnect, device, sample, correct, trim, merge, delete`,
    ])
    expect(await resultOf({ gap: '1h', reconnect: true })).toEqual([
      'reconnect cannot be combined with gap; write two steps',
    ])
  })

  it.each([
    [{ change: '1h', by: 100 }, { change: '1h', by: 100.1 }, 'must be at most 100'],
    [{ change: '1h', by: 0.01 }, { change: '1h', by: 0 }, 'must be above 0'],
    [{ skip_days: 1 }, { skip_days: 1.01 }, 'must be at most 1'],
    [{ skip_days: 0.001 }, { skip_days: 0 }, 'must be above 0'],
    [{ time_zone: 'UTC' }, { time_zone: 'Mars' }, 'time_zone "Mars" is not an IANA time zone'],
    [{ worn: '13h' }, { worn: '13h1s' }, 'is longer than 13h'],
    [{ history: { takes: '1s' } }, { history: {} }, 'needs takes, comes or both'],
    [{ history: { comes: 'daily' } }, { history: { comes: 'later' } }, 'comes '],
    [{ gap: '1s' }, { gap: '0s' }, 'is zero'],
    [{ duplicate: '1h', of: ['steps'] }, { duplicate: '1h', of: [] }, 'of '],
    [
      { duplicate: '1h', of: ['heartrate'] },
      { duplicate: '1h', of: ['steps', 'stpes'] },
      'of names "stpes", which is not a timeseries. Did you mean "steps"?',
    ],
    [{ gap: '1s' }, { bogus: '1s' }, '"bogus" is not known here'],
    [{ error: 'unknown', message: 'x' }, { error: 'unknown', message: '' }, 'message '],
    [{ device: { app_id: 'a'.repeat(200) } }, { device: { app_id: 'a'.repeat(201) } }, 'app_id '],
    [{ device: { device_id: null } }, { device: { serial: '1' } }, '"serial" is not known here'],
    [
      { sample: { resource: 'steps', value: 1, lasts: '0s' } },
      { sample: { resource: 'steps', value: 1, lasts: 'soon' } },
      'is not a duration',
    ],
    [
      { sample: { resource: 'steps', value: -1 } },
      { sample: { resource: 'stpes', value: 1 } },
      'names "stpes", which is not a timeseries. Did you mean "steps"?',
    ],
    [{ sample: { resource: 'steps', value: 1 } }, { sample: { resource: 'steps' } }, 'value is missing'],
    [
      { second_source: '1h', source_type: 'phone' },
      { second_source: '1h', source_type: 'toaster' },
      'source_type must be one of',
    ],
  ])('is accepted as %j and refused as %j', async (good, bad, message) => {
    expect(await put([{ after: '1h', ...good }])).toAnswer(200)
    expect(await resultOf(bad)).toEqual([expect.stringContaining(message)])
  })

  it('that breaks the connection says why, in words of its own or of the provider', {
    tags: 'slow',
  }, async () => {
    const told = new Set<string>()
    for (const type of connectionErrors) {
      const other = await startTestWorld()
      const step = { after: '1h', error: type }
      const source = JSON.stringify({ name: 'mine', summary: 'A test.', kind: 'feed', steps: [step] })
      await other.put('/_petri/scenarios/mine', { source })
      await follower(other, 'mine')
      await advance(other, '2h')
      const [event] = toldOf(other, 'provider.connection.error')
      expect(JSON.stringify(event?.data)).toContain(type)
      told.add(await messageOf(other))
    }
    expect(told.size).toBe(connectionErrors.length)
    expect(told).not.toContain('')
    await put([{ after: '1h', error: 'unknown', message: 'The cat has it.' }])
    await follower(petri, 'mine')
    await advance(petri, '2h')
    expect(await messageOf(petri)).toBe('The cat has it.')
  })
})

/** What the provider said when the only connection broke. */
async function messageOf(from: TestPetri): Promise<string> {
  const { tables } = await from.read('/_petri/state')
  const [connection] = Object.values(tables.connections) as {
    error: { error_message?: string; message?: string }
  }[]
  return connection?.error.message ?? connection?.error.error_message ?? ''
}

describe('a feed scenario', () => {
  const gap = { after: '1s', gap: '1s' }

  it.each([
    ['a hundred steps', [Array(100).fill(gap)], [Array(101).fill(gap)]],
    ['a summary', [[gap], { summary: 'x' }], [[gap], { summary: '' }]],
    ['a kind', [[gap], { kind: 'feed' }], [[gap], { kind: 'feeds' }]],
    ['no field that is unknown', [[gap]], [[gap], { method: 'testkit' }]],
  ] as [string, Parameters<typeof put>, Parameters<typeof put>][])('has at most %s', async (_, good, bad) => {
    expect(await put(...good)).toAnswer(200)
    expect(await put(...bad)).toAnswer(422)
  })

  it('may break and be connected again in turn, and do nothing in between', async () => {
    const error = { after: '1h', error: 'unknown' }
    const again = { after: '1h', reconnect: true }
    expect(await put([error, again, gap, error, again])).toAnswer(200)
    const refusal = async (...steps: object[]) => (await put(steps)).body.detail.map(field('msg'))
    expect(await refusal(error, error)).toEqual([
      expect.stringContaining('a connection that has ended brings nothing'),
    ])
    expect(await refusal(error, gap, gap)).toHaveLength(2)
    expect(await put([error, again, again])).toAnswer(200)
    expect(await refusal({ after: '1h', pause: true }, gap)).toHaveLength(1)
  })
})
