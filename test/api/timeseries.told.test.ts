import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { JsonText } from '../../src/kernel/json.ts'
import { runAtOnce } from '../../src/kernel/slices.ts'
import type { Connection } from '../../src/resources/connections/table.ts'
import { getProvider } from '../../src/resources/providers/service.ts'
import { eventsOfSamples } from '../../src/resources/timeseries/service.ts'
import { following, startUnbroken } from '../support/feeds.ts'
import { at, connection } from '../support/made-day.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { put } from '../support/wearables.ts'

const NINE = Date.parse('2026-01-05T09:00:00Z')
const hours = (count: number) => NINE + count * HOUR_MS

function eventsOf(petri: TestPetri, own: Connection, from: number, until: number) {
  return runAtOnce(eventsOfSamples(petri.world(), own, { from, until })).map(({ type, data }) => {
    const [, , resource = '', what] = type.split('.')
    const { data: samples } = JSON.parse(data instanceof JsonText ? data.text : '')
    return { resource, what, minutes: samples.map(minuteOf) as number[] }
  })
}
const minuteOf = ({ timestamp }: { timestamp: string }) => (Date.parse(timestamp) - NINE) / MINUTE_MS

describe('what is announced of samples', () => {
  it.each(['fitbit', 'oura', 'freestyle_libre'])(
    'is of the resources of its provider alone: %s',
    async (provider) => {
      const petri = await startTestWorld()
      const own = await connection(petri, provider)
      const { resources } = getProvider(provider)
      const told = new Set(eventsOf(petri, own, at(0), at(24)).map(({ resource }) => resource))
      expect(told.size).toBeGreaterThan(0)
      for (const resource of told) expect(resources).toContain(resource)
    },
  )

  it('is nothing of an amount that has not grown', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'apple_health_kit')
    const told = eventsOf(petri, own, at(3, 1), at(3, 2)).filter(({ resource }) => resource === 'steps')
    // At night nobody walks.
    expect(told).toEqual([])
    const basal = eventsOf(petri, own, at(3, 1), at(3, 2)).filter(
      ({ resource }) => resource === 'calories_basal',
    )
    expect(basal.map(({ what, minutes }) => [what, minutes.length])).toEqual([['updated', 1]])
  })
})

/** A connection to Fitbit under a feed scenario of one step, and what is announced of its heart. */
async function heartUnder(step: object) {
  const { petri, userId, own } = await following([step], { start: startUnbroken })
  return {
    petri,
    userId,
    heart: (from: number, until: number) =>
      eventsOf(petri, own, hours(from), hours(until)).filter(({ resource }) => resource === 'heartrate'),
  }
}

describe('what is announced under a feed scenario', { tags: 'slow' }, () => {
  it('is what arrives late, but not what was put in meanwhile', async () => {
    const { petri, userId, heart } = await heartUnder({ after: '1h', gap: '1h', arrives: '1h' })
    const usual = heart(2.5, 3)
    // The hour that was missing after its first instant, and half of this one.
    expect(usual.map(({ what, minutes }) => [what, minutes.length])).toEqual([['created', 89]])
    const samples = [
      { timestamp: new Date(hours(1.5)).toISOString(), value: 199 },
      { timestamp: new Date(hours(2.75)).toISOString(), value: 199 },
    ]
    await put(petri, userId, { resource: 'heartrate', provider: 'fitbit', samples })
    const told = heart(2.5, 3).flatMap(({ minutes }) => minutes)
    expect(told).toHaveLength(87)
    expect(told).not.toContain(90)
    expect(told).not.toContain(165)
  })
})
