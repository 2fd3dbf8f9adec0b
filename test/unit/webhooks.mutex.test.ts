import { describe, expect, it } from 'vitest'
import { KeyedMutex } from '../../src/webhooks/keyed-mutex.ts'

describe('a keyed mutex', () => {
  it('has one holder per key, wakes the others in the order they came, and keeps keys independent', () => {
    const mutex = new KeyedMutex()
    expect(['a', 'b', 'c'].map((waiter) => mutex.acquire('one', waiter))).toEqual([true, false, false])
    expect(mutex.acquire('another', 'd')).toBe(true)
    const woken: unknown[] = []
    const wake = (waiter: string | (() => void)) => {
      woken.push(waiter)
      mutex.acquire('one', waiter)
    }
    mutex.release('one', wake)
    expect(woken).toEqual(['b'])
    mutex.release('one', wake)
    expect(woken).toEqual(['b', 'c'])
  })

  it('queues behind a holder, and not for a key that is free', () => {
    const mutex = new KeyedMutex()
    expect(mutex.enqueueIfBusy('one', 'a')).toBe(false)
    mutex.acquire('one', 'b')
    expect(mutex.enqueueIfBusy('one', 'c')).toBe(true)
    const woken: unknown[] = []
    mutex.release('one', (waiter) => void woken.push(waiter))
    expect(woken).toEqual(['c'])
  })

  it('wakes the next waiter when the one before does not lock', () => {
    const mutex = new KeyedMutex()
    for (const waiter of ['a', 'b', 'c']) mutex.acquire('one', waiter)
    const woken: unknown[] = []
    mutex.release('one', (waiter) => void woken.push(waiter))
    expect(woken).toEqual(['b', 'c'])
    expect(mutex.busy).toBe(false)
  })

  it('lets in whoever comes after a release, and knows nothing of a key that nobody holds', () => {
    const mutex = new KeyedMutex()
    const woken: unknown[] = []
    mutex.release('one', (waiter) => void woken.push(waiter))
    mutex.acquire('one', 'a')
    mutex.acquire('one', 'b')
    mutex.acquire('one', 'c')
    mutex.release('one', (waiter) => {
      woken.push(waiter)
      if (waiter === 'b') mutex.acquire('one', 'late')
    })
    expect(woken).toEqual(['b'])
    expect(mutex.acquire('one', 'd')).toBe(false)
    mutex.release('one', (waiter) => void woken.push(waiter))
    expect(woken).toEqual(['b', 'c', 'd'])
    expect(mutex.acquire('one', 'e')).toBe(true)
  })

  it('is idle once every key is free, and tells so once', async () => {
    const mutex = new KeyedMutex()
    let told = 0
    mutex.acquire('one', 'a')
    mutex.acquire('another', 'b')
    void mutex.idle().then(() => told++)
    const free = async (key: string) => {
      mutex.release(key, () => undefined)
      await Promise.resolve()
      return told
    }
    expect([await free('one'), await free('another')]).toEqual([0, 1])
    mutex.acquire('one', 'c')
    expect(await free('one')).toBe(1)
  })

  it('resolves idle when no key is locked', async () => {
    const mutex = new KeyedMutex()
    await mutex.idle()
    mutex.acquire('one', 'a')
    let isIdle = false
    const idle = mutex.idle().then(() => {
      isIdle = true
    })
    await Promise.resolve()
    expect(isIdle).toBe(false)
    mutex.release('one', () => undefined)
    await idle
    expect(isIdle).toBe(true)
  })
})
