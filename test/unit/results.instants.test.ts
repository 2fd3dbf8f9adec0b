import { beforeAll, describe, expect, it } from 'vitest'
import { appointments } from '../../src/resources/appointments/table.ts'
import { dotted, type LowStatus, type Method } from '../../src/resources/orders/lifecycle.ts'
import { type OrderRow, orderMetadata } from '../../src/resources/orders/table.ts'
import { patientOf } from '../../src/resources/results/report-header.ts'
import { timesOf } from '../../src/resources/results/times.ts'
import type { World } from '../../src/world/world.ts'
import { startTestWorld } from '../support/petri.ts'
import { analyteOf } from '../support/results.ts'

let base: World
beforeAll(async () => {
  base = (await startTestWorld()).world()
})

interface Wish {
  readonly method?: Method
  readonly zip?: string | null
  /** The laboratory whose sites are open at their own hours; without one there is no site nearby. */
  readonly lab?: string
  /** The statuses and when they were reached. */
  readonly events: Readonly<Record<string, string>>
  readonly appointment?: { readonly start_at: string; readonly iana_timezone: string }
  readonly draw?: { readonly minute: number }
  /** What every draw gives. */
  readonly noise?: number
}

/** The times of an order, in a world whose draws are all in the middle. */
function timesFor(wish: Wish) {
  const { method = 'walk_in_test', zip = '85004', lab = null, events, appointment, draw, noise = 0.5 } = wish
  const rows = new Map<unknown, unknown>([
    [appointments, appointment],
    [orderMetadata, draw && { draw }],
  ])
  const world: World = Object.assign(Object.create(base), {
    random: { ...base.random, noise: () => noise },
    db: { find: (table: unknown) => rows.get(table) },
  })
  const order = {
    id: 'order',
    details: { type: method, data: appointment ? { appointment_id: 'visit' } : null },
    patient_address: zip === null ? null : { zip },
    lab_test: { lab: lab && { slug: lab } },
    events: Object.entries(events).map(([low, at]) => ({
      status: dotted(method, low as LowStatus),
      created_at: `2026-01-${at}`,
    })),
  } as unknown as OrderRow
  return timesOf(world, order)
}

/** `08T03:15`, of January 2026. */
const at = (instant: number) => new Date(instant).toISOString().slice(8, 19).replace(/:00$/, '')

function stampsFor(wish: Wish) {
  const { collectedAt, receivedAt, reportedAt } = timesFor(wish)
  return [collectedAt, receivedAt, reportedAt].map(at)
}

// 5 January is a Monday; in Phoenix clocks are seven hours behind.
const monday = '05T09:00:00Z'

