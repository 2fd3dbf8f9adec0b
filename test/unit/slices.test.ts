import { afterEach, expect, it, vi } from 'vitest'
import { runInSlices } from '../../src/kernel/slices.ts'
import { countTurns, makeStepsSlow } from '../support/timing.ts'

afterEach(() => void vi.restoreAllMocks())

it('long work gets one slice in a turn of the event loop, however much of it there is', async () => {
  makeStepsSlow()
  let [steps, most] = [0, 0]
  function* work() {
    for (let step = 0; step < 20; step++) yield void steps++
  }
  const all = Promise.all(Array.from({ length: 10 }, () => runInSlices(work())))
  steps = 0
  await countTurns(all, async () => {
    most = Math.max(most, steps)
    steps = 0
  })
  expect(most).toBe(1)
})

it('all long work advances, and what is short ends beside it', async () => {
  makeStepsSlow()
  const ended: string[] = []
  function* work(name: string, length: number) {
    for (let step = 0; step < length; step++) yield
    ended.push(name)
  }
  const names = ['long', 'longer', 'short'] as const
  const lengths = { long: 20, longer: 30, short: 3 }
  await Promise.all(names.map((name) => runInSlices(work(name, lengths[name]))))
  expect(ended).toEqual(['short', 'long', 'longer'])
})

it('timers that a test fakes and drops stop no long work', async () => {
  makeStepsSlow()
  function* work() {
    yield
    yield
  }
  vi.useFakeTimers({ toFake: ['setImmediate'] })
  const before = runInSlices(work())
  vi.useRealTimers()
  await before
  await runInSlices(work())
})
