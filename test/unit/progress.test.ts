import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showProgress } from '../../src/terminal/output.ts'
import { useFakeTimers, useRealTimers } from '../support/timing.ts'

beforeEach(() => void useFakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'))
afterEach(() => void useRealTimers())

function longWork() {
  let finish = (_: string) => {}
  const work = new Promise<string>((resolve) => {
    finish = resolve
  })
  return { work, finish: (value: string) => finish(value) }
}

it('tells on a terminal how long a long call has been going on, and clears the line', async () => {
  const written: string[] = []
  const { work, finish } = longWork()
  const shown = showProgress(work, { isTTY: true, write: (text) => written.push(text) })
  await vi.advanceTimersByTimeAsync(3000)
  finish('done')
  expect(await shown).toBe('done')
  const text = written.join('')
  expect(text).toMatch(/waiting, 1 s.*waiting, 2 s.*waiting, 3 s/s)
  expect(text.endsWith('\r\u001b[2K')).toBe(true)
})

it('says nothing of a short call, or where nobody looks', async () => {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  expect(await showProgress(Promise.resolve(1), { isTTY: true, write })).toBe(1)
  const { work, finish } = longWork()
  const shown = showProgress(work, { isTTY: false, write })
  await vi.advanceTimersByTimeAsync(3000)
  finish('done')
  await shown
  expect(written).toEqual([])
})
