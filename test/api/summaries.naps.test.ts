/** @module-tag slow */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/kernel/instant.ts'
import { connect } from '../../src/resources/connecting/service.ts'
import { makeFolder } from '../support/new-folder.ts'
import { startTestPetri, startTestWorld } from '../support/petri.ts'
import { type Item, listSummaries } from '../support/summaries.ts'
import { advance, toldOf, wearer } from '../support/wearables.ts'

// Days of several people at several providers are made.
describe('a nap', { timeout: 60_000 }, () => {
  it('comes after its night, with stages, heart rate and a stream of its own', async () => {
    const petri = await startTestWorld()
    const naps: Item[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const userId = await wearer(petri, ['oura', 'fitbit'], { client_user_id: name })
      const all = await listSummaries(petri, userId, 'sleep')
      const cycles = await listSummaries(petri, userId, 'sleep_cycle')
      for (const nap of all.filter(({ type }) => type !== 'long_sleep')) {
        const nights = all.filter(
          ({ calendar_date, source }) =>
            calendar_date === nap.calendar_date && source.provider === nap.source.provider,
        )
        expect(nap.type).toBe(nap.source.provider === 'oura' ? 'acknowledged_nap' : 'short_sleep')
        for (const other of nights)
          if (other.id !== nap.id) expect(nap.bedtime_start > other.bedtime_stop).toBe(true)
        expect(nap.duration).toBeGreaterThanOrEqual((nap.source.provider === 'oura' ? 4 : 49) * 60)
        expect(nap.total).toBe(nap.light + nap.rem + nap.deep)
        expect(nap).toMatchObject({ recovery_readiness_score: null, score: null })
        expect(nap.hr_average).not.toBeNull()
        const cycle = cycles.find(({ sleep_id }) => sleep_id === nap.id)
        expect(cycle).toMatchObject({ session_start: nap.bedtime_start, session_end: nap.bedtime_stop })
        const body = await petri.read(`/v2/timeseries/sleep/${nap.id}/stream`)
        expect(body.hypnogram.map(({ value }: Item) => value)).toEqual(cycle.stage_type)
        naps.push(nap)
      }
    }
    expect(naps.length).toBeGreaterThan(5)
  })

  it('is announced once, by the devices that record one of its length', async () => {
    const folder = makeFolder('petri-naps-')
    mkdirSync(join(folder, 'personas'))
    const persona = 'name: napper\nsummary: Naps often.\nkind: persona\ntraits: { naps_per_week: 7 }\n'
    writeFileSync(join(folder, 'personas', 'napper.yaml'), persona)
    const petri = await startTestPetri({ scenarios: [folder] })
    const users: string[] = []
    for (const name of ['a', 'b', 'c']) {
      const userId = await wearer(petri, [], { client_user_id: name })
      await petri.put(`/_petri/users/${userId}/persona`, { persona: 'napper' })
      for (const provider of ['oura', 'fitbit', 'polar']) connect(petri.world(), userId, provider)
      users.push(userId)
    }
    await advance(petri, 3 * DAY_MS)
    const created = toldOf(petri, 'daily.data.sleep.created')
    expect(created.some(({ data }) => data.source.provider === 'polar')).toBe(true)
    const isNap = ({ type }: Item) => type !== 'long_sleep'
    const naps = created.filter(({ data }) => isNap(data) && data.source.provider === 'oura')
    const found = { short: 0, long: 0 }
    for (const { user_id, data: nap } of naps) {
      expect(nap.type).toBe('acknowledged_nap')
      const others = created.filter(
        ({ user_id: of, data }) =>
          of === user_id &&
          data.source.provider !== 'oura' &&
          data.bedtime_start < nap.bedtime_stop &&
          data.bedtime_stop > nap.bedtime_start,
      )
      const types = others.map(({ data }) => [data.source.provider, data.type])
      // Fitbit records naps of an hour, Polar none; each device is up to five minutes off at both ends.
      if (nap.duration < 50 * 60) expect(types).toEqual([])
      if (nap.duration > 70 * 60) expect(types).toEqual([['fitbit', 'short_sleep']])
      found.short += Number(nap.duration < 50 * 60)
      found.long += Number(nap.duration > 70 * 60)
    }
    expect(Math.min(found.short, found.long)).toBeGreaterThan(1)
    const listed = await Promise.all(
      users.map((userId) => listSummaries(petri, userId, 'sleep', 'start_date=2026-01-05')),
    )
    const idsOf = (sleeps: Item[]) =>
      sleeps
        .filter(isNap)
        .map(({ id }) => id)
        .sort()
    expect(idsOf(created.map(({ data }) => data))).toEqual(idsOf(listed.flat()))
  })
})
