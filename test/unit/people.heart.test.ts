import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import type { Minutes } from '../../src/people/minutes.ts'
import { STAGES, type Stage } from '../../src/people/night.ts'
import { highestHeart } from '../../src/people/person.ts'
import {
  DATE,
  day,
  madeMinutes,
  napAt,
  noMinutes,
  person,
  training,
  workoutAt,
} from '../support/made-minutes.ts'

// What the heart aims at in each minute of a day, and how it follows.

const highest = highestHeart(person, DATE)
const { beats, body: nightBody } = day.nights[0]
const rest = nightBody.restingHeart
const atRest = rest + 6.5 + 0.4 * beats
/** The share of the heart rate reserve that is aimed at after some minutes of training. */
const shareAt = (minutes: Minutes, passed: number) => (minutes.aim(720 + passed) - rest) / (highest - rest)

describe('the heart of somebody who trains', () => {
  it.each([
    [0, 0.84],
    [3, 0.84 + 0.16 / 3],
    [9, 1],
    [10, 1],
    [39, 1],
  ])('aims after %s minutes of forty at %s of the effort: warming up', (passed, factor) => {
    const minutes = madeMinutes({ workouts: [training(40, { effort: 0.5 }, { intensity: 1.1 })] })
    expect(shareAt(minutes, passed)).toBeCloseTo(0.55 * factor, 9)
  })

  it.each([
    [1, 1.16],
    [0, 0.84],
  ])('is uneven: with a draw of %s', (draw, factor) => {
    const minutes = madeMinutes({
      workouts: [training(40, { effort: 0.5 })],
      noise: { 'strain/0': () => draw },
    })
    expect(shareAt(minutes, 9)).toBeCloseTo(0.5 * factor, 9)
  })

  it('comes near its highest rate at most', () => {
    expect(
      shareAt(madeMinutes({ workouts: [training(40, { effort: 0.9 }, { intensity: 2 })] }), 20),
    ).toBeCloseTo(0.97, 9)
  })

  it.each([
    [36, 0.39],
    [26, 0.5],
    [0, 0.65],
    [100, 0.22],
  ])('takes a walk, with a fitness of %s, for an effort of %s', (vo2Max, effort) => {
    const minutes = madeMinutes({
      body: { vo2Max },
      workouts: [training(40, { slug: 'walking', effort: 0.9 })],
    })
    expect(shareAt(minutes, 9)).toBeCloseTo(effort, 9)
  })

  it('is that of the workout of the minute', () => {
    const second = workoutAt(900, 940, { effort: 0.3 }, { index: 1 })
    const minutes = madeMinutes({ workouts: [training(40, { effort: 0.5 }), second] })
    expect((minutes.aim(909) - rest) / (highest - rest)).toBeCloseTo(0.3, 9)
    expect([719, 720, 759, 760, 899, 900, 939, 940].map((minute) => minutes.workout[minute])).toEqual([
      0, 1, 1, 0, 0, 2, 2, 0,
    ])
    expect(minutes.aim(760)).toBeCloseTo(atRest, 9)
  })
})

describe('the heart of somebody awake', () => {
  it('is faster than at rest, by the night before', () => {
    expect(madeMinutes().aim(720)).toBeCloseTo(atRest, 9)
    const [, next] = day.nights
    const evening = Math.ceil((next.start - day.start) / MINUTE_MS)
    expect(madeMinutes().aim(evening - 1)).toBeCloseTo(atRest, 9)
    expect(madeMinutes().aim(evening)).toBeCloseTo(next.body.restingHeart + 6.5 + 0.4 * next.beats, 9)
  })

  it.each([
    [539, 0.4],
    [540, 1],
    [1079, 1],
    [1080, 0.4],
  ])('is faster in stress, most in working hours: at minute %s', (minute, share) => {
    const tense = madeMinutes({ noise: { tension: () => 1 } })
    expect(tense.aim(minute) - atRest).toBeCloseTo(share * 10, 9)
    expect(madeMinutes({ noise: { tension: () => 0.5 } }).aim(minute)).toBeCloseTo(atRest, 9)
  })

  it('is in stress that comes and goes', () => {
    const once = madeMinutes({ noise: { tension: (part) => (part === 16 ? 1 : 0) } })
    expect(
      [674, 705, 720, 735, 765].map((minute) => Math.round((once.aim(minute) - atRest) * 10) / 10),
    ).toEqual([0, 5, 10, 5, 0])
  })

  it('is faster on foot, by the steps of the minute', () => {
    const minutes = madeMinutes({
      noise: { steps: (ordinal) => (ordinal < 2000 ? 0.9 : Number(ordinal === 2048) / 2) },
    })
    // 100 steps, of 110 of a brisk walk.
    expect(minutes.aim(725) - atRest).toBeCloseTo((100 / 110) * 0.39 * (highest - rest), 9)
  })
})

describe('the heart of somebody asleep', () => {
  it.each<[Stage, number]>([
    [STAGES.deep, -2],
    [STAGES.light, -1],
    [STAGES.rem, 1],
    [STAGES.awake, 4],
  ])('in stage %s is faster by %s, and by the hour', (stage, more) => {
    const minutes = madeMinutes({
      naps: [napAt(0, 30, stage), napAt(240, 300, stage), napAt(720, 750, stage)],
    })
    const byHour = { 0: -1, 15: -1.25, 270: -5, 720: 1 }
    for (const [minute, hourly] of Object.entries(byHour))
      expect(minutes.aim(Number(minute)) - rest - beats).toBeCloseTo(hourly + more, 9)
  })
})

describe('the heart rate', () => {
  it('varies most in training, and least in sleep', () => {
    const minutes = madeMinutes({ workouts: [training(40)], naps: [napAt(900, 930, STAGES.light)] })
    expect([720, 900, 1000].map((minute) => minutes.variation(minute))).toEqual([6, 2.4, 5])
    const shaken = madeMinutes({ noise: { heart: () => 1 } }).heart()
    expect((shaken[700] ?? 0) - (madeMinutes().heart()[700] ?? 0)).toBeCloseTo(2.5, 4)
  })

  it('rises faster than it falls, and begins where the day before has ended', () => {
    const heart = madeMinutes({ workouts: [training(40, { effort: 0.5 })] }).heart()
    const minutes = madeMinutes({ workouts: [training(40, { effort: 0.5 })] })
    expect(heart[719]).toBeCloseTo(atRest, 3)
    expect(heart[720]).toBeCloseTo(atRest + 0.55 * (minutes.aim(720) - atRest), 3)
    expect(heart[760]).toBeCloseTo((heart[759] ?? 0) + 0.2 * (atRest - (heart[759] ?? 0)), 3)
    const before: Minutes = { ...noMinutes, count: 1440, aim: (minute) => (minute < 1395 ? 500 : 150) }
    expect(madeMinutes({ before }).heart()[0]).toBeCloseTo(150 + 0.2 * (atRest - 150), 3)
    expect(madeMinutes({ before: { ...before, count: 10, aim: () => 150 } }).heart()[0]).toBeCloseTo(
      150 + 0.2 * (atRest - 150),
      3,
    )
    expect(madeMinutes().heart()[0]).toBeCloseTo(atRest, 3)
  })
})
