import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Effect, Job } from '../../src/scheduler/job.ts'
import { bench, note } from '../support/agenda.ts'
import { field } from '../support/field.ts'
import { makeStepsInstant } from '../support/timing.ts'

beforeEach(makeStepsInstant)
afterEach(() => void vi.restoreAllMocks())

const later = () => {
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { done, finish }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('an agenda says that it has changed', () => {
  it('when a job is added or the pace changes, and once what runs has ended', async () => {
    const { agenda, changes } = bench({
      handlers: { plan: ({ agenda }) => agenda.schedule(note(50, 'later')) },
    })
    agenda.schedule(note(10, 'a'))
    agenda.scheduleTransient(note(10, 'b'))
    expect(changes.count).toBe(2)
    agenda.updateScenarioRate()
    expect(changes.count).toBe(3)
    agenda.schedule({ due: 0, kind: 'plan', subject: 'x' })
    agenda.runDue()
    expect([agenda.busy, changes.count]).toEqual([true, 4])
    await turn()
    expect([agenda.busy, changes.count]).toEqual([false, 5])
    agenda.schedule({ due: 20, kind: 'plan', subject: 'x' })
    await agenda.advanceTo(30)
    expect(changes.count).toBe(7)
  })
})

describe('what is due in a frozen world', () => {
  it('runs one after the other as one run, in the effects of the next advance, and nothing later does', async () => {
    const { done, finish } = later()
    const { agenda, clock, ran } = bench({
      wall: 10,
      handlers: {
        slow({ agenda }) {
          agenda.record('order', { order_id: 'x' })
          return done
        },
      },
    })
    agenda.schedule({ due: 5, kind: 'slow', subject: 'x' })
    agenda.schedule(note(10, 'a'))
    agenda.schedule(note(11, 'b'))
    expect([agenda.isDue, agenda.currentRun]).toEqual([true, undefined])
    agenda.runDue()
    const run = agenda.currentRun
    agenda.runDue()
    expect([agenda.busy, agenda.advancing, ran]).toEqual([true, false, ['10 slow/x']])
    expect(agenda.currentRun).toBe(run)
    finish()
    await turn()
    expect([agenda.busy, agenda.isDue, agenda.pending]).toEqual([false, false, 1])
    expect([ran, clock.now()]).toEqual([['10 slow/x', '10 note/a'], 10])
    const { effects } = await agenda.advanceTo(20)
    expect(effects).toEqual([{ at: 10, kind: 'order', order_id: 'x' }])
    expect((await agenda.advanceTo(30)).effects).toEqual([])
  })
})

describe('what is due in a world that was live', () => {
  it('waits until the jobs that were started have ended', async () => {
    const { done, finish } = later()
    const { agenda, clock, ran } = bench({ frozen: false, wall: 10, handlers: { slow: () => done } })
    agenda.schedule({ due: 10, kind: 'slow', subject: 'x' })
    agenda.runDue()
    clock.freeze()
    agenda.schedule(note(10, 'a'))
    agenda.runDue()
    await turn()
    expect([agenda.busy, ran]).toEqual([true, ['10 slow/x']])
    finish()
    await agenda.settled()
    expect([agenda.busy, ran]).toEqual([false, ['10 slow/x', '10 note/a']])
  })
})

describe('a live world', () => {
  it('has nothing due where nothing is scheduled, and its clock goes on after a job that was late', () => {
    const { agenda, clock, wall, ran } = bench({ frozen: false, wall: 1000 })
    expect([agenda.isDue, agenda.nextDue()]).toEqual([false, undefined])
    agenda.schedule(note(900, 'late'))
    agenda.schedule(note(1001, 'soon'))
    agenda.runDue()
    expect([ran, agenda.isDue, agenda.busy]).toEqual([['900 note/late'], false, false])
    wall.now = 1001
    expect([clock.now(), agenda.isDue]).toEqual([1001, true])
  })

  it('tells nobody of what a job does unless somebody listens, and an advance not of what was before', async () => {
    const { agenda } = bench({ frozen: false, wall: 1000 })
    agenda.record('order', { order_id: 'x', status: 'lost' })
    const seen: Effect[] = []
    agenda.bus.subscribe({ onEffect: (effect) => void seen.push(effect), onEnd: () => undefined })
    agenda.record('order', { order_id: 'y', status: 'lost' })
    expect(seen).toEqual([{ at: 1000, kind: 'order', order_id: 'y', status: 'lost' }])
    expect((await agenda.advanceTo(2000)).effects).toEqual([])
    expect(agenda.counters.get('order').get('lost')).toBe(2)
  })
})

describe('jobs of a group', () => {
  /** Runs jobs, and returns the subjects of those that ran together. */
  async function together(jobs: { due?: number; kind?: string; subject: string }[]) {
    const runs: string[] = []
    const send = (_: unknown, job: Job, others: readonly Job[]) =>
      void runs.push([job, ...others].map(field('subject')).join(' '))
    const groupOf = (key: string) => key.replace(/\d+$/, '')
    const { agenda } = bench({ handlers: { send }, options: { send: { groupOf } } })
    for (const job of jobs) agenda.schedule({ due: 10, kind: 'send', ...job })
    await agenda.advanceTo(20)
    return { runs, left: agenda.pending }
  }

  it('run together when they are due at the same instant, and others one after the other', async () => {
    const subjects = ['a1', 'a2', 'b1', 'a3', 'a4']
    expect(await together(subjects.map((subject) => ({ subject })))).toEqual({
      runs: ['a1 a2', 'b1', 'a3 a4'],
      left: 0,
    })
    const later = { due: 11, subject: 'a2' }
    expect((await together([{ subject: 'a1' }, later])).runs).toEqual(['a1', 'a2'])
    const ofOtherKind = [{ subject: 'a1' }, { kind: 'note', subject: 'a2' }, { subject: 'a3' }]
    expect((await together(ofOtherKind)).runs).toEqual(['a1', 'a3'])
  })

  it('are 64 at most at a time', async () => {
    const { runs } = await together(Array.from({ length: 70 }, (_, n) => ({ subject: `a${n}` })))
    expect(runs.map((run) => run.split(' ').length)).toEqual([64, 6])
  })

  it('all fail when their run throws', async () => {
    const { agenda, bugs } = bench({
      handlers: { send: () => Promise.reject(new Error('no')) },
      options: { send: { groupOf: () => 'all' } },
    })
    for (const subject of ['a', 'b']) agenda.schedule({ due: 10, kind: 'send', subject })
    await agenda.advanceTo(20)
    expect(agenda.failures.map(field('subject'))).toEqual(['a', 'b'])
    expect([bugs.length, [...agenda.all()]]).toEqual([2, []])
  })
})

describe('a job', () => {
  it('without a row runs like any other, and is not there after a restart', async () => {
    const first = bench()
    first.agenda.scheduleTransient(note(10, 'a'))
    first.agenda.schedule(note(20, 'b'))
    expect([first.agenda.pending, first.agenda.find('note', 'a')?.due]).toEqual([2, 10])
    expect([...first.agenda.all()].map(field('subject'))).toEqual(['b'])
    expect(bench({ tables: first.tables }).agenda.pending).toBe(1)
    await first.agenda.advanceTo(30)
    expect(first.ran).toEqual(['10 note/a', '20 note/b'])
  })

  it('waits in a live world for the one before in its queue, with its row, unless it is cancelled', async () => {
    const ends: (() => void)[] = []
    const { agenda, ran, tables } = bench({
      frozen: false,
      handlers: { send: () => new Promise<void>((resolve) => ends.push(resolve)) },
      options: { send: { queueOf: ({ subject }) => subject.charAt(0) } },
    })
    const subjects = () => [...agenda.all()].map(field('subject'))
    const end = async () => {
      ends.shift()?.()
      await turn()
    }
    for (const subject of ['a1', 'a2', 'a3', 'a4', 'b1']) agenda.schedule({ due: 0, kind: 'send', subject })
    agenda.runDue()
    expect(ran).toEqual(['0 send/a1', '0 send/b1'])
    expect([agenda.pending, subjects()]).toEqual([0, ['a1', 'a2', 'a3', 'a4', 'b1']])
    expect(bench({ tables }).agenda.pending).toBe(5)
    agenda.cancel('send', 'a2')
    await end()
    expect([ran.at(-1), subjects()]).toEqual(['0 send/a3', ['a3', 'a4', 'b1']])
    let isSettled = false
    const settled = agenda.settled().then(() => {
      isSettled = true
    })
    for (let running = ends.length; running > 0; running--) await end()
    expect([ran.at(-1), isSettled]).toEqual(['0 send/a4', false])
    await end()
    await settled
    expect([ran, subjects()]).toEqual([['0 send/a1', '0 send/b1', '0 send/a3', '0 send/a4'], []])
  })

  it('that waits is replaced when it is scheduled anew, and does not run once the world is closed', async () => {
    const ends: (() => void)[] = []
    const seen: unknown[] = []
    const { agenda } = bench({
      frozen: false,
      handlers: {
        send(_, { subject, data }) {
          seen.push([subject, data])
          return new Promise<void>((resolve) => ends.push(resolve))
        },
      },
      options: { send: { queueOf: () => 'one' } },
    })
    const schedule = (subject: string, data: number) =>
      agenda.schedule({ due: 0, kind: 'send', subject, data })
    for (const subject of ['a', 'b', 'c']) schedule(subject, 1)
    agenda.runDue()
    schedule('b', 2)
    schedule('a', 2)
    agenda.runDue()
    ends[0]?.()
    await turn()
    ends[1]?.()
    await turn()
    expect(seen).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ])
    expect(new Set([...agenda.all()].map(field('subject')))).toEqual(new Set(['a', 'c']))
    agenda.stop()
    ends[2]?.()
    await turn()
    expect(seen).toHaveLength(3)
  })

  it('that is scheduled again while it runs is run again, at its new time', async () => {
    const { agenda, ran } = bench({
      handlers: {
        async again({ agenda }, job) {
          await Promise.resolve()
          if (job.due < 30) agenda.schedule({ ...job, due: job.due + 10 })
        },
      },
    })
    agenda.schedule({ due: 10, kind: 'again', subject: 'x' })
    await agenda.advanceTo(100)
    expect(ran).toEqual(['10 again/x', '20 again/x', '30 again/x'])
    expect([...agenda.all()]).toEqual([])
  })

  it('in steps runs at once in a frozen world that is not advanced, and else in slices', async () => {
    function* steps() {
      yield
    }
    const frozen = bench()
    expect(frozen.agenda.runSteps(steps())).toBeUndefined()
    const live = bench({ frozen: false })
    expect(live.agenda.runSteps(steps())).toBeInstanceOf(Promise)
    const kinds: string[] = []
    const advanced = bench({
      handlers: {
        steps({ agenda }) {
          const running = agenda.runSteps(steps())
          kinds.push(running === undefined ? 'at once' : 'in slices')
          return running
        },
      },
    })
    advanced.agenda.schedule({ due: 5, kind: 'steps', subject: 'x' })
    await advanced.agenda.advanceTo(10)
    expect(kinds).toEqual(['in slices'])
  })
})

