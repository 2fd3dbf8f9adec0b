import { Queue } from '../kernel/queue.ts'

interface Lane {
  taken: boolean
  readonly waiting: Queue<string>
}

/** One piece of work at a time per lane, in the order they came; lanes do not wait for each other. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  #idle: (() => void)[] = []

  get busy(): boolean {
    return this.#lanes.size > 0
  }

  /** Resolves when no lane is in use. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.busy) this.#idle.push(resolve)
      else resolve()
    })
  }

  /** Takes a lane if it is free; if not, `who` waits for it. */
  take(name: string, who: string): boolean {
    const lane = this.#lanes.get(name) ?? { taken: false, waiting: new Queue<string>() }
    if (lane.taken) {
      lane.waiting.add(who)
      return false
    }
    lane.taken = true
    this.#lanes.set(name, lane)
    return true
  }

  /** Waits for a lane that is not free; answers whether it waits. */
  join(name: string, who: string): boolean {
    const lane = this.#lanes.get(name)
    lane?.waiting.add(who)
    return lane !== undefined
  }

  /** Frees a lane and calls those who wait for it, until one of them takes it. */
  leave(name: string, call: (who: string) => void): void {
    const lane = this.#lanes.get(name)
    if (!lane) return
    lane.taken = false
    for (let next = lane.waiting.take(); next !== undefined; next = lane.waiting.take()) {
      call(next)
      if (lane.taken) return
    }
    this.#lanes.delete(name)
    if (this.busy) return
    const waiting = this.#idle
    this.#idle = []
    for (const resolve of waiting) resolve()
  }
}
