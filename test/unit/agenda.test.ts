import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Job } from '../../src/scheduler/job.ts'
import { type Bench, bench, note } from '../support/agenda.ts'
import { makeStepsSlow } from '../support/timing.ts'

describe('an agenda that is advanced', () => {
  it('runs each job at its own instant, the earliest first, and of equals the first added', async () => {
    const { agenda, clock, ran } = bench()
    for (const job of [note(30, 'c'), note(10, 'a'), note(30, 'd'), note(20, 'b'), note(41, 'e')])
      agenda.schedule(job)
    await agenda.advanceTo(40)
    expect(ran).toEqual(['10 note/a', '20 note/b', '30 note/c', '30 note/d'])
    expect(clock.now()).toBe(40)
    expect([agenda.pending, agenda.nextDue()]).toEqual([1, 41])
  })

  it('runs what jobs add on the way, and drops what they replace or remove', async () => {
    const { agenda, ran } = bench({
      handlers: {
        plan({ agenda }) {
          agenda.schedule(note(15, 'new'))
          agenda.schedule(note(50, 'moved'))
          agenda.cancel('note', 'gone')
        },
      },
    })
    for (const job of [{ due: 10, kind: 'plan', subject: 'x' }, note(20, 'moved'), note(20, 'gone')]) {
      agenda.schedule(job)
    }
    await agenda.advanceTo(40)
    expect(ran).toEqual(['10 plan/x', '15 note/new'])
    expect(agenda.find('note', 'moved')?.due).toBe(50)
  })

  it('waits for a job that takes time before it goes on to the next', async () => {
    const { agenda, ran } = bench({
      handlers: {
        async slow({ ran, clock }) {
          for (let turn = 0; turn < 5; turn++) await Promise.resolve()
          ran.push(`${clock.now()} slow is done`)
        },
      },
    })
    agenda.schedule({ due: 10, kind: 'slow', subject: 'x' })
    agenda.schedule(note(20, 'a'))
    await agenda.advanceTo(40)
    expect(ran).toEqual(['10 slow/x', '10 slow is done', '20 note/a'])
  })

  it('goes on after a job that fails, at once or later, and tells of it', async () => {
    const { agenda, ran, bugs } = bench({
      handlers: {
        bad() {
          throw new Error('at once')
        },
        bad_later: () => Promise.reject(new Error('later')),
      },
    })
    for (const [due, kind] of [10, 20, 30].map(
      (due, at) => [due, ['bad', 'bad_later', 'note'][at] ?? ''] as const,
    ))
      agenda.schedule({ due, kind, subject: 'x' })
    agenda.schedule({ due: 35, kind: 'unheard_of', subject: 'x' })
    const { effects } = await agenda.advanceTo(40)
    expect(ran).toEqual(['10 bad/x', '20 bad_later/x', '30 note/x'])
    expect(bugs).toHaveLength(3)
    expect(effects).toMatchObject([
      { at: 10, kind: 'bug', job: 'bad', subject: 'x', detail: 'Error: at once' },
      { at: 20, kind: 'bug', job: 'bad_later', detail: 'Error: later' },
      { at: 35, kind: 'bug', job: 'unheard_of' },
    ])
    expect(agenda.pending).toBe(0)
  })

  it('runs a recurring job again after it has failed, and tells of it each time', async () => {
    const { agenda, ran, bugs } = bench({
      handlers: {
        hourly({ agenda, clock }, { kind, subject }) {
          if (clock.now() < 30) throw new Error('not yet')
          agenda.scheduleNext(kind, subject)
        },
        // It fails once it has scheduled itself again.
        late({ agenda }, { kind, subject }) {
          agenda.scheduleNext(kind, subject)
          return Promise.reject(new Error('late'))
        },
      },
      options: { hourly: { nextDue: (now) => now + 10 }, late: { nextDue: (now) => now + 15 } },
    })
    agenda.scheduleNext('hourly', 'x')
    agenda.scheduleNext('late', 'y')
    const { effects } = await agenda.advanceTo(45)
    expect(ran).toEqual([
      '10 hourly/x',
      '15 late/y',
      '20 hourly/x',
      '30 late/y',
      '30 hourly/x',
      '40 hourly/x',
      '45 late/y',
    ])
    expect(effects.map(({ at, kind, job }) => `${at} ${kind} ${job}`)).toEqual([
      '10 bug hourly',
      '15 bug late',
      '20 bug hourly',
      '30 bug late',
      '45 bug late',
    ])
    expect(bugs).toHaveLength(5)
    expect([agenda.find('hourly', 'x')?.due, agenda.find('late', 'y')?.due, agenda.pending]).toEqual([
      50, 60, 0,
    ])
  })

  it('until idle stops when only what comes back for ever is left', async () => {
    const { agenda, clock, ran } = bench({
      handlers: {
        daily: ({ agenda }, job) => agenda.schedule({ ...job, due: job.due + 10 }),
      },
    })
    agenda.schedule({ due: 5, kind: 'daily', subject: 'x', recurring: true })
    agenda.schedule(note(18, 'a'))
    agenda.schedule(note(1000, 'beyond'))
    agenda.cancel('note', 'beyond')
    await agenda.advanceUntilIdle(500)
    expect(ran).toEqual(['5 daily/x', '15 daily/x', '18 note/a'])
    expect(clock.now()).toBe(18)
    expect(agenda.pending).toBe(0)
  })

  it('ends when its world is stopped, and no further job runs', async () => {
    const { agenda, ran } = bench({
      handlers: {
        async end({ agenda }) {
          await Promise.resolve()
          agenda.stop()
          agenda.schedule(note(12, 'late'))
        },
      },
    })
    agenda.schedule({ due: 10, kind: 'end', subject: 'x' })
    agenda.schedule(note(20, 'a'))
    await expect(agenda.advanceTo(40)).rejects.toMatchObject({ kind: 'conflict' })
    agenda.runDue()
    expect(ran).toEqual(['10 end/x'])
    expect(agenda.nextDue()).toBeUndefined()
  })
})