describe('a sample', () => {
  it.each<[string, Wish, string[]]>([
    [
      'is drawn on the last day that leaves time for transport and analysis, while the site is open',
      { events: { ordered: monday, completed: '08T18:00:00Z' } },
      ['07T16:15', '08T01:15', '08T17:34'],
    ],
    [
      'is drawn on the day before where the site is not open in time',
      { events: { ordered: monday, completed: '08T13:00:00Z' } },
      ['06T18:15', '07T03:15', '08T12:34'],
    ],
    [
      'is drawn within the hours of the site nearest to the patient',
      { lab: 'quest', noise: 0.999999, events: { ordered: monday, completed: '09T18:00:00Z' } },
      ['07T21:59:59', '08T10:59:59', '09T17:10'],
    ],
    [
      'is drawn before a holiday rather than on it',
      { events: { ordered: '16T15:00:00Z', completed: '20T18:00:00Z' } },
      ['17T18:15', '18T03:15', '20T17:34'],
    ],
    [
      'is drawn on Saturday rather than on Sunday, when sites are closed',
      { events: { ordered: monday, completed: '12T22:00:00Z' } },
      ['10T18:15', '11T03:15', '12T21:34'],
    ],
    [
      'whose report is passed on on a Sunday was released on Saturday evening',
      { events: { ordered: monday, completed: '11T18:00:00Z' } },
      ['09T18:15', '10T03:15', '11T00:00'],
    ],
    [
      'is drawn soon after the order, and arrives before the report, where there is no time for more',
      { events: { ordered: '05T16:00:00Z', completed: '05T20:00:00Z' } },
      ['05T16:48', '05T18:04:48', '05T19:45:36'],
    ],
    [
      'is drawn when a status says so',
      {
        method: 'on_site_collection',
        events: { ordered: monday, draw_completed: '07T20:05:00Z', completed: '09T18:00:00Z' },
      },
      ['07T20:05', '08T05:05', '09T17:34'],
    ],
    [
      'is drawn at the minute that the order says',
      { draw: { minute: 8 * 60 + 20 }, events: { ordered: monday, completed: '08T18:00:00Z' } },
      ['07T15:20', '08T00:20', '08T17:34'],
    ],
    [
      'is drawn some minutes after the beginning of a visit',
      {
        appointment: { start_at: '2026-01-06T16:00:00Z', iana_timezone: 'America/Phoenix' },
        events: { ordered: monday, appointment_scheduled: '05T10:00:00Z', completed: '08T18:00:00Z' },
      },
      ['06T16:09', '07T01:09', '08T17:34'],
    ],
    [
      'is not drawn at a visit after its report',
      {
        appointment: { start_at: '2026-01-09T16:00:00Z', iana_timezone: 'America/Phoenix' },
        events: { ordered: monday, completed: '08T18:00:00Z' },
      },
      ['07T16:15', '08T01:15', '08T17:34'],
    ],
    [
      'of a kit is taken in the morning of the day on which it is sent back, and arrives with its parcel',
      {
        method: 'testkit',
        events: {
          ordered: monday,
          with_customer: '07T18:00:00Z',
          transit_lab: '09T20:00:00Z',
          delivered_to_lab: '12T17:00:00Z',
          completed: '14T18:00:00Z',
        },
      },
      ['09T15:00', '12T17:00', '14T17:34'],
    ],
    [
      'of a kit is taken on a Sunday, too, and days before its report where no parcel is known',
      { method: 'testkit', events: { ordered: monday, completed: '14T18:00:00Z' } },
      ['11T15:00', '12T21:00', '14T17:34'],
    ],
    [
      'has the hours where the patient lives',
      { zip: '10001', events: { ordered: monday, completed: '08T18:00:00Z' } },
      ['07T15:15', '08T00:15', '08T17:34'],
    ],
    [
      'has the latest draws where nothing is sure: the site closes at half past three',
      { noise: 0.999999, events: { ordered: monday, completed: '09T18:00:00Z' } },
      ['07T22:29:59', '08T11:29:59', '09T17:10'],
    ],
  ])('%s', (_, wish, stamps) => {
    expect(stampsFor(wish)).toEqual(stamps)
  })

  it('has the time zone of the visit, of the home, or of the country', () => {
    const events = { ordered: monday, completed: '08T18:00:00Z' }
    const appointment = { start_at: '2026-01-06T16:00:00Z', iana_timezone: 'America/Chicago' }
    expect(timesFor({ events, appointment }).zone).toBe('America/Chicago')
    expect(timesFor({ events, zip: '10001' }).zone).toBe('America/New_York')
    expect(timesFor({ events, zip: null }).zone).toMatch(/^America\//)
  })

  it('that was not reported yet was drawn before the last status', () => {
    const { collectedAt, receivedAt, reportedAt } = timesFor({
      method: 'testkit',
      events: { ordered: monday, transit_lab: '08T18:00:00Z' },
    })
    expect([collectedAt, receivedAt, reportedAt].map(at)).toEqual(['08T15:00', '08T16:12', '08T18:00'])
  })
})

describe('a result', () => {
  const events = { ordered: monday, completed: '08T18:00:00Z' }
  const report = '2026-01-08T18:00:00Z'

  it.each([
    ['tsh', 'its category', '08T11:15'],
    ['potassium', 'its category', '08T05:15'],
    ['vitamin-d-25-hydroxy', 'its own turnaround, which is too long,', '08T08:49:32'],
    ['peanut-ige', 'its category, which is too long,', '08T12:07:40'],
  ])('%s is there after the hours of %s: %s', (slug, _, instant) => {
    expect(at(timesFor({ events }).resultAt(analyteOf(slug), 1, report))).toBe(instant)
  })

  it('comes a fifth sooner or later, by its marker', () => {
    const soon = timesFor({ events, noise: 0 })
    expect(soon.resultAt(analyteOf('tsh'), 1, report) - soon.receivedAt).toBe(8 * 3_600_000)
  })

  it('of a later report comes after the earlier one', () => {
    const two = { ordered: monday, partial_results: '08T18:00:00Z', completed: '09T18:00:00Z' }
    const times = timesFor({ events: two })
    const final = '2026-01-09T18:00:00Z'
    const of = (slug: string, when = final) => at(times.resultAt(analyteOf(slug), 1, when))
    expect(at(times.reportedAt)).toBe('09T17:34')
    expect(of('tsh', report)).toBe('08T11:15')
    // From the first release to the second one, by the turnaround beside that of a day.
    expect(of('tsh')).toBe('09T01:58')
    expect(of('peanut-ige')).toBe('09T09:34')
  })

  it('of a correction comes when the correction is made, also on a Sunday', () => {
    const sunday = { ordered: monday, completed: '08T18:00:00Z', corrected: '11T18:00:00Z' }
    const times = timesFor({ events: sunday })
    expect(at(times.resultAt(analyteOf('tsh'), 1, '2026-01-11T18:00:00Z'))).toBe('11T18:00')
    expect(at(times.reportedAt)).toBe('11T18:00')
  })
})

describe('the age of a patient', () => {
  it('is that of an adult, and the sex unknown, where the order has no patient', () => {
    const order = { patient_details: null } as unknown as OrderRow
    expect(patientOf(order, { reportedAt: '2026-01-05' })).toEqual({ sex: 'unknown', age: 40 })
  })
})
