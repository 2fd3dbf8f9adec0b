import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { storedFeeds, storedSamples } from '../../src/resources/timeseries/table.ts'
import { field } from '../support/field.ts'
import { connection, MIDNIGHT } from '../support/made-day.ts'
import { forEachTest, startTestWorld, type TestPetri } from '../support/petri.ts'
import { put, told, wearer } from '../support/wearables.ts'

const petri = forEachTest(startTestWorld)

const at = (hours: number) => new Date(MIDNIGHT + hours * HOUR_MS).toISOString().replace('.000Z', '+00:00')

/** The only sample of a series that was put in. */
async function only(resource: string, sample: object, provider = 'manual') {
  const petri = await startTestWorld()
  const userId = await wearer(petri, [])
  const answer = await put(petri, userId, { resource, provider, samples: [sample] })
  expect(answer).toAnswer(200, { created: 1, updated: 0 })
  const body = await petri.read(`/v2/timeseries/${userId}/${resource}/grouped?start_date=2026-01-04`)
  return body.groups[provider][0].data[0]
}

const messages: Readonly<Record<string, string>> = {
  missing: 'Field required',
  datetime_type: 'Input should be a valid datetime',
}

const types = (petri: TestPetri) => told(petri).map(field('event_type'))

describe('a sample that is put in', () => {
  it('has all its fields, null where none is given', async () => {
    expect(await only('heartrate', { timestamp: at(10), value: 60 })).toEqual({
      id: null,
      timezone_offset: null,
      type: null,
      unit: 'bpm',
      timestamp: at(10),
      value: 60,
    })
    expect(await only('steps', { start: at(10), end: at(11), value: 60, timezone_offset: 3600 })).toEqual({
      id: null,
      timezone_offset: 3600,
      type: null,
      unit: 'count',
      timestamp: at(10),
      start: at(10),
      end: at(11),
      value: 60,
    })
    expect(
      await only('insulin_injection', {
        start: at(10),
        value: 6,
        type: 'rapid_acting',
        bolus_purpose: 'meal',
      }),
    ).toMatchObject({
      type: 'rapid_acting',
      delivery_mode: null,
      delivery_form: null,
      bolus_purpose: 'meal',
      start: at(10),
      end: at(10),
    })
    expect(await only('blood_pressure', { timestamp: at(10), systolic: 120, diastolic: 80 })).toEqual({
      id: null,
      timezone_offset: null,
      type: null,
      unit: 'mmHg',
      timestamp: at(10),
      systolic: 120,
      diastolic: 80,
    })
    expect(await only('note', { timestamp: at(10), value: 'Tired', tags: ['food'] })).toMatchObject({
      value: 'Tired',
      tags: ['food'],
    })
  })

  it('may have a start in place of its instant, and an end that a point does not keep', async () => {
    expect(await only('heartrate', { start: at(10), end: at(11), value: 60 })).not.toHaveProperty('start')
    expect(await only('heartrate', { start: at(10), value: 60 })).toMatchObject({ timestamp: at(10) })
    expect(await only('steps', { timestamp: at(10), value: 60 })).toMatchObject({
      start: at(10),
      end: at(10),
    })
    expect(await only('steps', { timestamp: at(9), start: at(10), value: 60 })).toMatchObject({
      timestamp: at(10),
      start: at(10),
    })
  })

  it('keeps an instant within a second', async () => {
    expect(await only('heartrate', { timestamp: '2026-01-04T10:00:00.250Z', value: 60 })).toMatchObject({
      timestamp: '2026-01-04T10:00:00.250000+00:00',
    })
  })

  it.each([
    [{ value: 1 }, 'missing', ['timestamp'], null],
    [{ timestamp: 5, value: 1 }, 'datetime_type', ['timestamp'], 5],
    [{ timestamp: 'soon', value: 1 }, 'datetime_type', ['timestamp'], 'soon'],
    [{ start: 'soon', value: 1 }, 'datetime_type', ['start'], 'soon'],
    [{ start: at(10), end: 'late', value: 1 }, 'datetime_type', ['end'], 'late'],
    [{ start: at(10), end: at(9), value: 1 }, 'value_error', ['end'], at(9)],
    [{ start: at(10), value: 'many' }, 'value_error', ['value'], 'many'],
    [{ start: at(10), value: 1, unit: 'steps' }, 'value_error', ['unit'], 'steps'],
    [{ start: at(10), value: 1, pace: 1 }, 'value_error', [], { start: at(10), value: 1, pace: 1 }],
  ])('is refused with its place: %j', async (sample, type, loc, input) => {
    const userId = await wearer(petri, [])
    const samples = [{ start: at(8), value: 1 }, sample]
    const { status, body } = await put(petri, userId, { resource: 'steps', provider: 'manual', samples })
    expect(status).toBe(422)
    expect(body.detail).toEqual([
      expect.objectContaining({
        type,
        loc: ['body', 'samples', 1, ...loc],
        input,
        msg: messages[type] ?? expect.stringMatching(/./),
      }),
    ])
    expect([told(petri), petri.world().db.count(storedSamples)]).toEqual([[], 0])
  })

  it('of a user that does not exist is refused', async () => {
    const body = { resource: 'steps', provider: 'manual', samples: [] }
    expect(await put(petri, '2f1b5c9e-3d35-4b4e-8f43-6b1b7a3f0c11', body)).toAnswer(404)
  })
})

