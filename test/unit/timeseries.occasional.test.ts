import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/kernel/instant.ts'
import type { Day } from '../../src/people/day.ts'
import { lipidsOf } from '../../src/resources/results/service.ts'
import { field } from '../support/field.ts'
import { at, DATE, evenly } from '../support/made-day.ts'
import { briefly, drawing, drawn, lasting, madeDay } from '../support/made-samples.ts'

const by = (chance: number) => madeDay(() => ({ noise: evenly(chance) }))

describe('what happens at times', () => {
  it.each([
    ['water', ['07:40', '09:10', '10:50', '12:50', '14:30', '16:10', '18:10', '20:00'], 300, 0],
    ['caffeine', ['08:05', '10:30', '13:40'], 0.095, 1],
    ['handwashing', ['07:30', '09:15', '12:20', '14:00', '16:50', '18:40', '21:40'], 1, 1],
  ])('of %s by an even chance', (slug, times, value, minutes) => {
    const samples = drawn(slug, by(0.5))
    expect(briefly(samples)).toEqual(times.map((time) => [`${time}:00`, value]))
    expect(new Set(lasting(samples))).toEqual(new Set([minutes]))
  })

  it.each([
    ['water', 0.85, 8],
    ['caffeine', 0.7, 3],
    ['mindfulness_minutes', 0.45, 2],
    ['handwashing', 0.75, 7],
    ['fall', 0.003, 1],
    ['inhaler_usage', 0.12, 2],
  ])('%s: below a chance of %s all of them, and from it on none', (slug, chance, count) => {
    expect(drawn(slug, by(chance))).toEqual([])
    expect(drawn(slug, by(chance - 1e-9))).toHaveLength(count)
  })

  it.each([
    [
      'mindfulness_minutes',
      0,
      [
        ['07:10:00', 5],
        ['21:00:00', 5],
      ],
      15,
    ],
    [
      'inhaler_usage',
      0.11,
      [
        ['07:42:00', 1],
        ['20:32:00', 1],
      ],
      1,
    ],
    ['fall', 0, [['16:40:00', 1]], 1],
  ])('%s at the times of day of people', (slug, chance, expected, minutes) => {
    const samples = drawn(slug, by(chance))
    expect(briefly(samples)).toEqual(expected)
    expect(new Set(lasting(samples))).toEqual(new Set([minutes]))
  })

  it('is drawn one by one: whether, when and how much', () => {
    const draws: Record<number, number> = { 0: 0.1, 1: 0.99, 2: 0.1, 100: 0, 102: 0.99, 200: 0, 202: 0.99 }
    const day = madeDay(() => ({ noise: () => (ordinal) => draws[ordinal] ?? 0.9 }))
    expect(briefly(drawn('caffeine', day))).toEqual([
      ['07:55:00', 0.06],
      ['13:49:00', 0.129],
    ])
  })

  it('nobody pushes a wheelchair', () => {
    expect(drawn('wheelchair_push', by(0))).toEqual([])
  })
})

