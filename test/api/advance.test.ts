import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { advance } from '../support/orders.ts'
import { startTestPetri, startTestWorld, type TestPetri } from '../support/petri.ts'
import { makeStepsSlow } from '../support/timing.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})
afterEach(() => {
  vi.restoreAllMocks()
  return petri.close()
})

/** Schedules jobs about users that do not exist. */
function scheduleMany(count: number): void {
  for (let at = 1; at <= count; at++) {
    petri
      .world()
      .agenda.schedule({ due: petri.world().clock.now() + at, kind: 'users.erase', subject: `u${at}` })
  }
}

it.each([{ by: '1h' }, { until: 'idle' }, { status: 'completed' }])(
  'another call stops an advance, which answers with the time it reached: %j',
  async (how) => {
    const order_id = 'status' in how ? (await petri.post('/_petri/orders', {})).body.id : undefined
    scheduleMany(2000)
    makeStepsSlow()
    const advancing = petri.post('/_petri/clock/advance', { ...how, order_id })
    await new Promise((resolve) => setImmediate(resolve))
    const stopped = await petri.delete('/_petri/clock/advance')
    expect([stopped.status, stopped.body.stopped]).toEqual([200, true])
    const { status, body } = await advancing
    expect([status, body.stopped]).toEqual([200, true])
    expect(body.pending).toBeGreaterThan(0)
    expect((await petri.read('/_petri/clock')).now).toBe(body.now)
    expect((await petri.delete('/_petri/clock/advance')).body.stopped).toBe(false)
  },
)

it('changing the pace takes constant time, regardless of the number of jobs', { tags: 'slow' }, async () => {
  const world = petri.world()
  const { agenda, clock } = world
  clock.thaw()
  for (let at = 0; at < 50_000; at++) {
    agenda.schedule({ afterScenarioMs: 2000 + at, kind: 'users.erase', subject: `u${at}` })
  }
  await petri.world().db.settled()
  // The quickest of some tries, so that other processes on the machine do not count.
  const took = [1, 3, 4, 2].map((pace) => {
    const before = performance.now()
    world.setSettings({ pace })
    agenda.updateScenarioRate()
    return performance.now() - before
  })
  expect(Math.min(...took)).toBeLessThan(50)
  expect(agenda.nextDue()).toBe(clock.now() + 1000)
})

it('the world names jobs that failed', async () => {
  expect((await petri.read('/_petri/world')).failed_jobs).toEqual([])
  await petri.close()
  const bugs: unknown[] = []
  petri = await startTestPetri({ reportBug: (bug) => bugs.push(bug) })
  petri.world().agenda.schedule({ due: petri.world().clock.now() + 1000, kind: 'no.handler', subject: 'x' })
  const { body } = await advance(petri, '1m')
  expect(body.summary).toEqual(['1 job failed: Error: there are no jobs of kind no.handler'])
  expect((await petri.read('/_petri/world')).failed_jobs).toMatchObject([
    { at: '2026-01-05T09:00:01.000Z', job: 'no.handler', subject: 'x' },
  ])
  expect(bugs).toHaveLength(1)
})