describe('a long advance', () => {
  afterEach(() => void vi.restoreAllMocks())

  it.each(['advanceTo', 'advanceUntilIdle'] as const)(
    'lets others have turns, can be stopped, and tells how far it came: %s',
    async (advance) => {
      makeStepsSlow()
      const { agenda, clock, ran } = bench()
      for (let at = 1; at <= 500; at++) agenda.schedule(note(at, `j${at}`))
      const advancing = agenda[advance](600)
      await new Promise((resolve) => setImmediate(resolve))
      expect(agenda.stopAdvance()).toBe(true)
      expect((await advancing).stopped).toBe(true)
      expect(ran.length).toBeLessThan(500)
      expect(clock.now()).toBe(ran.length)
      expect((await agenda.advanceTo(600)).stopped).toBe(false)
      expect([ran.length, clock.now(), agenda.stopAdvance()]).toEqual([500, 600, false])
    },
  )
})

describe('a job that runs in slices', () => {
  it('keeps its place among those that are due at the same instant, however long it takes', async () => {
    const { agenda, ran } = bench({
      handlers: {
        long({ agenda }, job) {
          function* steps() {
            const end = performance.now() + (job.subject === 'slow' ? 20 : 0)
            while (performance.now() < end) yield
            agenda.schedule({ ...job, due: job.due + 10 })
          }
          return agenda.runSteps(steps())
        },
      },
    })
    for (const subject of ['slow', 'quick']) agenda.schedule({ due: 10, kind: 'long', subject })
    await agenda.advanceTo(20)
    expect(ran).toEqual(['10 long/slow', '10 long/quick', '20 long/slow', '20 long/quick'])
  })
})

describe('a job that throws', () => {
  it('is listed and not run again, although it scheduled itself before', async () => {
    const { agenda, ran } = bench({
      handlers: {
        bad({ agenda }, job) {
          agenda.schedule({ ...job, due: job.due + 10 })
          throw new Error('no')
        },
      },
    })
    agenda.schedule({ due: 10, kind: 'bad', subject: 'x', recurring: true })
    await agenda.advanceTo(100)
    expect(ran).toEqual(['10 bad/x'])
    expect(agenda.failures).toEqual([{ at: 10, kind: 'bad', subject: 'x', detail: 'Error: no' }])
  })
})

