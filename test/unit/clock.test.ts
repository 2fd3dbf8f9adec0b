import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Clock, type ClockState } from '../../src/kernel/clock.ts'

/** A clock over a wall clock that the test sets. */
function clockAt(wallNow: number, state: ClockState) {
  const wall = { now: wallNow }
  return { wall, clock: new Clock(state, () => wall.now) }
}

describe('a clock', () => {
  it('follows the wall clock while it is live, and stands still while it is frozen', () => {
    const { wall, clock } = clockAt(1000, { offsetMs: 500, frozenAt: null })
    expect(clock.now()).toBe(1500)
    clock.freeze()
    wall.now = 3000
    expect(clock.now()).toBe(1500)
    clock.thaw()
    wall.now = 3010
    expect(clock.now()).toBe(1510)
  })

  it('stands at a pinned instant, and continues with the wall clock after the release', () => {
    const { clock } = clockAt(1000, { offsetMs: 0, frozenAt: null })
    clock.pin(400)
    expect(clock.now()).toBe(400)
    clock.release()
    expect(clock.now()).toBe(1000)
  })

  it('continues from the pinned instant if that is later', () => {
    const { wall, clock } = clockAt(1000, { offsetMs: 0, frozenAt: null })
    clock.pin(5000)
    clock.release()
    wall.now = 1001
    expect(clock.now()).toBe(5001)
    expect(clock.state()).toEqual({ offsetMs: 4000, frozenAt: null })
  })

  it('is never pinned before the latest instant it returned', () => {
    const { clock } = clockAt(1000, { offsetMs: 0, frozenAt: null })
    clock.now()
    clock.pin(400)
    expect(clock.now()).toBe(1000)
  })

  it('never goes back, whatever is done to it and to the wall clock', () => {
    const step = fc.oneof(
      fc.record({ does: fc.constant('wall' as const), by: fc.integer({ min: -500, max: 500 }) }),
      fc.record({ does: fc.constant('pin' as const), to: fc.nat(5000) }),
      fc.record({ does: fc.constantFrom('freeze' as const, 'thaw' as const, 'release' as const) }),
    )
    const start = fc.record({
      offsetMs: fc.integer({ min: -500, max: 500 }),
      frozenAt: fc.option(fc.nat(2000)),
    })
    fc.assert(
      fc.property(start, fc.array(step), (state, steps) => {
        const { wall, clock } = clockAt(1000, state)
        let last = clock.now()
        for (const action of steps) {
          if (action.does === 'wall') wall.now += action.by
          else if ('to' in action) clock[action.does](action.to)
          else clock[action.does]()
          expect(clock.now()).toBeGreaterThanOrEqual(last)
          last = clock.now()
        }
        const kept = new Clock(clock.state(), () => wall.now)
        if (clock.frozen) expect(kept.now()).toBe(last)
      }),
    )
  })

  it('stands still while the wall clock is set back, also after a restart, and goes on with it once it is corrected', () => {
    const { wall, clock } = clockAt(100_000, { offsetMs: 5, frozenAt: null })
    expect([clock.now(), clock.waitsMs]).toEqual([100_005, 0])
    wall.now = 40_000
    expect([clock.now(), clock.reading(), clock.waitsMs]).toEqual([100_005, 100_005, 60_000])
    const again = clockAt(41_000, clock.stored())
    expect([again.clock.now(), again.clock.waitsMs]).toEqual([100_005, 59_000])
    for (const each of [{ wall, clock }, again]) {
      each.wall.now = 101_000
      expect([each.clock.now(), each.clock.waitsMs]).toEqual([101_005, 0])
    }
  })

  it('is as far ahead as it was advanced, once the wall clock is corrected', () => {
    const { wall, clock } = clockAt(100_000, { offsetMs: 0, frozenAt: null })
    clock.now()
    wall.now = 40_000
    clock.pin(150_000)
    expect(clock.now()).toBe(150_000)
    clock.release()
    wall.now = 101_000
    expect(clock.now()).toBe(151_000)
  })
})