describe('a laboratory panel', () => {
  /** The days of half a year on which there is one. */
  const daysOf = (slug: string, chance: number) =>
    Array.from({ length: 182 }, (_, nth) =>
      new Date(Date.parse('2026-01-01T00:00:00Z') + nth * DAY_MS).toISOString().slice(0, 10),
    )
      .map((date) => ({
        date,
        samples: drawn(
          slug,
          madeDay(() => ({ random: drawing(chance) }), { date }),
        ),
      }))
      .filter(({ samples }) => samples.length > 0)
  const numberOf = (date = '') => Date.parse(date) / DAY_MS

  it('of immunoglobulins is drawn every half year, a second from kind to kind', { tags: 'slow' }, () => {
    const [first, ...more] = daysOf('ige', 0.5)
    expect(more).toEqual([])
    expect(numberOf(first?.date) % 182).toBe(91)
    expect(
      first?.samples.map(({ type, value, start }) => [
        type,
        value,
        new Date(start).toISOString().slice(11, 19),
      ]),
    ).toEqual([
      ['baha_grass', 20, '08:15:00'],
      ['cat_dander', 30, '08:15:01'],
      ['birch', 25, '08:15:02'],
    ])
    expect(daysOf('igg', 0.5)[0]?.samples.map(({ type, value }) => [type, value])).toEqual([
      ['dairy', 9],
      ['egg_white', 7.5],
      ['wheat', 10],
    ])
    expect(numberOf(daysOf('ige', 0.25)[0]?.date) % 182).toBe(45)
  })

  it('of cholesterol is drawn every quarter, in millimoles', { tags: 'slow' }, () => {
    const panels = daysOf('cholesterol', 0.5)
    expect(panels).toHaveLength(2)
    for (const { date, samples } of panels) {
      expect(numberOf(date) % 91).toBe(45)
      expect(samples.map(({ type }) => type)).toEqual([
        'cholesterol/ldl',
        'cholesterol/hdl',
        'cholesterol/total',
        'cholesterol/triglycerides',
      ])
      for (const { value } of samples) expect(Math.round(Number(value) * 100) / 100).toBe(value)
    }
  })

  it.each([
    ['the day before a birthday', '1960-03-09', 65],
    ['a birthday', '1960-03-08', 66],
  ])('of cholesterol is of the age in birthdays: %s', (_, birthDate, age) => {
    const day = madeDay(
      ({ person }) => ({ random: drawing(0.5), person: { ...person, birthDate, sex: 'female' } }),
      {
        date: '2026-03-08',
      },
    )
    const key = `cholesterol/${day.drawKey}/${day.date}`
    const { ldl, hdl, total, triglycerides } = lipidsOf(day.person, key, day.date, { sex: 'female', age })
    expect(drawn('cholesterol', day).map(field('value'))).toEqual(
      [ldl / 38.67, hdl / 38.67, total / 38.67, triglycerides / 88.57].map((value) =>
        expect.closeTo(value, 2),
      ),
    )
  })
})

describe('blood pressure', () => {
  const resting = ({ body }: Day) => ({ ...body, systolic: 120, diastolic: 80 })
  const measured = (draws: Record<number, number>, more: (day: Day) => Partial<Day> = () => ({})) =>
    drawn(
      'blood_pressure',
      madeDay((day) => ({
        noise: () => (ordinal) => draws[ordinal] ?? 0.5,
        body: resting(day),
        ...more(day),
      })),
    ).map(({ start, value, more: pressure }) => {
      expect(value).toBeNull()
      return [new Date(start).toISOString().slice(11, 16), pressure?.systolic, pressure?.diastolic]
    })

  it('is measured after getting up and in the evening, seldom by day', () => {
    // Within three quarters of an hour from a quarter past seven on, and between five in the afternoon and ten.
    expect(measured({})).toEqual([
      ['07:38', 120, 80],
      ['19:25', 120, 80],
    ])
    expect(measured({ 1: 0.2 })).toEqual([
      ['07:38', 120, 80],
      ['13:00', 120, 80],
      ['19:25', 120, 80],
    ])
    expect(measured({ 0: 0.56, 2: 0.51 })).toEqual([])
    expect(measured({ 0: 0.55, 1: 0.21 })).toHaveLength(2)
  })

  it('is taken again after two minutes at times, and is lower then', () => {
    expect(measured({ 2: 0.9, 20: 0.29 })).toEqual([
      ['07:38', 120, 80],
      ['07:40', 118, 79],
    ])
    expect(measured({ 2: 0.9, 20: 0.3 })).toHaveLength(1)
  })

  it('varies around that of the body, with a pulse pressure of 15 at least', () => {
    // 1.96 standard deviations above the median.
    const above = 0.975
    expect(measured({ 2: 0.9, 30: above })).toEqual([['07:38', 129, 80]])
    expect(measured({ 2: 0.9, 60: above })).toEqual([['07:38', 120, 86]])
    expect(measured({ 2: 0.9 }, ({ body }) => ({ body: { ...body, systolic: 90, diastolic: 80 } }))).toEqual([
      ['07:38', 90, 75],
    ])
    // The second reading varies on its own.
    expect(measured({ 2: 0.9, 20: 0.1, 40: above })).toEqual([
      ['07:38', 120, 80],
      ['07:40', 127, 79],
    ])
    expect(measured({ 2: 0.9, 20: 0.1, 70: above })).toEqual([
      ['07:38', 120, 80],
      ['07:40', 118, 85],
    ])
  })

  it('follows those who get up late', () => {
    const late = ({ nights }: Day) => ({ nights: [{ ...nights[0], end: at(14) }, nights[1]] as const })
    // From 15:00 on, and from 19:10 on.
    expect(measured({ 1: 0 }, late).map(([time]) => time)).toEqual(['14:38', '17:00', '21:35'])
  })

  it('is not measured after midnight', () => {
    const until = (minute: number) => measured({ 0: 0.9, 22: 0.1 }, () => ({ end: at(19, minute) })).length
    expect(until(28)).toBe(2)
    expect(until(27)).toBe(1)
    expect(until(25)).toBe(0)
  })
})