describe('an agenda that is looked at', () => {
  it('runs what was missed, each at its own instant and in order', () => {
    const { agenda, clock, ran } = bench({ frozen: false, wall: 1000 })
    for (const job of [note(300, 'b'), note(100, 'a'), note(1001, 'c')]) agenda.schedule(job)
    agenda.runDue()
    expect(ran).toEqual(['100 note/a', '300 note/b'])
    expect(clock.now()).toBe(1000)
  })

  it('does not wait in a live world for a job that takes time; an advance does', async () => {
    let finish = () => {}
    const { agenda, ran } = bench({
      frozen: false,
      wall: 10,
      handlers: { slow: () => new Promise<void>((resolve) => (finish = resolve)) },
    })
    agenda.schedule({ due: 5, kind: 'slow', subject: 'x' })
    agenda.schedule(note(10, 'a'))
    agenda.schedule(note(20, 'b'))
    agenda.runDue()
    expect(ran).toEqual(['5 slow/x', '10 note/a'])
    const advanced = agenda.advanceTo(30)
    await Promise.resolve()
    expect(ran).toHaveLength(2)
    finish()
    await advanced
    expect(ran.at(-1)).toBe('20 note/b')
  })
})

const wait = (afterScenarioMs: number, subject: string) => ({ afterScenarioMs, kind: 'note', subject })

describe('scenario time', () => {
  it('passes at the pace in a live world, with the clock in a frozen one; instants of the clock stay', () => {
    const { agenda, clock, speed } = bench({ frozen: false, pace: 4, wall: 100 })
    agenda.schedule(wait(100, 'step'))
    agenda.schedule(wait(100, 'after'))
    agenda.schedule(note(200, 'calendar'))
    const dues = () => ['step', 'after', 'calendar'].map((subject) => agenda.find('note', subject)?.due)
    expect(dues()).toEqual([125, 125, 200])
    speed.pace = 2
    agenda.updateScenarioRate()
    expect(dues()).toEqual([150, 150, 200])
    clock.freeze()
    agenda.updateScenarioRate()
    expect(dues()).toEqual([200, 200, 200])
    expect(agenda.pending).toBe(3)
  })

  it('passes with the clock during an advance of a live world, and at the pace after it', async () => {
    const { agenda, clock, ran } = bench({ frozen: false, pace: 4, wall: 1000 })
    agenda.schedule(wait(100, 'first'))
    agenda.schedule(wait(500, 'second'))
    await agenda.advanceTo(1400)
    expect(ran).toEqual(['1100 note/first'])
    expect([clock.now(), agenda.find('note', 'second')?.due]).toEqual([1400, 1425])
  })

  it('changes no row when the pace changes, and is the same after a restart', async () => {
    const first = bench({ frozen: false, pace: 4, wall: 100 })
    first.agenda.schedule(wait(100, 'step'))
    const row = JSON.stringify([...(first.tables.get('jobs') ?? [])])
    first.speed.pace = 2
    first.agenda.updateScenarioRate()
    expect(JSON.stringify([...(first.tables.get('jobs') ?? [])])).toBe(row)
    first.agenda.schedule(wait(60, 'other'))
    const second = bench({ frozen: false, pace: 2, wall: 100, tables: first.tables })
    expect([...second.agenda.all()].map(({ due }) => due)).toEqual([150, 130])
    await second.agenda.advanceTo(500)
    expect(second.ran).toEqual(['160 note/other', '200 note/step'])
  })
})

type Step =
  | { readonly does: 'add'; readonly wait: number; readonly subject: string; readonly chain: number }
  | { readonly does: 'remove'; readonly subject: string }
  | { readonly does: 'advance'; readonly by: number }
  | { readonly does: 'restart' }

