import { beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { cycleOn } from '../../src/people/cycles.ts'
import { baselineOf, bodyOfDay } from '../../src/people/daily.ts'
import { type Day, dayOf, restingBeats } from '../../src/people/day.ts'
import { secondsInStages } from '../../src/people/night.ts'
import { ageOn, type Body, makePerson } from '../../src/people/person.ts'
import { routeOf } from '../../src/people/routes.ts'
import { streamOf } from '../../src/resources/summaries/workouts.ts'

// What days have in common and how they differ, in many people. Figures are those of published series of wearers; `docs/evidence/realism.md` names them.

const random = createRandom('days')
const PEOPLE = 110
const DAYS = 63
const people = Array.from({ length: PEOPLE }, (_, nth) => makePerson(random, `user-${nth}`, {}))
const dateFrom = (first: string, nth: number) =>
  new Date(Date.parse(first) + nth * DAY_MS).toISOString().slice(0, 10)
const datesFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, nth) => dateFrom(first, nth))

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviationOf = (values: readonly number[]) => {
  const mean = meanOf(values)
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))
}
function correlationOf(pairs: readonly (readonly [number, number])[]): number {
  const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)]
  const [x, y] = [meanOf(xs), meanOf(ys)]
  return meanOf(pairs.map(([a, b]) => (a - x) * (b - y))) / (deviationOf(xs) * deviationOf(ys))
}
const withTheNext = (values: readonly number[]) =>
  correlationOf(values.slice(1).map((value, before) => [values[before] ?? 0, value] as const))
const shareOf = <Item>(values: readonly Item[], is: (value: Item) => boolean) =>
  values.filter(is).length / values.length

interface Measured {
  readonly resting: number
  readonly hrv: number
  readonly steps: number
  readonly asleepHours: number
  readonly efficiency: number
  readonly middleHours: number
  readonly isFree: boolean
  readonly workouts: Day['workouts']
}

function measured(day: Day): Measured {
  const [night] = day.nights
  const { deep, light, rem } = secondsInStages(night)
  const asleep = deep + light + rem
  return {
    resting: restingBeats(day),
    hrv: day.body.hrv,
    steps: day.minutes.sums('steps').at(-1) ?? 0,
    asleepHours: asleep / 3600,
    efficiency: (100 * asleep * 1000) / (night.end - night.start),
    middleHours: ((night.start + night.end) / 2 - day.start) / 3_600_000,
    isFree: [0, 6].includes(new Date(day.start).getUTCDay()),
    workouts: day.workouts,
  }
}

let lives: Measured[][]
const each = (of: (day: Measured) => number) => lives.map((days) => days.map(of))
beforeAll(() => {
  lives = people.map((person) =>
    datesFrom('2025-09-15', DAYS).map((date) => measured(dayOf(person, 'UTC', date))),
  )
}, 60_000)

describe('days of one person', () => {
  it.each<[string, (day: Measured) => number, number, number]>([
    ['resting heart rate, most', ({ resting }) => resting, 0.7, 0.95],
    ['heart rate variability', ({ hrv }) => hrv, 0.15, 0.4],
    ['steps', ({ steps }) => steps, 0.2, 0.4],
    ['sleep, hardly', ({ asleepHours }) => asleepHours, -0.1, 0.12],
  ])('resemble those before them in %s', (_, of, least, most) => {
    const mean = meanOf(each(of).map(withTheNext))
    expect(mean).toBeGreaterThan(least)
    expect(mean).toBeLessThan(most)
  })

  it('are the same in every window, and in every order', () => {
    for (const date of ['2025-10-04', '2025-10-03', '2026-02-28']) {
      const again = makePerson(createRandom('days'), 'user-3', {})
      expect(bodyOfDay(again, date)).toEqual(bodyOfDay(people[3] ?? again, date))
    }
  })

  it('have naps, beside no workout', { tags: 'slow' }, () => {
    const days = people.flatMap((person) =>
      datesFrom('2025-09-15', 28).map((date) => dayOf(person, 'UTC', date)),
    )
    const napping = days.filter(({ naps }) => naps.length > 0)
    expect(napping.length / days.length).toBeGreaterThan(0.1)
    expect(napping.length / days.length).toBeLessThan(0.34)
    for (const { naps, nights, workouts } of napping)
      for (const { start, end, stages } of naps) {
        expect(start).toBeGreaterThan(nights[0].end)
        expect(end).toBeLessThan(nights[1].start)
        expect([stages[0]?.start, stages.at(-1)?.end]).toEqual([start, end])
        expect(workouts.filter((other) => other.start < end && other.end > start)).toEqual([])
      }
  })

  it('are compared with the four weeks before them', () => {
    const [person] = people
    if (!person) throw new Error('nobody')
    const before = datesFrom('2025-09-01', 28).map((date) => bodyOfDay(person, date))
    const baseline = baselineOf(person, '2025-09-29')
    expect(baseline.restingHeart).toBeCloseTo(meanOf(before.map(({ restingHeart }) => restingHeart)), 9)
    expect(Math.log(baseline.hrv)).toBeCloseTo(meanOf(before.map(({ hrv }) => Math.log(hrv))), 9)
  })

  it('have later nights and a faster heart at weekends', () => {
    const jetlags = lives.map(
      (days) =>
        meanOf(days.filter(({ isFree }) => isFree).map(({ middleHours }) => middleHours)) -
        meanOf(days.filter(({ isFree }) => !isFree).map(({ middleHours }) => middleHours)),
    )
    expect(meanOf(jetlags)).toBeGreaterThan(0.6)
    expect(meanOf(jetlags)).toBeLessThan(1.2)
    const restingOf = (free: boolean) =>
      meanOf(lives.flatMap((days) => days.flatMap((day) => (day.isFree === free ? [day.resting] : []))))
    expect(restingOf(true) - restingOf(false)).toBeGreaterThan(1)
  })
})

