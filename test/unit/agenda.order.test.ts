import { describe, expect, it } from 'vitest'
import { currentRequest, type RequestContext, runInContext } from '../../src/scheduler/context.ts'
import { type Bench, bench, note } from '../support/agenda.ts'

const subjectsOf = (ran: readonly string[]) => ran.map((line) => line.split('/')[1])

/** A job that schedules notes for an instant, in this order. */
const planning =
  (due: number, ...subjects: string[]) =>
  ({ agenda }: Bench) => {
    for (const subject of subjects) agenda.schedule(note(due, subject))
  }

describe('jobs that are due at the same instant', () => {
  it('run in the order they were added, those with a simulated wait among those of the calendar', async () => {
    const { agenda, ran } = bench()
    const wait = (afterScenarioMs: number, subject: string) => ({ afterScenarioMs, kind: 'note', subject })
    for (const job of [note(20, 'a'), wait(20, 'b'), note(20, 'c'), wait(10, 'd'), note(9, 'e')])
      agenda.schedule(job)
    agenda.schedule(wait(21, 'f'))
    await agenda.advanceTo(30)
    expect(subjectsOf(ran)).toEqual(['e', 'd', 'a', 'b', 'c', 'f'])
  })

  it('run by when their first cause was added: what a job adds comes before what a call added later', async () => {
    const { agenda, ran } = bench({ handlers: { plan: planning(30, 'x', 'y') } })
    agenda.schedule({ due: 10, kind: 'plan', subject: 'p' })
    agenda.schedule(note(30, 'later'))
    await agenda.advanceTo(40)
    expect(subjectsOf(ran)).toEqual(['p', 'x', 'y', 'later'])
  })

  it('keep their order over a restart', async () => {
    const handlers = {
      plan({ agenda }: Bench) {
        agenda.schedule({ due: 20, kind: 'replan', subject: 'q' })
        agenda.schedule(note(30, 'x'))
      },
      replan: planning(30, 'y'),
    }
    const first = bench({ handlers })
    first.agenda.schedule({ due: 10, kind: 'plan', subject: 'p' })
    first.agenda.schedule(note(30, 'before'))
    await first.agenda.advanceTo(15)
    const second = bench({ handlers, tables: first.tables })
    second.agenda.schedule(note(30, 'after'))
    await second.agenda.advanceTo(40)
    expect(subjectsOf(second.ran)).toEqual(['q', 'x', 'y', 'before', 'after'])
  })
})

describe('advancing', () => {
  it.each<[string, (agenda: Bench['agenda']) => Promise<unknown>]>([
    ['to an instant', (agenda) => agenda.advanceTo(100)],
    ['until idle', (agenda) => agenda.advanceUntilIdle(100)],
    ['until something has happened', (agenda) => agenda.advanceUntilIdle(500, { isOver: () => true })],
  ])('%s runs what is due then, and nothing after', async (how, advance) => {
    const { agenda, ran, clock } = bench()
    if (how.includes('happened')) await agenda.advanceTo(100)
    agenda.schedule(note(100, 'a'))
    agenda.schedule(note(101, 'b'))
    await advance(agenda)
    expect([subjectsOf(ran), clock.now()]).toEqual([['a'], 100])
  })

  it('stores a live clock each time it is further ahead, and not when it is not', async () => {
    const made = bench({ frozen: false, wall: 1000 })
    const offsets = () =>
      [...(made.tables.get('clock')?.values() ?? [])].map((row) => JSON.parse(String(row)).offsetMs)
    const seen = []
    for (const to of [5000, 6000]) {
      await made.agenda.advanceTo(to)
      seen.push(offsets())
    }
    expect(seen).toEqual([[4000], [5000]])
    made.tables.get('clock')?.clear()
    made.wall.now = 1500
    made.agenda.saveClock()
    expect(offsets()).toEqual([])
  })

  it('writes nothing of a clock that was stored before the restart', async () => {
    const first = bench({ wall: 1000 })
    first.agenda.saveClock()
    const again = bench({ wall: 1000, tables: first.tables })
    again.tables.get('clock')?.clear()
    again.agenda.saveClock()
    expect([...(again.tables.get('clock') ?? [])]).toEqual([])
  })
})

describe('a job of a request', () => {
  it('is still the request’s when it has scheduled itself again, and no more when it was cancelled', async () => {
    const seen: (RequestContext | undefined)[] = []
    const { agenda } = bench({
      handlers: {
        again({ agenda }, job) {
          seen.push(currentRequest())
          if (job.due < 20) agenda.schedule({ ...job, due: job.due + 10 })
        },
      },
    })
    const request: RequestContext = { events: [] }
    const add = (due: number) => agenda.schedule({ due, kind: 'again', subject: 'x' })
    runInContext(request, () => add(10))
    await agenda.advanceTo(20)
    expect(seen.map((one) => one === request)).toEqual([true, true])
    runInContext(request, () => add(30))
    agenda.cancel('again', 'x')
    add(30)
    await agenda.advanceTo(30)
    expect(seen.at(-1)).toBeUndefined()
  })
})