const subject = fc.constantFrom('a', 'b', 'c', 'd')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('add' as const),
    wait: fc.integer({ min: -5, max: 30 }),
    subject,
    chain: fc.nat(3),
  }),
  fc.record({ does: fc.constant('remove' as const), subject }),
  fc.record({ does: fc.constant('advance' as const), by: fc.nat(25) }),
  fc.record({ does: fc.constant('restart' as const) }),
)

/** A chain job adds itself again, shorter by one, so many units later. */
const chain = ({ agenda }: Pick<Bench, 'agenda'>, job: Job) => {
  const left = Number(job.data)
  if (left > 0) agenda.schedule({ ...job, due: job.due + left, data: left - 1 })
}

/** What an agenda should do, said as plainly as can be: a list that is sorted each time. */
function naive() {
  let [now, turn, rank] = [0, 0, 0]
  let list: { due: number; turn: number; rank: number; subject: string; left: number }[] = []
  const ran: string[] = []
  const put = (job: (typeof list)[number]) => {
    list = [...list.filter(({ subject }) => subject !== job.subject), job]
  }
  const add = (due: number, subject: string, left: number) =>
    put({ due, turn: turn++, rank: 0, subject, left })
  const remove = (subject: string) => {
    list = list.filter((job) => job.subject !== subject)
  }
  const advance = (by: number) => {
    const until = now + by
    for (;;) {
      const [job] = list
        .filter(({ due }) => due <= until)
        .sort((a, b) => a.due - b.due || a.turn - b.turn || a.rank - b.rank)
      if (!job) break
      remove(job.subject)
      now = Math.max(now, job.due)
      ran.push(`${now} chain/${job.subject}`)
      // What a job schedules has its turn.
      if (job.left > 0) put({ ...job, due: job.due + job.left, rank: ++rank, left: job.left - 1 })
    }
    now = until
  }
  return { ran, add, remove, advance, now: () => now, pending: () => list.length }
}

describe('any sequence of calls', () => {
  it('behaves like a simple reference agenda, including restarts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const handlers = { chain }
        let real = bench({ handlers })
        const ran: string[] = []
        const model = naive()
        for (const step of steps) {
          if (step.does === 'add') {
            const due = real.clock.now() + step.wait
            real.agenda.schedule({ due, kind: 'chain', subject: step.subject, data: step.chain })
            model.add(due, step.subject, step.chain)
          } else if (step.does === 'remove') {
            real.agenda.cancel('chain', step.subject)
            model.remove(step.subject)
          } else if (step.does === 'advance') {
            await real.agenda.advanceTo(real.clock.now() + step.by)
            model.advance(step.by)
          } else {
            real.agenda.saveClock()
            ran.push(...real.ran)
            real = bench({ handlers, tables: real.tables })
          }
          expect([...ran, ...real.ran]).toEqual(model.ran)
          expect(real.clock.now()).toBe(model.now())
          expect(real.agenda.pending).toBe(model.pending())
        }
      }),
    )
  })

  it('goes on from the last job when it is cut off in the middle of an advance', async () => {
    const whole = bench()
    const jobs = Array.from({ length: 20 }, (_, at) => note((at * 7) % 40, `j${at}`))
    for (const job of jobs) whole.agenda.schedule(job)
    await whole.agenda.advanceTo(50)

    let begin = () => {}
    const isDying = new Promise<void>((resolve) => {
      begin = resolve
    })
    const die = () => {
      begin()
      return new Promise<void>(() => undefined)
    }
    const dying = bench({ handlers: { die } })
    for (const job of jobs) dying.agenda.schedule(job)
    dying.agenda.schedule({ due: 20, kind: 'die', subject: 'x' })
    void dying.agenda.advanceTo(50)
    await isDying
    const reborn = bench({ tables: dying.tables, handlers: { die: () => undefined } })
    expect(reborn.clock.now()).toBe(20)
    await reborn.agenda.advanceTo(50)
    const told = [...dying.ran.filter((line) => !line.includes('die')), ...reborn.ran]
    expect(told.filter((line) => !line.includes('die'))).toEqual(whole.ran)
  })
})
