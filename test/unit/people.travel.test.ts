import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import type { Journey } from '../../src/kernel/local-day.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { bodyTemperature, glucose } from '../../src/people/curves.ts'
import { daysLater } from '../../src/people/dates.ts'
import { dayOf } from '../../src/people/day.ts'
import { stayingIn, type Whereabouts } from '../../src/people/day-clock.ts'
import { secondsInStages } from '../../src/people/night.ts'
import { makePerson } from '../../src/people/person.ts'

// A body keeps the time of its home for some days: it gets nearer to the local clock by an hour a day.

const random = createRandom('travel')
const people = Array.from({ length: 40 }, (_, nth) =>
  makePerson(random, `traveller-${nth}`, { birthDate: '1985-03-03' }),
)
const HOME = 'America/New_York'
const ARRIVAL = '2026-02-04'

function going(...to: readonly (readonly [date: string, zone: string])[]): Whereabouts {
  const journeys = to.map(
    ([date, zone], nth): Journey => ({ date, from: to[nth - 1]?.[1] ?? HOME, to: zone }),
  )
  return { journeys, zoneOn: (date) => journeys.findLast((each) => each.date <= date)?.to ?? HOME }
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
/** By how many hours nights are later than at home, in the mean of all people. */
const shiftOn = (where: Whereabouts, date: string) => {
  const middle = (at: Whereabouts) =>
    meanOf(
      people.map((person) => {
        const {
          nights: [night],
          start,
        } = dayOf(person, at, date)
        return ((night.start + night.end) / 2 - start) / 3_600_000
      }),
    )
  return middle(where) - middle(stayingIn(where.zoneOn(date)))
}
const efficiencyOn = (where: Whereabouts, date: string) =>
  meanOf(
    people.map((person) => {
      const [night] = dayOf(person, where, date).nights
      const { awake } = secondsInStages(night)
      return 100 - (100_000 * awake) / (night.end - night.start)
    }),
  )

describe('a journey across time zones', () => {
  it('to the east lets people sleep later, by an hour less each day', { tags: 'slow' }, () => {
    const toLondon = going([ARRIVAL, 'Europe/London'])
    const shifts = [0, 1, 2, 3, 4, 5, 6].map((passed) => shiftOn(toLondon, daysLater(ARRIVAL, passed)))
    for (const [passed, hours] of [5, 4, 3, 2, 1, 0, 0].entries())
      expect(Math.abs((shifts[passed] ?? 0) - hours)).toBeLessThan(0.3)
    expect(shiftOn(toLondon, daysLater(ARRIVAL, -1))).toBe(0)
  })

  it('to the west lets people sleep earlier', () => {
    const toDenver = going([ARRIVAL, 'America/Denver'])
    expect(shiftOn(toDenver, ARRIVAL)).toBeLessThan(-1.5)
    expect(shiftOn(toDenver, daysLater(ARRIVAL, 2))).toBe(0)
  })

  it('around half the world makes sleep worse for a fortnight, and not for longer', () => {
    const toTokyo = going([ARRIVAL, 'Asia/Tokyo'])
    const staying = stayingIn('Asia/Tokyo')
    const lost = (passed: number) =>
      efficiencyOn(staying, daysLater(ARRIVAL, passed)) - efficiencyOn(toTokyo, daysLater(ARRIVAL, passed))
    expect(lost(1)).toBeGreaterThan(5)
    expect(lost(12)).toBeGreaterThan(1)
    expect(lost(12)).toBeLessThan(lost(1))
    expect(lost(15)).toBe(0)
  })

  it('and back after some days adds up to what is left', () => {
    const back = going([ARRIVAL, 'Europe/London'], [daysLater(ARRIVAL, 2), HOME])
    expect(shiftOn(back, daysLater(ARRIVAL, 2))).toBeLessThan(-1.5)
    expect(shiftOn(back, daysLater(ARRIVAL, 4))).toBe(0)
  })

  it('is no seam: nights follow each other, and temperature, glucose and heart rate have no step at midnight', {
    tags: 'slow',
  }, () => {
    const [atMidnight, atOne]: [number[], number[]] = [[], []]
    for (const zone of ['Asia/Tokyo', 'Europe/London', 'America/Los_Angeles', 'Pacific/Auckland']) {
      const where = going([ARRIVAL, zone])
      for (const person of people.slice(0, 12)) {
        for (let passed = -1; passed < 16; passed++) {
          const date = daysLater(ARRIVAL, passed)
          const [day, next] = [dayOf(person, where, date), dayOf(person, where, daysLater(date, 1))]
          expect(day.nights[1].start).toBe(next.nights[0].start)
          expect(day.nights[0].end).toBeLessThan(day.nights[1].start)
          const step = (curve: typeof glucose) =>
            Math.abs(curve(next, next.start, 0.5) - curve(day, next.start - MINUTE_MS, 0.5))
          if (day.end === day.start) continue
          expect(step(bodyTemperature)).toBeLessThan(0.05)
          expect(step(glucose)).toBeLessThan(0.4)
          const heart = next.minutes.heart()
          atMidnight.push(Math.abs((heart[0] ?? 0) - (day.minutes.heart().at(-1) ?? 0)))
          atOne.push(Math.abs((heart[60] ?? 0) - (heart[59] ?? 0)))
        }
      }
    }
    expect(meanOf(atMidnight)).toBeLessThan(1.5 * meanOf(atOne))
  })
})
