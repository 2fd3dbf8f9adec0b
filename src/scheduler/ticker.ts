import type { Clock } from '../kernel/clock.ts'
import { inNextTurn, ownTimers } from '../kernel/pause.ts'
import type { Agenda } from './agenda.ts'

/** The maximum delay of a timer, in milliseconds. */
const MAX_MS = 2 ** 31 - 1

/** The part of a world that the ticker uses. The rows of a world that is not in memory are read by `runDue`. */
export interface Ticked {
  readonly agenda: Pick<Agenda, 'busy' | 'nextDue' | 'runDue'>
  readonly clock: Clock
}

/** Replies of this turn are sent in the next one, after the changes they wait for were stored. */
const afterReplies = (act: () => void) => inNextTurn(() => inNextTurn(act))

/** Runs each world's jobs when they are due. */
export class Ticker {
  readonly #timers = new Map<Ticked, NodeJS.Timeout>()
  readonly #woken = new Set<Ticked>()
  readonly #reportBug: (error: unknown) => void
  #stopped = false
  #interval: NodeJS.Timeout | undefined

  constructor(reportBug: (error: unknown) => void) {
    this.#reportBug = reportBug
  }

  /** Called when a world's agenda has changed. Jobs that are due now run after the replies of this turn were sent. */
  wake(world: Ticked): void {
    if (this.#stopped || this.#woken.has(world)) return
    this.#woken.add(world)
    afterReplies(() => {
      this.#woken.delete(world)
      try {
        this.#check(world)
      } catch (error) {
        this.#reportBug(error)
      }
    })
  }

  /** Calls a task at an interval until Petri is closed. */
  every(intervalMs: number, task: () => Promise<void>): void {
    this.#interval = ownTimers.setInterval(() => task().catch(this.#reportBug), intervalMs).unref()
  }

  forget(world: Ticked): void {
    ownTimers.clearTimeout(this.#timers.get(world))
    this.#timers.delete(world)
  }

  stop(): void {
    this.#stopped = true
    ownTimers.clearInterval(this.#interval)
    for (const timer of this.#timers.values()) ownTimers.clearTimeout(timer)
    this.#timers.clear()
  }

  #check(world: Ticked): void {
    if (this.#stopped) return
    this.forget(world)
    const due = world.agenda.nextDue()
    if (due === undefined || world.agenda.busy) return
    const waitMs = due - world.clock.reading()
    if (waitMs <= 0) this.#run(world)
    else if (!world.clock.frozen) this.#setTimer(world, waitMs)
  }

  #run(world: Ticked): void {
    try {
      world.agenda.runDue()
    } catch (error) {
      this.#reportBug(error)
    }
    this.wake(world)
  }

  #setTimer(world: Ticked, waitMs: number): void {
    const timer = ownTimers.setTimeout(() => this.#check(world), Math.min(Math.ceil(waitMs), MAX_MS))
    this.#timers.set(world, timer.unref())
  }
}
