import { describe, expect, it } from 'vitest'
import {
  addToContext,
  currentJobTurn,
  currentRequest,
  type RequestContext,
  runInContext,
  runInJob,
} from '../../src/scheduler/context.ts'
import type { Job, RunJob } from '../../src/scheduler/job.ts'
import { JobRunner } from '../../src/scheduler/job-runner.ts'

const request = (): RequestContext => ({ events: [] })

describe('the context of a request', () => {
  it('lasts until its function returns or throws, and the one before is back', () => {
    const outer = request()
    const inner = request()
    const seen = runInContext(outer, () => {
      const within = runInContext(inner, () => currentRequest())
      expect(() =>
        runInContext(inner, () => {
          throw new Error('no')
        }),
      ).toThrow('no')
      return [within, currentRequest(), currentJobTurn()]
    })
    expect(seen).toEqual([inner, outer, undefined])
    expect(seen[0]).toBe(inner)
    expect(currentRequest()).toBeUndefined()
  })

  it('lasts beyond an await, and does not reach what runs meanwhile', async () => {
    const one = request()
    const later = runInContext(one, async () => {
      await Promise.resolve()
      return currentRequest()
    })
    expect(currentRequest()).toBeUndefined()
    expect(await later).toBe(one)
  })

  it('notes its first 200 events, and none when there is no request', () => {
    const one = request()
    runInContext(one, () => {
      for (let n = 0; n < 205; n++) addToContext(`${n}`)
    })
    addToContext('of nobody')
    expect([one.events.length, one.events.at(-1)]).toEqual([200, '199'])
  })

  it('is known to its jobs, beside their turn', () => {
    const one = request()
    expect(runInJob(one, 4, () => [currentRequest(), currentJobTurn()])).toEqual([one, 4])
  })
})

describe('a job runner', () => {
  const job = (subject: string): Job => ({ due: 0, turn: 3, kind: 'work', subject })

  function runner(run: RunJob, onDone = () => true) {
    const done: string[] = []
    const failed: string[] = []
    const made = new JobRunner({
      kinds: new Map([['work', { does: 'work' }]]),
      run,
      onDone: (key) => {
        done.push(key)
        return onDone()
      },
      onFailure: ({ subject }, error) => failed.push(`${subject}: ${error}`),
    })
    return { made, done, failed }
  }

  it('runs a job for the request that scheduled it, once', () => {
    const seen: (RequestContext | undefined)[] = []
    const { made, done } = runner(() => void seen.push(currentRequest()))
    const one = request()
    runInContext(one, () => made.onSchedule('work/a'))
    expect(made.run(job('a'))).toBeUndefined()
    made.run(job('a'))
    expect(seen[0]).toBe(one)
    expect(seen[1]).toBeUndefined()
    expect(done).toEqual(['work/a', 'work/a'])
  })

  it('keeps the request of a job that scheduled itself again, unless it recurs or was scheduled anew', () => {
    const seen: (RequestContext | undefined)[] = []
    const { made } = runner(
      () => void seen.push(currentRequest()),
      () => false,
    )
    const one = request()
    const ran = () => {
      made.run(job('a'))
      return seen.pop()
    }
    runInContext(one, () => made.onSchedule('work/a'))
    expect([ran(), ran()]).toEqual([one, one])
    made.onSchedule('work/a')
    expect(ran()).toBeUndefined()
    runInContext(one, () => made.onSchedule('work/a', true))
    expect(ran()).toBeUndefined()
    runInContext(one, () => made.onSchedule('work/a'))
    made.cancel('work/a')
    expect(ran()).toBeUndefined()
  })

  it('settles a job after it failed, at once or later', async () => {
    const { made, done, failed } = runner(({ subject }) => {
      if (subject === 'later') return Promise.reject('late')
      throw 'now'
    })
    expect(made.run(job('a'))).toBeUndefined()
    await made.run(job('later'))
    expect(failed).toEqual(['a: now', 'later: late'])
    expect(done).toEqual(['work/a', 'work/later'])
  })

  it('is idle when every job that was started is done', async () => {
    const ends: (() => void)[] = []
    const { made, done } = runner(() => new Promise<void>((resolve) => ends.push(resolve)))
    made.start(job('a'))
    made.start(job('b'))
    let isIdle = false
    const idle = made.idle().then(() => {
      isIdle = true
    })
    for (const end of ends) {
      await Promise.resolve()
      expect(isIdle).toBe(false)
      end()
    }
    await idle
    expect(done).toEqual(['work/a', 'work/b'])
    await made.idle()
  })
})
