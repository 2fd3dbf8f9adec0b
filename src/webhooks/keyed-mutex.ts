import Queue from 'yocto-queue'

/** A name, or a function that is called at its turn. */
export type Waiter = string | (() => void)

interface Lock {
  held: boolean
  readonly waiting: Queue<Waiter>
}

/** A mutex for each key; waiters are served in order. */
export class KeyedMutex {
  readonly #locks = new Map<string, Lock>()
  #whenIdle: (() => void)[] = []

  get busy(): boolean {
    return this.#locks.size > 0
  }

  /** Resolves when no key is locked. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.busy) this.#whenIdle.push(resolve)
      else resolve()
    })
  }

  /** Locks a key if it is free, otherwise queues `waiter`. Returns whether it was locked. */
  acquire(key: string, waiter: Waiter): boolean {
    const lock = this.#locks.get(key)
    if (lock?.held) {
      lock.waiting.enqueue(waiter)
      return false
    }
    if (lock) lock.held = true
    else this.#locks.set(key, { held: true, waiting: new Queue() })
    return true
  }

  /** Queues `waiter` if a key is locked; returns false if it is free. */
  enqueueIfBusy(key: string, waiter: Waiter): boolean {
    const lock = this.#locks.get(key)
    lock?.waiting.enqueue(waiter)
    return lock !== undefined
  }

  /** Unlocks a key and wakes its waiters until one of them locks it. */
  release(key: string, wake: (waiter: Waiter) => void): void {
    const lock = this.#locks.get(key)
    if (!lock) return
    lock.held = false
    for (let next = lock.waiting.dequeue(); next !== undefined; next = lock.waiting.dequeue()) {
      wake(next)
      if (lock.held) return
    }
    this.#locks.delete(key)
    if (this.busy) return
    const waiting = this.#whenIdle
    this.#whenIdle = []
    for (const resolve of waiting) resolve()
  }
}