describe('the clock of an agenda', () => {
  const stored = (tables: ReturnType<typeof bench>['tables']) =>
    [...(tables.get('clock')?.values() ?? [])].map(String)

  it('is stored before each job and at the end of an advance', async () => {
    const seen: string[][] = []
    const made = bench({ handlers: { look: ({ tables }) => void seen.push(stored(tables)) } })
    made.agenda.schedule({ due: 10, kind: 'look', subject: 'x' })
    await made.agenda.advanceTo(25)
    expect(seen).toEqual([['{"offsetMs":0,"frozenAt":10}']])
    expect(stored(made.tables)).toEqual(['{"offsetMs":0,"frozenAt":25}'])
  })

  it('that is live is stored by how far it is ahead', async () => {
    const made = bench({ frozen: false, wall: 1000 })
    await made.agenda.advanceTo(5000)
    expect(stored(made.tables)).toEqual(['{"offsetMs":4000,"frozenAt":null}'])
    const again = bench({ wall: 1500, tables: made.tables })
    expect([again.clock.frozen, again.clock.now()]).toEqual([false, 5500])
  })

  it('is stored only when it says something new', () => {
    const made = bench({ wall: 1000 })
    made.agenda.saveClock()
    const { tables } = made
    expect(stored(tables)).toHaveLength(1)
    tables.get('clock')?.clear()
    made.agenda.saveClock()
    expect(stored(made.tables)).toEqual([])
    made.clock.thaw()
    made.agenda.saveClock()
    expect(stored(made.tables)).toEqual(['{"offsetMs":0,"frozenAt":null}'])
  })
})

describe('the agenda of a world that is gone', () => {
  it('runs nothing, takes nothing and says so', async () => {
    const { agenda, ran } = bench()
    const ends: string[] = []
    agenda.bus.subscribe({ onEffect: () => undefined, onEnd: () => ends.push('end') })
    agenda.schedule(note(0, 'a'))
    agenda.stop()
    agenda.schedule(note(0, 'b'))
    agenda.runDue()
    expect([ran, ends, agenda.pending, agenda.nextDue()]).toEqual([[], ['end'], 0, undefined])
    await expect(agenda.advanceTo(10)).rejects.toThrow(
      'This world was reset or deleted while its clock was advanced.',
    )
    expect(agenda.stopAdvance()).toBe(false)
  })

  it('refuses a second advance with what to do', async () => {
    const { agenda, clock } = bench()
    const first = agenda.advanceTo(10)
    await expect(agenda.advanceTo(20)).rejects.toThrow(
      'This world is being advanced; wait for that call to return.',
    )
    await first
    await agenda.advanceTo(20)
    expect(clock.now()).toBe(20)
  })
})
