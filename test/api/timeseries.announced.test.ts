import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { JsonText } from '../../src/kernel/json.ts'
import { runAtOnce } from '../../src/kernel/slices.ts'
import type { Connection } from '../../src/resources/connections/table.ts'
import { eventsOfSamples } from '../../src/resources/timeseries/service.ts'
import { following, startUnbroken } from '../support/feeds.ts'
import { connection, MIDNIGHT } from '../support/made-day.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { put, toldOf } from '../support/wearables.ts'

const at = (hours: number) => MIDNIGHT + hours * HOUR_MS
/** The second of the minute at which the ring of the tests' first user measures. */
const RING = 3000
const iso = (instant: number) => new Date(instant).toISOString().replace('.000Z', '+00:00')

interface Batch {
  readonly source: { readonly type: string; readonly workout_id: string | null }
  readonly data: readonly {
    readonly timestamp: string
    readonly start?: string
    readonly end?: string
    readonly value: number
  }[]
  readonly source_id: number
  readonly user_id: string
}

/** The events of a series in a period: what has become of the samples that begin at which instants. */
function announced(petri: TestPetri, own: Connection, slug: string, from: number, until: number) {
  const events = runAtOnce(eventsOfSamples(petri.world(), own, { from, until }))
  return events
    .filter(({ type }) => type.startsWith(`daily.data.${slug}.`))
    .map(({ type, data }) => {
      const batch = JSON.parse(data instanceof JsonText ? data.text : '') as Batch
      return {
        what: type.split('.').at(-1),
        batch,
        times: batch.data.map(({ timestamp }) => timestamp.slice(11, 16)),
      }
    })
}
const briefly = (...of: Parameters<typeof announced>) =>
  announced(...of).map(({ what, times }) => [what, ...times])

describe('the events of samples', () => {
  it('are of measurements after one instant, up to the other', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'oura')
    const ten = at(10) + RING
    expect(briefly(petri, own, 'heartrate', ten, ten + 15 * MINUTE_MS)).toEqual([
      ['created', '10:05', '10:10', '10:15'],
    ])
    expect(briefly(petri, own, 'heartrate', ten - 1, ten + 5 * MINUTE_MS - 1)).toEqual([['created', '10:00']])
    expect(briefly(petri, own, 'heartrate', ten, ten)).toEqual([])
    const [event] = announced(petri, own, 'heartrate', at(10), at(11))
    const batch = event?.batch
    expect(batch).toMatchObject({
      user_id: own.user_id,
      source_id: 1,
      source: { provider: 'oura', type: 'ring', workout_id: null },
    })
  })

  it('are of amounts that are not over, and again when they have grown', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'apple_health_kit')
    const before = at(10.5)
    const after = at(12.5)
    expect(briefly(petri, own, 'calories_basal', before, after)).toEqual([
      ['created', '11:00', '12:00'],
      ['updated', '10:00'],
    ])
    expect(briefly(petri, own, 'calories_basal', at(10), at(11))).toEqual([['created', '10:00']])
    expect(briefly(petri, own, 'calories_basal', at(10) - 1, at(11))).toEqual([
      ['created', '10:00'],
      ['updated', '09:00'],
    ])
    const [, { batch }] = announced(petri, own, 'calories_basal', before, after) as [
      unknown,
      { batch: Batch },
    ]
    const whole = await petri.get(
      `/v2/timeseries/${own.user_id}/calories_basal?start_date=2026-01-04T10:00:00Z&end_date=2026-01-04T10:00:00Z`,
    )
    expect(batch.data).toEqual(whole.body)
  })

  it('are not of what was put in, or of stages of sleep', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'oura')
    const samples = [{ timestamp: iso(at(10.25) + RING), value: 61 }]
    await put(petri, own.user_id, { resource: 'heartrate', provider: 'oura', samples })
    expect(briefly(petri, own, 'heartrate', at(10) + RING, at(10.5) + RING)).toEqual([
      ['created', '10:05', '10:10', '10:20', '10:25', '10:30'],
    ])
    const other = [{ timestamp: iso(at(10.25)), value: 61 }]
    await put(petri, own.user_id, { resource: 'heartrate', provider: 'polar', samples: other })
    expect(briefly(petri, own, 'hypnogram', at(0), at(12))).toEqual([])
    // Of another device they say nothing about this one.
    const beside = [{ timestamp: iso(at(11.25)), value: 61 }]
    await put(petri, own.user_id, {
      resource: 'heartrate',
      provider: 'oura',
      source_type: 'watch',
      samples: beside,
    })
    expect(briefly(petri, own, 'heartrate', at(11.2), at(11.25) + RING)[0]).toEqual(['created', '11:15'])
  })

  it('come a thousand at a time', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'garmin')
    const counts = announced(petri, own, 'heartrate', at(0), at(10)).map(({ times }) => times.length)
    expect(counts.slice(0, 2)).toEqual([1000, 1000])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2400)
  })

  it('are none of a phone that uploads, which were announced when they came', async () => {
    const petri = await startTestWorld()
    const own = { ...(await connection(petri, 'apple_health_kit')), uploads: true }
    expect(runAtOnce(eventsOfSamples(petri.world(), own, { from: at(0), until: at(12) }))).toEqual([])
  })

  it('give other work a turn', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'garmin')
    const steps = eventsOfSamples(petri.world(), own, { from: at(8), until: at(12) })
    let turns = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) turns++
    expect(turns).toBeGreaterThan(step.value.length)
    // A turn for each 64 samples of the heart, of which there are 240 an hour.
    expect(turns).toBeGreaterThan(step.value.length + 12)
  })
})

