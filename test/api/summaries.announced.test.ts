import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { runAtOnce } from '../../src/kernel/slices.ts'
import type { Connection } from '../../src/resources/connections/table.ts'
import { scopeFor } from '../../src/resources/providers/service.ts'
import { eventsOfSummaries } from '../../src/resources/summaries/events.ts'
import { summaryResources } from '../../src/resources/summaries/service.ts'
import { dayOfConnection } from '../../src/resources/timeseries/service.ts'
import { field } from '../support/field.ts'
import { connection, connectionOf, DATE, MIDNIGHT } from '../support/made-day.ts'
import { forEachTest, startTestWorld, type TestPetri } from '../support/petri.ts'
import { listSummaries } from '../support/summaries.ts'
import { advance, put, wearer } from '../support/wearables.ts'

const petri = forEachTest()

const at = (hours: number) => MIDNIGHT + hours * HOUR_MS

/** The events of summaries in a period, each as its type and local date. */
function announced(petri: TestPetri, own: Connection, from: number, until: number) {
  const events = runAtOnce(eventsOfSummaries(petri.world(), own, { from, until }))
  return events.map(({ type, data }) => {
    const { calendar_date, session_end } = data as { calendar_date?: string; session_end?: string }
    return `${type.replace('daily.data.', '')} ${calendar_date ?? session_end?.slice(0, 10)}`
  })
}

describe('the events of summaries', () => {
  it('are of what is new, in the order of the table', async () => {
    const own = await connection(petri, 'oura')
    expect(announced(petri, own, at(0), at(23))).toEqual([
      `activity.created ${DATE}`,
      `sleep.created ${DATE}`,
      `sleep_cycle.created ${DATE}`,
      `body.created ${DATE}`,
      `workouts.created ${DATE}`,
    ])
    expect(summaryResources.slice(0, 3)).toEqual(['profile', 'activity', 'sleep'])
  })

  it('are of the days from the first to the last, both included', async () => {
    const own = await connection(petri, 'withings', { fallback_time_zone: 'America/New_York' })
    const activities = announced(petri, own, at(-24), at(23)).filter((event) => event.startsWith('activity'))
    expect(activities).toEqual([
      'activity.updated 2026-01-02',
      'activity.created 2026-01-03',
      'activity.created 2026-01-04',
    ])
  })

  it('are of the profile when its user was connected', async () => {
    const own = await connection(petri, 'oura')
    const profiles = (from: number, until: number) =>
      announced(petri, own, from, until).filter((event) => event.startsWith('profile'))
    expect(profiles(own.known_since - 1, own.known_since)).toHaveLength(1)
    expect(profiles(own.known_since, own.known_since + HOUR_MS)).toEqual([])
    expect(profiles(at(0), at(20))).toEqual([])
  })

  it('are of what has changed, and silent about the rest', async () => {
    const own = await connection(petri, 'garmin')
    const [{ end: risen }] = dayOfConnection(petri.world(), own, DATE).nights
    const between = (from: number, until: number) => announced(petri, own, risen + from, risen + until)
    expect(between(-HOUR_MS, 0)).toEqual([`activity.updated ${DATE}`, `sleep.created ${DATE}`])
    // A night is confirmed two hours after it.
    expect(between(100 * MINUTE_MS, 2 * HOUR_MS - 1)).toEqual([`activity.updated ${DATE}`])
    expect(between(100 * MINUTE_MS, 2 * HOUR_MS)).toEqual([
      `activity.updated ${DATE}`,
      `sleep.updated ${DATE}`,
    ])
    // Without a minute passing, nothing changes.
    expect(between(3 * HOUR_MS, 3 * HOUR_MS)).toEqual([])
  })

  it('are of what the provider has, and the user has permitted', async () => {
    const whoop = await connection(petri, 'whoop')
    expect(announced(petri, whoop, at(0), at(23))).toEqual([`sleep.created ${DATE}`])
    const fitbit = await connection(petri, 'fitbit', { client_user_id: 'bob' })
    const denied = { ...fitbit, denied_scopes: [scopeFor('fitbit', 'activity')] }
    expect(announced(petri, fitbit, at(0), at(23))).toContain(`activity.created ${DATE}`)
    const rest = announced(petri, denied, at(0), at(23))
    expect(rest.filter((event) => event.startsWith('activity'))).toEqual([])
    expect(rest).toContain(`sleep.created ${DATE}`)
  })

  it('leave out what was put in, which was announced then', async () => {
    const own = await connection(petri, 'withings')
    const summary = { calendar_date: DATE, steps: 7 }
    await put(petri, own.user_id, { resource: 'activity', provider: 'withings', summary })
    expect(announced(petri, own, at(0), at(23))).toEqual([`sleep.created ${DATE}`, `body.created ${DATE}`])
  })

  it('give other work a turn between days', async () => {
    const own = await connection(petri, 'withings')
    const steps = eventsOfSummaries(petri.world(), own, { from: at(-48), until: at(23) })
    let turns = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) turns++
    // Activity, sleep and body of three days, and at least an event of each.
    expect(turns).toBeGreaterThan(9 + 6)
    expect(step.value.length).toBeGreaterThan(6)
  })
})