describe('an alert', () => {
  const alerts = (slug: string, chance: number, more: (day: Day) => Partial<Day> = () => ({})) =>
    drawn(
      slug,
      madeDay((day) => ({ noise: evenly(chance), ...more(day) })),
    )
  const heart =
    (fibrillationBurden: number, restingHeart: number) =>
    ({ body }: Day) => ({
      body: { ...body, fibrillationBurden, restingHeart },
    })

  it.each([
    ['of an irregular rhythm in those who fibrillate', 20, 40, 'irregular_rhythm'],
    ['of a low rate in a heart below 45', 0, 44, 'low_heart_rate'],
    ['of a high rate in others', 0, 45, 'high_heart_rate'],
  ])('of the heart is %s', (_, burden, resting, type) => {
    const [alert] = alerts('heart_rate_alert', 0.01, heart(burden, resting))
    expect(alert).toMatchObject({ start: at(15), end: at(15, 10), value: 1, type })
  })

  it('of the heart is rare, and less so with fibrillation', () => {
    expect(alerts('heart_rate_alert', 0.03)).toEqual([])
    expect(alerts('heart_rate_alert', 0.0299)).toHaveLength(1)
    expect(alerts('heart_rate_alert', 0.07, heart(20, 60))).toEqual([])
    expect(alerts('heart_rate_alert', 0.0699, heart(20, 60))[0]?.start).toBe(at(15, 1))
  })

  const apnoea = ({ person }: Day): Partial<Day> => ({
    person: {
      ...person,
      conditions: [{ name: 'sleep_apnea', degree: 1, since: '2020-01-01', until: null }] as never,
    },
  })

  it('of sleep apnoea is rare, and less so with it', () => {
    expect(alerts('sleep_apnea_alert', 0.002)).toEqual([])
    expect(alerts('sleep_apnea_alert', 0.0019)).toMatchObject([
      { start: at(7), end: at(7, 10), value: 1, type: null },
    ])
    expect(alerts('sleep_apnea_alert', 0.022, apnoea)).toEqual([])
    expect(alerts('sleep_apnea_alert', 0.0219, apnoea)).toHaveLength(1)
  })

  it('is not needed for disturbed breathing, which is elevated above 3.2', () => {
    const night = (chance: number, more?: (day: Day) => Partial<Day>) => {
      const [one] = alerts('sleep_breathing_disturbance', chance, more)
      return [one?.start, one?.end, one?.value, one?.type]
    }
    expect(night(0.5)).toEqual([at(0), at(7), 1.5, 'not_elevated'])
    expect(night(0.5, apnoea)).toEqual([at(0), at(7), 12.5, 'elevated'])
    expect(night(0.128, apnoea)).toEqual([at(0), at(7), 3.2, 'not_elevated'])
    expect(night(0.132, apnoea)).toEqual([at(0), at(7), 3.3, 'elevated'])
  })
})

describe('fibrillation', () => {
  const burden = (fibrillationBurden: number, chance = 0.5, date = DATE) =>
    drawn(
      'afib_burden',
      madeDay(({ body }) => ({ body: { ...body, fibrillationBurden }, noise: evenly(chance) }), { date }),
    )

  it('is told on Sundays at ten, of those who have it', () => {
    expect(burden(20)).toMatchObject([{ start: at(10), end: at(10, 1), value: 20 }])
    expect(burden(0)).toEqual([])
    expect(burden(20, 0.5, '2026-01-05')).toEqual([])
    expect([burden(20, 0), burden(20, 1), burden(90, 1)].map(([one]) => one?.value)).toEqual([12, 28, 100])
  })
})