/** A connection to a provider that misses no minute, under a feed scenario of these steps, with what can be read of it. */
async function reading(steps: readonly object[], provider = 'fitbit') {
  const { petri, userId, own } = await following(steps, { provider, start: startUnbroken })
  const read = async (slug: string, from: number, until: number) => {
    const query = `start_date=${new Date(from).toISOString()}&end_date=${new Date(until).toISOString()}`
    const body = await petri.read(`/v2/timeseries/${userId}/${slug}/grouped?${query}`)
    return (body.groups[provider] ?? []) as Batch[]
  }
  return { petri, own, read }
}
const NINE = Date.parse('2026-01-05T09:00:00Z')
const hours = (count: number) => NINE + count * HOUR_MS

describe('samples of a feed scenario', { tags: 'slow' }, () => {
  it('that come late are announced when they arrive, as new', async () => {
    const { petri, own } = await reading([{ after: '1h', gap: '2h', arrives: '3h' }])
    const during = briefly(petri, own, 'heartrate', hours(1), hours(3))
    expect(during).toEqual([])
    const [event] = announced(petri, own, 'heartrate', hours(6) - MINUTE_MS, hours(6))
    const { times = [] } = event ?? {}
    // Those of two hours, and that of the last minute.
    expect(times).toHaveLength(120)
    expect([times[0], times.at(-2), times.at(-1)]).toEqual(['10:01', '11:59', '15:00'])
    const periods = [0, 1, 3, 6 - 1 / 60, 6, 7]
    const all = periods.slice(1).flatMap((until, before) => {
      const events = announced(petri, own, 'heartrate', hours(periods[before] ?? 0), hours(until))
      return events.flatMap((event) => event.times)
    })
    expect(all).toHaveLength(7 * 60)
    expect(new Set(all).size).toBe(7 * 60)
  })

  it('that are corrected are announced as updated, in the order of time', async () => {
    const { petri, own } = await reading([
      { after: '1h', change: '1h', by: 2, of: ['heartrate'], arrives: '1h' },
    ])
    const before = announced(petri, own, 'heartrate', hours(1), hours(1.5))
    const corrected = announced(petri, own, 'heartrate', hours(3) - MINUTE_MS, hours(3))
    expect(corrected.map(({ what }) => what)).toEqual(['created', 'updated'])
    const { times = [] } = corrected[1] ?? {}
    expect([times.length, times[0]]).toEqual([60, '10:00'])
    expect(times.toSorted()).toEqual(times)
    const first = before[0]?.batch.data.find(({ timestamp }) => timestamp.includes('T10:05'))
    const second = corrected[1]?.batch.data.find(({ timestamp }) => timestamp.includes('T10:05'))
    expect(second?.value).toBe(2 * (first?.value ?? 0))
  })

  it('of a second device come in a group of their own, times a factor', async () => {
    const { petri, own, read } = await reading([
      {
        after: '1h',
        second_source: '1h',
        source_type: 'phone',
        of: ['calories_active', 'heartrate'],
        by: 0.5,
      },
    ])
    const [usual, second, ...more] = await read('heartrate', hours(0), hours(4) - 1)
    expect(more).toEqual([])
    expect([usual?.source.type, second?.source.type]).toEqual(['watch', 'phone'])
    expect(usual?.data).toHaveLength(240)
    expect(second?.data.map(({ timestamp }) => timestamp.slice(11, 16))).toEqual(
      Array.from({ length: 60 }, (_, minute) => `10:${String(minute).padStart(2, '0')}`),
    )
    const same = usual?.data.find(({ timestamp }) => timestamp === second?.data[0]?.timestamp)
    expect(second?.data[0]?.value).toBe(Math.round((same?.value ?? 0) / 2))
    const [burnt, half] = await read('calories_active', hours(1), hours(1))
    expect(half?.data[0]?.value).toBe(Math.round(100 * ((burnt?.data[0]?.value ?? 0) / 2)) / 100)
    const groups = announced(petri, own, 'heartrate', hours(1), hours(1.5)).map(
      ({ batch }) => batch.source.type,
    )
    expect(groups).toEqual(['watch', 'phone'])
  })

  it('that come twice have the same device, without what was put in since', async () => {
    const { petri, own, read } = await reading([{ after: '1h', duplicate: '1h', of: ['heartrate'] }])
    const [usual, again] = await read('heartrate', hours(1), hours(2) - 1)
    expect(again?.source.type).toBe('watch')
    expect(again?.data).toEqual(usual?.data)
    const samples = [{ timestamp: iso(hours(1.25)), value: 199 }]
    await put(petri, own.user_id, { resource: 'heartrate', provider: 'fitbit', samples })
    const [replaced, same] = await read('heartrate', hours(1), hours(2) - 1)
    expect(replaced?.data[15]?.value).toBe(199)
    expect(same?.data).toEqual(again?.data)
  })

  it('of a second device of the same type are of another of the provider', async () => {
    const { read } = await reading([
      { after: '1h', second_source: '1h', source_type: 'watch', of: ['heartrate'] },
    ])
    const groups = await read('heartrate', hours(1), hours(2))
    expect(groups.map(({ source }) => source.type)).toEqual(['watch', 'scale'])
  })

  it('that were put in are not shown among duplicates, but with a second device', async () => {
    const { petri, own, read } = await reading([
      { after: '1h', second_source: '1h', source_type: 'phone', of: ['heartrate'] },
    ])
    const samples = [{ timestamp: iso(hours(1.25)), value: 199 }]
    await put(petri, own.user_id, {
      resource: 'heartrate',
      provider: 'fitbit',
      source_type: 'phone',
      samples,
    })
    const [usual, second] = await read('heartrate', hours(1.25), hours(1.25))
    expect([usual?.data[0]?.value === 199, second?.data[0]?.value]).toEqual([false, 199])
    expect(toldOf(petri, 'daily.data.heartrate.updated')).toHaveLength(0)
  })
})
