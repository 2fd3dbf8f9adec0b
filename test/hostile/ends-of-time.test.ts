import { describe, expect, it } from 'vitest'
import { Clock } from '../../src/kernel/clock.ts'
import { LATEST, toDate, toIso, toWire } from '../../src/kernel/instant.ts'
import { datesBetween } from '../../src/kernel/local-day.ts'
import { readPersona } from '../../src/scenarios/read.ts'
import { visitAddress } from '../support/appointments.ts'
import { field } from '../support/field.ts'
import { advance, createUser } from '../support/orders.ts'
import { ok, startTestWorld } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'
import { wearer } from '../support/wearables.ts'

const LAST_DAY = '9999-12-31'

describe('the last instant', () => {
  it('is where a live clock stands', () => {
    const wall = { now: LATEST - 1000 }
    const clock = new Clock({ offsetMs: 0, frozenAt: null }, () => wall.now)
    expect(clock.now()).toBe(LATEST - 1000)
    wall.now = LATEST + 60_000
    expect([clock.now(), clock.reading(), clock.waitsMs]).toEqual([LATEST, LATEST, 0])
    clock.freeze()
    expect(clock.now()).toBe(LATEST)
  })

  it('is shown for all that would be later', () => {
    for (const later of [LATEST + 1, LATEST + 86_400_000, 8.64e15, 1e300])
      expect([toDate(later), toWire(later), toIso(later)]).toEqual([
        LAST_DAY,
        '9999-12-31T23:59:59+00:00',
        '9999-12-31T23:59:59.000Z',
      ])
  })

  it('ends the dates of a window', () => {
    expect([...datesBetween('9999-12-30', LAST_DAY)]).toEqual(['9999-12-30', LAST_DAY])
    expect([...datesBetween('2026-03-01', '2026-02-28')]).toEqual([])
  })

  it('can be exported and imported by a world that has reached it', async () => {
    const petri = await startTestWorld({ world: { frozen: false, now: LATEST - 500 } })
    await createUser(petri, 'last')
    await petri.patch('/_petri/clock', { now: toIso(LATEST) })
    const body = await petri.read('/_petri/state')
    expect(await petri.put('/_petri/state', body)).toAnswer(200)
  })
})

describe('a world at the end of time', () => {
  it('shows slots up to the last day', async () => {
    const petri = await startTestWorld({ world: { now: Date.UTC(9999, 11, 20) } })
    const body = await ok(
      petri.post('/v3/order/phlebotomy/appointment/availability?start_date=9999-12-25', visitAddress),
    )
    expect(body.slots.map(field('date')).sort().at(-1)).toBe(LAST_DAY)
    expect(JSON.stringify(body)).not.toContain('+01')
  })

  it('has a person, summaries and series, and lets webhooks be retried', { tags: 'slow' }, async () => {
    const { petri } = await startHeardPetri(() => 500, { world: { now: Date.UTC(9999, 11, 20) } })
    const userId = await wearer(petri, ['fitbit'])
    await advance(petri, '11d')
    for (const path of [
      `/v2/summary/activity/${userId}?start_date=9999-12-01`,
      `/v2/summary/sleep/${userId}?start_date=9999-12-01&end_date=${LAST_DAY}`,
      `/v2/timeseries/${userId}/heartrate/grouped?start_date=9999-12-29`,
      `/_petri/users/${userId}/truth`,
    ]) {
      const { status, body } = await petri.get(path)
      expect([path, status]).toEqual([path, 200])
      expect(JSON.stringify(body)).not.toContain('+01')
    }
  })
})

describe('a person', () => {
  it.each([
    ['from=9999-12-01&until=9999-12-31', 200],
    ['from=9999-12-01', 200],
    ['from=0001-01-01&until=0001-02-01', 200],
    ['from=1926-01-06&until=2026-01-05', 200],
    ['from=0001-01-01&until=9999-12-31', 400],
    ['from=1900-01-01', 400],
  ])('is described for %s', { tags: 'slow' }, async (query, expected) => {
    const petri = await startTestWorld()
    const userId = await createUser(petri, 'person')
    const { status, body } = await petri.get(`/_petri/users/${userId}/truth?${query}`)
    expect(status).toBe(expected)
    if (status === 400) expect(body.detail).toBe('The truth is shown for up to 100 years at a time.')
  })

  it.each(['lasts: 5d, after: 151y', 'lasts: 5d, since: 999999999999999999999d', 'lasts: 99999999999999w'])(
    'cannot be a persona with %s',
    (timing) => {
      const text = `name: far\nsummary: Far away.\nkind: persona\nepisodes:\n  - { name: illness, ${timing} }\n`
      expect(() => readPersona(text, 'far.yaml')).toThrow('is more than 150 years')
      expect(() => readPersona(text.replace(timing, 'lasts: 150y'), 'far.yaml')).not.toThrow()
    },
  )
})

describe('an advance in a live world', () => {
  it('does not look like a machine whose clock was set back', { tags: 'slow' }, async () => {
    const said: string[] = []
    const { petri } = await startHeardPetri(
      async () => {
        said.push((await petri.read('/_petri/health')).status)
        return 200
      },
      { world: { frozen: false, now: null } },
    )
    await wearer(petri, ['fitbit'])
    await advance(petri, '8d')
    expect(said.length).toBeGreaterThan(10)
    expect(new Set(said)).toEqual(new Set(['ok']))
  })
})