describe('summaries of data that come late', { tags: 'slow' }, () => {
  /** A wearer whose data of one evening and night arrive on the next day. */
  async function late(step = { after: '9h', gap: '14h', arrives: '19h' }, waitMs = 3 * DAY_MS) {
    const petri = await startTestWorld()
    const file = { name: 'late', summary: 'A test.', kind: 'feed', steps: [step] }
    await petri.put('/_petri/scenarios/late', { source: JSON.stringify(file) })
    const userId = await wearer(petri, [])
    const headers = { 'x-petri-scenario': 'late' }
    await petri.post('/v2/link/connect/demo', { user_id: userId, provider: 'fitbit' }, headers)
    await advance(petri, waitMs)
    return { petri, userId, own: connectionOf(petri, userId, 'fitbit') }
  }
  /** The instant that the gap begins, ends, and is filled: 18:00, 8:00 and 3:00 on the day after. */
  const BEGAN = Date.parse('2026-01-05T18:00:00Z')
  const ENDED = BEGAN + 14 * HOUR_MS
  const ARRIVED = ENDED + 19 * HOUR_MS

  it('are announced with them, also those of earlier days', async () => {
    const { petri, own } = await late()
    const around = announced(petri, own, ARRIVED - HOUR_MS, ARRIVED)
    const days = around.filter((event) => event.startsWith('activity'))
    expect(days).toEqual([
      'activity.updated 2026-01-05',
      'activity.updated 2026-01-06',
      'activity.updated 2026-01-07',
    ])
    expect(around).toContain('sleep.created 2026-01-06')
    const before = announced(petri, own, ENDED, ENDED + HOUR_MS)
    expect(before.filter((event) => event.endsWith('2026-01-05'))).toEqual([])
    expect(before).not.toContain('sleep.created 2026-01-06')
  })

  it('were created when they arrived', async () => {
    const { petri, userId } = await late()
    const arrived = new Date(ARRIVED).toISOString().replace('.000Z', '+00:00')
    const [night, ...naps] = await listSummaries(
      petri,
      userId,
      'sleep',
      'start_date=2026-01-06&end_date=2026-01-06',
    )
    expect(night).toMatchObject({ created_at: arrived, updated_at: arrived })
    expect(naps.every(({ type }: { type: string }) => type === 'short_sleep')).toBe(true)
    const activity = await listSummaries(
      petri,
      userId,
      'activity',
      'start_date=2026-01-05&end_date=2026-01-07',
    )
    const stamps = activity.map(field('updated_at'))
    expect(stamps.slice(0, 2)).toEqual([arrived, arrived])
    expect(stamps[2]).toBe('2026-01-08T00:00:00+00:00')
  })

  it('are hidden until they arrive', async () => {
    const { petri, userId } = await late({ after: '1h', gap: '30h', arrives: '5h' }, 32 * HOUR_MS)
    const nights = async () =>
      (await listSummaries(petri, userId, 'sleep', 'start_date=2026-01-06&end_date=2026-01-06')).filter(
        ({ type }: { type: string }) => type === 'long_sleep',
      )
    expect(await nights()).toEqual([])
    await advance(petri, 5 * HOUR_MS)
    expect(await nights()).toHaveLength(1)
  })
})