describe('samples that are put in', () => {
  it('come in the order of time, and of one instant the last counts', async () => {
    const userId = await wearer(petri, [])
    const samples = [
      { timestamp: at(12), value: 1 },
      { timestamp: at(10), value: 2 },
      { timestamp: at(12), value: 3 },
    ]
    const answer = await put(petri, userId, { resource: 'heartrate', provider: 'polar', samples })
    expect(answer.body).toMatchObject({
      created: 2,
      updated: 0,
      event_types: ['daily.data.heartrate.created'],
    })
    expect(told(petri)).toMatchObject([
      {
        event_type: 'daily.data.heartrate.created',
        user_id: userId,
        client_user_id: 'ada',
        data: {
          user_id: userId,
          source_id: 33,
          source: { provider: 'polar', type: 'unknown' },
          data: [{ value: 2 }, { value: 3 }],
        },
      },
    ])
  })

  it('again are announced as updated, changed or not, beside those that are new', async () => {
    const userId = await wearer(petri, [])
    const send = (...pairs: [number, number][]) =>
      put(petri, userId, {
        resource: 'heartrate',
        provider: 'polar',
        samples: pairs.map(([hour, value]) => ({ timestamp: at(hour), value })),
      })
    await send([10, 1], [12, 3])
    const answer = await send([12, 4], [11, 2], [10, 1])
    expect(answer.body).toMatchObject({ created: 1, updated: 2 })
    const [, created, updated] = told(petri).map(({ event_type, data }) => [
      event_type.split('.').at(-1),
      ...data.data.map(field('value')),
    ])
    expect([created, updated]).toEqual([
      ['created', 2],
      ['updated', 1, 4],
    ])
  })

  it('of several kinds at one instant stand beside each other where kinds are free', async () => {
    const userId = await wearer(petri, [])
    const kinds = (resource: string, value: object) =>
      put(petri, userId, {
        resource,
        provider: 'manual',
        samples: ['a', 'b'].map((type) => ({ timestamp: at(10), type, ...value })),
      })
    expect((await kinds('cholesterol', { value: 1 })).body).toMatchObject({ created: 2 })
    expect((await kinds('heartrate', { value: 1 })).body).toMatchObject({ created: 1 })
  })

  it('replace those of the device that measures the series, and stand beside those of another', async () => {
    const own = await connection(petri, 'fitbit')
    const send = (source_type?: string) =>
      put(petri, own.user_id, {
        resource: 'heartrate',
        provider: 'fitbit',
        source_type,
        samples: [{ timestamp: at(10), value: 200 }],
      })
    expect((await send('scale')).body).toMatchObject({ created: 1, updated: 0 })
    expect((await send()).body).toMatchObject({ created: 0, updated: 1 })
    const body = await petri.read(
      `/v2/timeseries/${own.user_id}/heartrate/grouped?start_date=${at(10).replace('+', '%2B')}&end_date=${at(10.1).replace('+', '%2B')}`,
    )
    const groups = body.groups.fitbit as { source: { type: string }; data: { value: number }[] }[]
    expect(groups.map(({ source, data }) => [source.type, data[0]?.value])).toEqual([
      ['watch', 200],
      ['scale', 200],
    ])
    expect(groups[0]?.data).toHaveLength(7)
    expect(groups[1]?.data).toHaveLength(1)
  })

  it('of sleep stages are told of by nobody', async () => {
    const userId = await wearer(petri, [])
    const samples = [{ start: at(1), end: at(2), value: 2 }]
    const { body } = await put(petri, userId, { resource: 'hypnogram', provider: 'oura', samples })
    expect(body).toMatchObject({ created: 1, event_types: [] })
    expect(types(petri)).toEqual([])
  })

  it('are remembered from the first to the last, and nothing of none', async () => {
    const userId = await wearer(petri, [])
    const send = (...hours: number[]) =>
      put(petri, userId, {
        resource: 'heartrate',
        provider: 'polar',
        samples: hours.map((hour) => ({ timestamp: at(hour), value: 1 })),
      })
    const bounds = () =>
      [...petri.world().db.all(storedFeeds)].map(({ first, last }) =>
        [first, last].map((each) => (each - MIDNIGHT) / HOUR_MS),
      )
    await send()
    expect(bounds()).toEqual([])
    await send(10, 12)
    expect(bounds()).toEqual([[10, 12]])
    await send(11)
    expect(bounds()).toEqual([[10, 12]])
    await send(9, 13)
    expect(bounds()).toEqual([[9, 13]])
  })

  it('are found between any two instants, days apart and years apart', async () => {
    const userId = await wearer(petri, [])
    const days = [0, 1, 3, 999, 1000, 5000]
    const samples = days.map((day) => ({
      timestamp: new Date(MIDNIGHT + day * DAY_MS).toISOString(),
      value: day,
    }))
    await put(petri, userId, { resource: 'heartrate', provider: 'polar', samples })
    const found = async (from: number, until: number) => {
      const iso = (instant: number) => new Date(instant).toISOString()
      const query = `start_date=${iso(MIDNIGHT + from * DAY_MS)}&end_date=${iso(MIDNIGHT + until * DAY_MS)}`
      return (await petri.read(`/v2/timeseries/${userId}/heartrate?${query}`)).map(field('value'))
    }
    expect(await found(0, 999)).toEqual([0, 1, 3, 999])
    expect(await found(0, 1000)).toEqual([0, 1, 3, 999, 1000])
    expect(await found(0.5, 5000)).toEqual([1, 3, 999, 1000, 5000])
    expect(await found(1, 3)).toEqual([1, 3])
    expect(await found(1.5, 2.5)).toEqual([])
    expect(await found(2, 4999)).toEqual([3, 999, 1000])
    expect(await found(-10, -1)).toEqual([])
    expect(await found(5001, 9000)).toEqual([])
  })
})
