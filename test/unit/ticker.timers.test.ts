import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Clock } from '../../src/kernel/clock.ts'
import { Agenda } from '../../src/scheduler/agenda.ts'
import { Ticker } from '../../src/scheduler/ticker.ts'
import { Database } from '../../src/storage/database.ts'
import { makeStepsInstant, turns, useFakeTimers, useRealTimers } from '../support/timing.ts'

const wall = { now: 0 }
let ticker: Ticker
let bugs: unknown[]

beforeEach(() => {
  makeStepsInstant()
  useFakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval')
  wall.now = 0
  bugs = []
  ticker = new Ticker((bug) => bugs.push(bug))
})
afterEach(() => {
  ticker.stop()
  useRealTimers()
  vi.restoreAllMocks()
})

/** A world, live unless it is frozen, whose jobs note when they run. */
function openWorld({ frozenAt = null }: { frozenAt?: number | null } = {}) {
  const ran: string[] = []
  const db = new Database({ tables: new Map(), append: () => undefined, blocked: () => undefined })
  const clock = new Clock({ offsetMs: 0, frozenAt }, () => wall.now)
  let finish = () => {}
  const note = ({ subject }: { subject: string }) => {
    ran.push(`${wall.now} ${subject}`)
    if (subject === 'slow') return new Promise<void>((resolve) => (finish = resolve))
    return undefined
  }
  const agenda = new Agenda({
    db,
    clock,
    pace: () => 1,
    kinds: new Map([['note', { does: 'notes' }]]),
    run: note,
    onChange: () => ticker.wake(world),
    reportBug: (bug) => bugs.push(bug),
  })
  const world = { agenda, clock }
  const schedule = (due: number, subject: string) => agenda.schedule({ due, kind: 'note', subject })
  return { world, ran, schedule, finish: () => finish() }
}

const pass = async (ms: number) => {
  wall.now += ms
  await vi.advanceTimersByTimeAsync(ms)
  await turns(6)
}

describe('the timers of a ticker', () => {
  it('are one for each world that waits, for its next job', async () => {
    const { ran, schedule } = openWorld()
    const other = openWorld()
    schedule(500, 'late')
    schedule(100, 'early')
    other.schedule(200, 'other')
    await turns(6)
    expect(vi.getTimerCount()).toBe(2)
    await pass(100)
    expect(ran).toEqual(['100 early'])
    await pass(400)
    expect([ran.at(-1), other.ran]).toEqual(['500 late', ['500 other']])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are none for a frozen world, whose jobs of now run without', async () => {
    const frozen = openWorld({ frozenAt: 0 })
    frozen.schedule(0, 'now')
    frozen.schedule(100, 'later')
    await turns(6)
    expect([frozen.ran, vi.getTimerCount()]).toEqual([['0 now'], 0])
  })

  it('are none for a world while its clock is advanced, and are set when that has ended', async () => {
    const { world, schedule, finish } = openWorld()
    schedule(100, 'slow')
    schedule(900, 'later')
    const advancing = world.agenda.advanceTo(200)
    await turns(6)
    ticker.wake(world)
    await turns(6)
    expect([world.agenda.busy, vi.getTimerCount()]).toEqual([true, 0])
    finish()
    await advancing
    await turns(6)
    expect(vi.getTimerCount()).toBe(1)
  })

  it('reach a job that is due later than a timer can be set to', async () => {
    const { ran, schedule } = openWorld()
    const due = 2 ** 31 + 1000
    schedule(due, 'far')
    await turns(6)
    await pass(2 ** 31 - 1)
    expect(ran).toEqual([])
    await pass(1001)
    expect(ran).toEqual([`${due} far`])
  })

  it('are gone when the ticker is stopped or a world is forgotten, and none is set any more', async () => {
    const { world, ran, schedule } = openWorld()
    schedule(100, 'a')
    await turns(6)
    ticker.forget(world)
    expect(vi.getTimerCount()).toBe(0)
    ticker.wake(world)
    await turns(6)
    expect(vi.getTimerCount()).toBe(1)
    ticker.stop()
    expect(vi.getTimerCount()).toBe(0)
    ticker.wake(world)
    await turns(6)
    await pass(200)
    expect([ran, vi.getTimerCount()]).toEqual([[], 0])
  })

  it('are not set for a world that was woken before the ticker was stopped', async () => {
    const { schedule } = openWorld()
    schedule(100, 'a')
    ticker.stop()
    await turns(6)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('call a task again and again, also after it failed, until the ticker is stopped', async () => {
    let calls = 0
    ticker.every(1000, async () => {
      calls++
      throw new Error(`${calls}`)
    })
    await pass(2000)
    expect([calls, bugs]).toEqual([2, [new Error('1'), new Error('2')]])
    ticker.stop()
    await pass(2000)
    expect(calls).toBe(2)
  })

  it('go on after what was due could not be run', async () => {
    const { world, ran, schedule } = openWorld()
    const runDue = vi.spyOn(world.agenda, 'runDue').mockImplementationOnce(() => {
      throw new Error('no')
    })
    schedule(0, 'a')
    await turns(6)
    expect([bugs, ran]).toEqual([[new Error('no')], ['0 a']])
    expect(runDue).toHaveBeenCalledTimes(2)
  })

  it('report what goes wrong when a world is looked at', async () => {
    const { world, schedule } = openWorld()
    vi.spyOn(world.agenda, 'nextDue').mockImplementationOnce(() => {
      throw new Error('no')
    })
    schedule(0, 'a')
    await turns(6)
    expect(bugs).toEqual([new Error('no')])
  })
})
