import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { START, startTestPetri, type TestPetri } from '../support/petri.ts'
import { makeStepsInstant, turns, useFakeTimers, useRealTimers } from '../support/timing.ts'

let wall = START
let petri: TestPetri
const start = async (frozen: boolean) => {
  petri = await startTestPetri({ wall: () => wall, world: { frozen } })
}
/** Lets the machine's time go by. */
const pass = async (waitMs: number) => {
  wall += waitMs
  await vi.advanceTimersByTimeAsync(waitMs)
  await turns(4)
}
const erase = (due: number) => petri.world().agenda.schedule({ due, kind: 'users.erase', subject: `${due}` })

beforeEach(() => {
  wall = START
  makeStepsInstant()
  useFakeTimers('setTimeout', 'clearTimeout')
})
afterEach(async () => {
  useRealTimers()
  vi.restoreAllMocks()
  await petri.close()
})

describe('the ticker', () => {
  it('runs a world that is thawed, and stops running one that is frozen', async () => {
    await start(true)
    erase(START + 1000)
    await petri.patch('/_petri/clock', { frozen: false, pace: 1 })
    await turns(4)
    await pass(500)
    await petri.patch('/_petri/clock', { frozen: true })
    await pass(5000)
    expect(petri.world().agenda.pending).toBe(1)
    await petri.patch('/_petri/clock', { frozen: false })
    await turns(4)
    await pass(500)
    expect(petri.world().agenda.pending).toBe(0)
  })

  it('has no timer left for a world that was reset or dropped', async () => {
    await start(false)
    erase(START + 1000)
    await turns(4)
    expect(vi.getTimerCount()).toBe(1)
    const old = petri.world()
    await petri.post('/_petri/reset')
    old.agenda.schedule({ due: START + 1000, kind: 'users.erase', subject: 'x' })
    await turns(4)
    expect(vi.getTimerCount()).toBe(0)
  })
})