describe('people', () => {
  it.each<[string, (day: Measured) => number, [number, number], [number, number], [number, number]]>([
    ['resting heart rate', ({ resting }) => resting, [62, 68], [6.5, 9.5], [1.5, 4]],
    ['steps', ({ steps }) => steps, [6500, 8300], [2700, 4600], [2000, 4500]],
    ['hours of sleep', ({ asleepHours }) => asleepHours, [6.6, 7.2], [0.6, 1], [0.8, 1.1]],
    ['efficiency of sleep', ({ efficiency }) => efficiency, [85, 90], [2, 4], [1.5, 4]],
  ])('differ in %s, and so do their days', (_, of, mean, between, within) => {
    const values = each(of)
    const found = [
      meanOf(values.map(meanOf)),
      deviationOf(values.map(meanOf)),
      meanOf(values.map(deviationOf)),
    ]
    for (const [at, [least, most]] of [mean, between, within].entries()) {
      expect(found[at]).toBeGreaterThan(least)
      expect(found[at]).toBeLessThan(most)
    }
  })

  it('have short nights, idle days and very active days', () => {
    const days = lives.flat()
    const shares = [
      [shareOf(days, ({ asleepHours }) => asleepHours < 6), 0.15, 0.27],
      [shareOf(days, ({ steps }) => steps < 3000), 0.1, 0.2],
      [shareOf(days, ({ steps }) => steps > 15_000), 0.03, 0.1],
    ] as const
    for (const [share, least, most] of shares) {
      expect(share).toBeGreaterThan(least)
      expect(share).toBeLessThan(most)
    }
  })

  it('train none to seven times a week, in one to three sports, at their own hours and awake', () => {
    const weekly = lives.map((days) => (7 * days.flatMap(({ workouts }) => workouts).length) / DAYS)
    expect(Math.min(...weekly)).toBeLessThan(0.3)
    expect(Math.max(...weekly)).toBeGreaterThan(5)
    expect(Math.max(...weekly)).toBeLessThan(9)
    const sports = lives.map(
      (days) => new Set(days.flatMap(({ workouts }) => workouts.map(({ sport }) => sport.slug))).size,
    )
    expect(Math.max(...sports)).toBe(3)
    expect(shareOf(sports, (count) => count === 1)).toBeGreaterThan(0.15)
    const hours = lives.flatMap((days) =>
      days.flatMap(({ workouts }) => workouts.map(({ start }) => new Date(start).getUTCHours())),
    )
    expect(new Set(hours).size).toBeGreaterThan(10)
    for (const person of people.slice(0, 40))
      for (const date of datesFrom('2025-11-01', 14)) {
        const { nights, workouts } = dayOf(person, 'UTC', date)
        for (const { start, end } of workouts) {
          expect(start).toBeGreaterThan(nights[0].end)
          expect(end).toBeLessThan(nights[1].start)
        }
      }
  })

  it('have a faster heart in women, and a lower variability in the old', () => {
    const rates = (sex: string) =>
      meanOf(each(({ resting }) => resting).flatMap((days, at) => (people[at]?.sex === sex ? days : [])))
    expect(rates('female') - rates('male')).toBeGreaterThan(1)
    expect(rates('female') - rates('male')).toBeLessThan(6)
    const byAge = people.map(
      (person, at) =>
        [ageOn(person, '2025-10-01'), Math.log(meanOf(lives[at]?.map(({ hrv }) => hrv) ?? []))] as const,
    )
    expect(correlationOf(byAge)).toBeLessThan(-0.3)
  })
})

