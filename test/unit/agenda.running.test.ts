import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFERRED, type Effect } from '../../src/scheduler/job.ts'
import { bench, note } from '../support/agenda.ts'
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

describe('a job', () => {
  it('without a row runs like any other, and is not there after a restart', async () => {
    const first = bench()
    first.agenda.scheduleTransient(note(10, 'a'))
    first.agenda.schedule(note(20, 'b'))
    expect([first.agenda.pending, first.agenda.find('note', 'a')?.due]).toEqual([2, 10])
    expect([...first.agenda.all()].map(({ subject }) => subject)).toEqual(['b'])
    expect(bench({ tables: first.tables }).agenda.pending).toBe(1)
    await first.agenda.advanceTo(30)
    expect(first.ran).toEqual(['10 note/a', '20 note/b'])
  })

  it('that is deferred keeps its row until it is resumed and done', () => {
    let isBusy = true
    const { agenda, ran, tables } = bench({ frozen: false, handlers: { wait: () => deferred() } })
    const deferred = () => (isBusy ? DEFERRED : undefined)
    const subjects = () => [...agenda.all()].map(({ subject }) => subject)
    for (const subject of ['x', 'y']) agenda.schedule({ due: 0, kind: 'wait', subject })
    agenda.runDue()
    expect([agenda.pending, subjects()]).toEqual([0, ['x', 'y']])
    expect(bench({ tables }).agenda.pending).toBe(2)
    isBusy = false
    agenda.resume('wait/x', () => undefined)
    expect([subjects(), ran.at(-1)]).toEqual([['y'], '0 wait/x'])
    agenda.resume('wait/gone', () => undefined)
    expect(ran).toHaveLength(3)
    agenda.resume('wait/rowless', () => ({ due: 0, turn: 0, kind: 'wait', subject: 'rowless' }))
    expect(ran.at(-1)).toBe('0 wait/rowless')
    agenda.stop()
    agenda.resume('wait/y', () => undefined)
    expect(ran).toHaveLength(4)
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
    const { agenda } = bench()
    const first = agenda.advanceTo(10)
    await expect(agenda.advanceTo(20)).rejects.toThrow(
      'This world is already being advanced; wait for that call to return.',
    )
    await first
  })
})
