import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { type Day, dayOf } from '../../src/people/day.ts'
import { clockOf } from '../../src/people/day-clock.ts'
import { napOf, nightOf, type Sleep, STAGES, secondsInStages } from '../../src/people/night.ts'
import { makePerson } from '../../src/people/person.ts'
import type { Trait } from '../../src/people/traits.ts'

// The stages of nights and naps, and how long they are. Of the seed `one life`: see people.one-life.test.ts.

const DATE = '2026-01-06'
const someone = (nth: number, traits?: Partial<Record<Trait, number>>) =>
  makePerson(createRandom('one life'), `user-${nth}`, {
    course: traits && { traits, conditions: [], treatments: [], episodes: [] },
  })
const clock = clockOf('UTC', DATE, 'UTC')
const letters = Object.entries(STAGES).map(([name, stage]) => [stage, name.slice(0, 1)] as const)
const letterOf = new Map<number, string>(letters)

/** The minutes of each stage in their order: awake, light, deep, REM. */
const told = ({ stages }: Sleep) =>
  stages.map(({ start, end, stage }) => `${letterOf.get(stage)}${(end - start) / MINUTE_MS}`).join(' ')

function expectWhole({ start, end, stages }: Sleep) {
  expect([stages[0]?.start, stages.at(-1)?.end]).toEqual([start, end])
  for (const [nth, span] of stages.slice(1).entries()) expect(span.start).toBe(stages[nth]?.end)
}

describe('the stages of a sleep', () => {
  it.each<[string, (day: Day) => Sleep | undefined, nth: number, date: string, expected: string]>([
    [
      'a night',
      ({ nights }) => nights[0],
      3,
      '2026-01-09',
      'a4 l9 a2 l9 a1 l9 d30 l7 a2 l7 a1 l7 r7 a3 l18 a2 l18 d22 l14 a2 l15 r8 a1 r8 l11 a1 l10 a2 l10 d14 l6 a2 l6 r13 a1 r13 l19 a2 l19 d5 l18 a1 l18 r35 l16 a2 l16 a1 l17 d4 l13 a1 l13 r22 a2 r22 a2',
    ],
    [
      'a bad night',
      ({ nights }) => nights[0],
      6,
      '2026-01-10',
      'a8 l19 a2 l19 a1 l20 d18 l13 a2 l13 r7 a1 l22 a2 l22 d13 l13 a2 l13 r18 l11 a2 l11 d9 l5 a2 l5 r28',
    ],
    ['a nap', ({ naps }) => naps[0], 0, '2026-01-06', 'a2 l8 l8'],
    ['a longer nap', ({ naps }) => naps[0], 11, '2026-01-10', 'a2 l18 l12 a1'],
  ])('come in cycles, and %s is always the same', (_, of, nth, date, expected) => {
    const sleep = of(dayOf(someone(nth), 'UTC', date)) ?? expect.fail()
    expectWhole(sleep)
    expect(told(sleep)).toBe(expected)
  })

  it('have deep sleep early in the night, and REM sleep late', () => {
    const { stages, start, end } = nightOf(someone(3), clock)
    const middleOf = (wanted: number) => {
      const spans = stages.filter(({ stage }) => stage === wanted)
      const whole = spans.reduce((sum, span) => sum + span.end - span.start, 0)
      return (
        spans.reduce((sum, span) => sum + ((span.start + span.end) / 2) * (span.end - span.start), 0) / whole
      )
    }
    expect(middleOf(STAGES.deep)).toBeLessThan((start + end) / 2)
    expect(middleOf(STAGES.rem)).toBeGreaterThan((start + end) / 2)
  })

  it.each([
    [30, 'a2 l8 a2 l8 l9 a1'],
    [39, 'a2 l10 a2 l10 l7 a1 l7'],
    [40, 'a2 l9 a1 l9 d6 l6 a1 l5 a1'],
    [59, 'a2 l9 a2 l8 a2 l8 d10 l7 a2 l8 a1'],
    [60, 'a3 l7 a2 l7 a2 l7 d10 l7 a1 l7 r6 a1'],
    [120, 'a5 l15 a2 l15 a2 l15 d18 l14 a2 l13 r6 a2 r5 a6'],
  ])('of a nap of %s minutes: %s', (minutes, expected) => {
    const nap = napOf(nightOf(someone(3), clock), () => 0.5, clock.start, minutes)
    expect(nap).toMatchObject({
      kind: 'nap',
      date: DATE,
      start: clock.start,
      end: clock.start + minutes * MINUTE_MS,
    })
    expectWhole(nap)
    expect(told(nap)).toBe(expected)
  })

  it('add up to the seconds in each', () => {
    const nap = napOf(nightOf(someone(3), clock), () => 0.5, clock.start, 90)
    const { deep, light, rem, awake } = secondsInStages(nap)
    expect(deep + light + rem + awake).toBe(90 * 60)
    expect([deep, rem].every((seconds) => seconds > 0)).toBe(true)
  })
})

describe('a night', () => {
  it.each([
    [1, 99, 3.6],
    [30, 40, 13.9],
  ])(
    'of somebody who sleeps %s hours, of %s %%, is %s hours in bed',
    (sleepHours, sleepEfficiency, hours) => {
      const { start, end } = nightOf(someone(2, { sleepHours, sleepEfficiency }), clock)
      expect(Math.abs(end - start - hours * HOUR_MS)).toBeLessThanOrEqual(MINUTE_MS)
    },
  )

  it('is as long as the sleep and its efficiency, around the middle of sleep', () => {
    for (const nth of [2, 3, 6]) {
      const { start, end, body } = nightOf(someone(nth), clock)
      expect((end - start) / MINUTE_MS).toBeCloseTo((6000 * body.sleepHours) / body.sleepEfficiency, -1)
      expect((start + end) / 2 - clock.start).toBeCloseTo(body.midSleepMinute * MINUTE_MS, -6)
    }
  })
})
