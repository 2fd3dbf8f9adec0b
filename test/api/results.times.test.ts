import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { localDate, localTime } from '../../src/kernel/local-day.ts'
import { advance, readOrder, readResult } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'

interface Stamp {
  readonly timestamp: string
  readonly timezone_offset: number
}

interface Report {
  readonly metadata: { readonly date_reported: string; readonly status: string }
  readonly results: { readonly slug: string; readonly timestamp: string }[]
  readonly sample_information: Record<
    string,
    { readonly date_collected: Stamp; readonly date_received: Stamp; readonly date_reported: Stamp }
  >
}

/** Where patients live, and the time zone there. */
const homes = [
  ['85004', 'America/Phoenix'],
  ['10001', 'America/New_York'],
  ['96813', 'Pacific/Honolulu'],
] as const

/** An order of a scenario, a few days after a start on each day of the week, and its last report. */
async function reportsOf(scenario: string) {
  const reports: { readonly report: Report; readonly zone: string; readonly order: Order }[] = []
  for (let day = 0; day < 7; day++) {
    const [zip, zone] = homes[day % homes.length] ?? homes[0]
    const now = Date.UTC(2026, 0, 5 + day, 15, 7)
    const petri = await startTestWorld({ world: { seed: `${scenario} ${day}`, now } })
    const placed = await petri.post('/_petri/orders', { scenario, zip })
    expect([scenario, placed.status, placed.body]).toEqual([scenario, 201, expect.anything()])
    await advance(petri, '40d')
    const order: Order = await readOrder(petri, placed.body.id)
    const report: Report = await readResult(petri, order.id)
    reports.push({ report, zone, order })
  }
  return reports
}

interface Order {
  readonly id: string
  readonly events: { readonly created_at: string; readonly status: string }[]
}

const sampleOf = ({ sample_information }: Report) => {
  const [sample] = Object.values(sample_information)
  if (!sample) throw new Error('The report has no sample.')
  return sample
}
const instantOf = ({ timestamp }: Stamp) => Date.parse(timestamp)
const isSunday = (zone: string, instant: number) => new Date(localDate(zone, instant)).getUTCDay() === 0

const scenarios = [
  'happy-path',
  'walk-in-happy-path',
  'walk-in-partial-results',
  'walk-in-corrected-result',
  'on-site-happy-path',
  'on-site-partial-results',
  'slow-lab',
]

describe('the times of a report', { tags: 'slow' }, () => {
  it.each(scenarios)(
    'follow each other: collected, received, each result, reported (%s)',
    async (scenario) => {
      for (const { report, order } of await reportsOf(scenario)) {
        const sample = sampleOf(report)
        const collected = instantOf(sample.date_collected)
        const received = instantOf(sample.date_received)
        const reported = instantOf(sample.date_reported)
        expect(collected).toBeGreaterThanOrEqual(Date.parse(order.events[0]?.created_at ?? ''))
        expect(received - collected).toBeGreaterThan(HOUR_MS)
        expect(reported - received).toBeGreaterThan(HOUR_MS)
        const passedOn = Date.parse(order.events.at(-1)?.created_at ?? '') - reported
        if (scenario === 'walk-in-corrected-result') expect(passedOn).toBe(0)
        else expect(passedOn).toBeGreaterThan(0)
        expect(report.metadata.date_reported).toBe(sample.date_reported.timestamp)
        for (const { timestamp } of report.results) {
          expect(Date.parse(timestamp)).toBeGreaterThan(received)
          expect(Date.parse(timestamp)).toBeLessThanOrEqual(reported)
        }
      }
    },
  )

  it('have a draw on site in the last open hours before its status, which keeps its time', async () => {
    let moved = 0
    for (let nth = 0; nth < 24; nth++) {
      const now = Date.UTC(2026, 0, 5, 0, 30) + nth * 7 * HOUR_MS
      const petri = await startTestWorld({ world: { seed: `hours ${nth}`, now } })
      const { body } = await petri.post('/_petri/orders', { scenario: 'on-site-happy-path', zip: '85004' })
      await advance(petri, '30h')
      const order: Order = await readOrder(petri, body.id)
      const [, requisition, drawn] = order.events.map(({ created_at }) => Date.parse(created_at))
      expect([order.events.length, drawn]).toEqual([3, now + 25 * HOUR_MS])
      await advance(petri, '3d')
      const report: Report = await readResult(petri, body.id)
      const collected = instantOf(sampleOf(report).date_collected)
      const zone = 'America/Phoenix'
      const last = drawn ?? 0
      const isOpen = (instant: number) => {
        const [hour, minute] = localTime(zone, instant)
        return !isSunday(zone, instant) && hour + minute / 60 >= 7 && hour + minute / 60 <= 15.5
      }
      let open = last
      while (!isOpen(open) && open > (requisition ?? 0)) open -= 60_000
      if (!isOpen(open)) expect(collected).toBe(last)
      else {
        expect([isOpen(collected), collected <= open]).toEqual([true, true])
        expect(localDate(zone, collected)).toBe(localDate(zone, open))
        if (collected !== last) moved++
      }
    }
    // Fifteen are at night, six of which cannot be earlier.
    expect(moved).toBeGreaterThan(10)
  })

  it('are late in the report of a slow laboratory, not in its draw', async () => {
    for (const { report, order } of await reportsOf('walk-in-slow-lab')) {
      const { date_collected, date_reported } = sampleOf(report)
      const requisition = Date.parse(order.events[1]?.created_at ?? '')
      expect(instantOf(date_collected) - requisition).toBeLessThan(7 * DAY_MS)
      expect(instantOf(date_reported) - instantOf(date_collected)).toBeGreaterThan(13 * DAY_MS)
    }
  })
})