describe('a year', () => {
  it('has a slower heart in summer, and weeks of illness in some people', { tags: 'slow' }, () => {
    const dates = datesFrom('2025-01-01', 364)
    const some = people.slice(0, 60).map((person) => dates.map((date) => bodyOfDay(person, date)))
    const monthly = (bodies: readonly Body[], month: string) =>
      meanOf(bodies.flatMap((body, at) => (dates[at]?.slice(5, 7) === month ? [body.restingHeart] : [])))
    const winter = meanOf(some.map((bodies) => monthly(bodies, '12') - monthly(bodies, '08')))
    expect(winter).toBeGreaterThan(1)
    expect(winter).toBeLessThan(3.2)
    const swings = shareOf(some, (bodies) =>
      Array.from({ length: 52 }, (_, week) => bodies.slice(7 * week, 7 * week + 7)).some((week) => {
        const rates = week.map(({ restingHeart }) => Math.round(restingHeart))
        return Math.max(...rates) - Math.min(...rates) >= 10
      }),
    )
    expect(swings).toBeGreaterThan(0.08)
    expect(swings).toBeLessThan(0.35)
  })

  it('has a faster heart and a warmer body in the second half of each cycle, only where there are cycles', {
    tags: 'slow',
  }, () => {
    const differences: { beats: number; degrees: number }[] = []
    for (const person of people) {
      const bodies: { isLuteal: boolean; body: Body }[] = []
      for (const date of datesFrom('2025-02-01', 120)) {
        const cycle = cycleOn(person, date)
        if (!cycle) continue
        expect(person.sex).toBe('female')
        expect(ageOn(person, date)).toBeLessThan(62)
        if (cycle.ovulation === null) continue
        const isLuteal = date > cycle.ovulation
        bodies.push({ isLuteal, body: bodyOfDay(person, date) })
      }
      if (bodies.length < 120) continue
      const mean = (isLuteal: boolean, of: (body: Body) => number) =>
        meanOf(bodies.flatMap((one) => (one.isLuteal === isLuteal ? [of(one.body)] : [])))
      const rise = (of: (body: Body) => number) => mean(true, of) - mean(false, of)
      differences.push({
        beats: rise(({ restingHeart }) => restingHeart),
        degrees: rise(({ temperature }) => temperature),
      })
    }
    expect(differences.length).toBeGreaterThan(18)
    expect(meanOf(differences.map(({ beats }) => beats))).toBeGreaterThan(1.8)
    expect(meanOf(differences.map(({ beats }) => beats))).toBeLessThan(3.2)
    expect(meanOf(differences.map(({ degrees }) => degrees))).toBeCloseTo(0.3, 1)
  })
})

describe('two devices of one person', () => {
  const nightsOf = (device: string) =>
    people
      .slice(0, 30)
      .flatMap((person) => datesFrom('2025-10-01', 8).map((date) => dayOf(person, 'UTC', date, device)))
  const [rings, watches] = [nightsOf('oura'), nightsOf('fitbit')]
  const minutesOf = ({ nights: [night] }: Day) => {
    const { deep, light, rem } = secondsInStages(night)
    return (deep + light + rem) / 60
  }
  /** The stage in each minute from ten hours before midnight. */
  const stagesOf = ({ nights: [night], start }: Day) => {
    const stages = new Uint8Array(1800)
    for (const span of night.stages)
      stages.fill(span.stage, (span.start - start) / 60_000 + 600, (span.end - start) / 60_000 + 600)
    return stages
  }

  it('differ in how long a night was, by some minutes', () => {
    const differences = rings.map((ring, at) => minutesOf(ring) - minutesOf(watches[at] ?? ring))
    expect(deviationOf(differences)).toBeGreaterThan(8)
    expect(deviationOf(differences)).toBeLessThan(24)
    expect(Math.abs(meanOf(differences))).toBeLessThan(4)
  })

  it('agree on most stages of sleep', () => {
    const kappas = rings.map((ring, at) => {
      const others = stagesOf(watches[at] ?? ring)
      const pairs = [...stagesOf(ring)].flatMap((stage, minute) => {
        const other = others[minute] ?? 0
        return stage && other ? [[stage, other] as const] : []
      })
      const agreed = shareOf(pairs, ([one, other]) => one === other)
      const byChance = [1, 2, 3, 4].reduce(
        (sum, stage) =>
          sum + shareOf(pairs, ([one]) => one === stage) * shareOf(pairs, ([, other]) => other === stage),
        0,
      )
      return (agreed - byChance) / (1 - byChance)
    })
    expect(meanOf(kappas)).toBeGreaterThan(0.5)
    expect(meanOf(kappas)).toBeLessThan(0.75)
  })

  it('differ in heart rates and in when a workout began', () => {
    const beats = rings.map((ring, at) => restingBeats(ring) - restingBeats(watches[at] ?? ring))
    expect(Math.max(...beats.map(Math.abs))).toBeLessThanOrEqual(4)
    expect(new Set(beats).size).toBeGreaterThan(2)
    const starts = rings.flatMap((ring, at) =>
      ring.workouts.map(({ start }, nth) => start - (watches[at]?.workouts[nth]?.start ?? start)),
    )
    expect(new Set(starts).size).toBeGreaterThan(2)
    expect(Math.max(...starts.map(Math.abs))).toBeLessThanOrEqual(4 * 60_000)
  })
})

