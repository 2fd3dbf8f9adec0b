import { describe, expect, it } from 'vitest'
import { Recent } from '../../src/kernel/lru-cache.ts'
import { Queue } from '../../src/kernel/queue.ts'
import { Lanes } from '../../src/webhooks/keyed-mutex.ts'

describe('lanes', () => {
  it('let one in at a time, the others in the order they came, and do not wait for each other', () => {
    const lanes = new Lanes()
    expect(['a', 'b', 'c'].map((who) => lanes.take('one', who))).toEqual([true, false, false])
    expect(lanes.take('another', 'd')).toBe(true)
    const called: string[] = []
    const call = (who: string) => {
      called.push(who)
      lanes.take('one', who)
    }
    lanes.leave('one', call)
    expect(called).toEqual(['b'])
    lanes.leave('one', call)
    expect(called).toEqual(['b', 'c'])
  })

  it('can be joined behind the one who is in, and not while they are free', () => {
    const lanes = new Lanes()
    expect(lanes.join('one', 'a')).toBe(false)
    lanes.take('one', 'b')
    expect(lanes.join('one', 'c')).toBe(true)
    const called: string[] = []
    lanes.leave('one', (who) => void called.push(who))
    expect(called).toEqual(['c'])
  })

  it('call the next one when the one called does not come', async () => {
    const lanes = new Lanes()
    for (const who of ['a', 'b', 'c']) lanes.take('one', who)
    const called: string[] = []
    lanes.leave('one', (who) => void called.push(who))
    expect(called).toEqual(['b', 'c'])
    expect(lanes.busy).toBe(false)
  })

  it('tell when nobody is in any of them', async () => {
    const lanes = new Lanes()
    await lanes.idle()
    lanes.take('one', 'a')
    let isIdle = false
    const idle = lanes.idle().then(() => {
      isIdle = true
    })
    await Promise.resolve()
    expect(isIdle).toBe(false)
    lanes.leave('one', () => undefined)
    await idle
    expect(isIdle).toBe(true)
  })
})

it('a queue gives out its items in the order they came, and shows those that are left', () => {
  const queue = new Queue<number>()
  const taken: (number | undefined)[] = []
  for (let item = 0; item < 10_000; item++) {
    queue.add(item)
    if (item % 3 !== 0) taken.push(queue.take())
  }
  expect(taken).toEqual(taken.map((_, at) => at))
  expect([...queue]).toEqual(Array.from({ length: queue.length }, (_, at) => taken.length + at))
  queue.clear()
  expect([queue.length, queue.take()]).toEqual([0, undefined])
})

it('what is kept as recent is the latest, and not much more', () => {
  const recent = new Recent<number>(100)
  for (let item = 0; item < 1050; item++) recent.set(`${item}`, item)
  recent.delete('1049')
  const kept = Array.from({ length: 1050 }, (_, item) => recent.get(`${item}`)).filter(
    (item) => item !== undefined,
  )
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 1049 - kept.length + at))
  expect(kept.length).toBeGreaterThanOrEqual(99)
  expect(kept.length).toBeLessThanOrEqual(201)
})