describe('a workout outdoors', () => {
  const outdoors = people.slice(0, 60).flatMap((person) =>
    datesFrom('2025-10-01', 12).flatMap((date) => {
      const day = dayOf(person, 'UTC', date)
      return day.workouts.filter(({ sport }) => sport.isOutdoors).map((workout) => ({ day, workout }))
    }),
  )
  const streams = outdoors.map(({ day, workout }) => streamOf(day, workout))

  it('climbs what its altitudes climb, each route its own', () => {
    for (const [at, { day, workout }] of outdoors.entries()) {
      const altitude = streams[at]?.altitude ?? []
      const climbed = altitude.reduce(
        (sum, metres, point) => sum + Math.max(0, metres - (altitude[point - 1] ?? metres)),
        0,
      )
      const gain = routeOf(day, workout)?.gain ?? 0
      expect(Math.abs(climbed - gain)).toBeLessThan(3 + 0.1 * gain)
    }
    const gains = outdoors.map(({ day, workout }) => Math.round(routeOf(day, workout)?.gain ?? 0))
    expect(new Set(gains).size).toBeGreaterThan(20)
  })

  it('leads home again, at the speed that is told, and not in a circle', () => {
    const correlations = streams.map(({ lat, lng, velocity_smooth }) => {
      const [metresNorth, metresEast] = [111_320, 111_320 * Math.cos(((lat[0] ?? 0) * Math.PI) / 180)]
      const far = (from: number, to: number) =>
        Math.hypot(
          metresNorth * ((lat[to] ?? 0) - (lat[from] ?? 0)),
          metresEast * ((lng[to] ?? 0) - (lng[from] ?? 0)),
        )
      expect(far(0, lat.length - 1)).toBeLessThan(20)
      return correlationOf(velocity_smooth.slice(1).map((speed, at) => [speed, far(at, at + 1)] as const))
    })
    expect(meanOf(correlations)).toBeGreaterThan(0.6)
    const shapes = streams.map(
      ({ lat, lng }) => (Math.max(...lat) - Math.min(...lat)) / (Math.max(...lng) - Math.min(...lng)),
    )
    expect(deviationOf(shapes)).toBeGreaterThan(0.3)
  })
})

describe('a day that was made up', () => {
  const dayIn = (world: number) => {
    const person = makePerson(createRandom(`world-${world}`), 'user', {})
    return { person, day: dayOf(person, 'UTC', '2026-01-05') }
  }
  const isKept = ({ person, day }: ReturnType<typeof dayIn>) => dayOf(person, 'UTC', '2026-01-05') === day

  it('is kept among the latest of all worlds, so that many worlds take no more memory than one', {
    tags: 'slow',
  }, () => {
    const days = Array.from({ length: 250 }, (_, world) => dayIn(world))
    const kept = days.toReversed().map(isKept)
    expect(kept.slice(0, 60)).not.toContain(false)
    expect(kept.slice(-60)).not.toContain(true)
  })

  it('is another one in a world with the same seed', () => {
    const [first, second] = [dayIn(0), dayIn(0)]
    expect(second.day).not.toBe(first.day)
    expect(second.day.nights[0].start).toBe(first.day.nights[0].start)
  })
})
