import type { World } from '../world/world.ts'

/** The longest wait a timer can be set to, in milliseconds. */
const MOST_MS = 2 ** 31 - 1

/** Runs each world's jobs when they are due: the only timers in Petri. */
export class Ticker {
  readonly #timers = new Map<World, NodeJS.Timeout>()
  readonly #woken = new Set<World>()
  readonly #reportBug: (error: unknown) => void
  #stopped = false
  #chore: NodeJS.Timeout | undefined

  constructor(reportBug: (error: unknown) => void) {
    this.#reportBug = reportBug
  }

  /** A world's agenda has changed. What is due now runs once the turn's answers are on their way. */
  wake(world: World): void {
    if (this.#stopped || this.#woken.has(world)) return
    this.#woken.add(world)
    setImmediate(() =>
      setImmediate(() => {
        this.#woken.delete(world)
        this.#look(world)
      }),
    )
  }

  /** Does something every so many milliseconds, for as long as Petri runs. */
  every(intervalMs: number, chore: () => Promise<void>): void {
    this.#chore = setInterval(() => chore().catch(this.#reportBug), intervalMs).unref()
  }

  forget(world: World): void {
    clearTimeout(this.#timers.get(world))
    this.#timers.delete(world)
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#chore)
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #look(world: World): void {
    if (this.#stopped) return
    this.forget(world)
    const due = world.agenda.nextDue()
    if (due === undefined || world.agenda.advancing) return
    const waitMs = due - world.clock.reading()
    if (waitMs <= 0) this.#run(world)
    else if (!world.clock.frozen) this.#setTimer(world, waitMs)
  }

  #run(world: World): void {
    try {
      world.agenda.runDue()
    } catch (error) {
      this.#reportBug(error)
    }
    this.wake(world)
  }

  #setTimer(world: World, waitMs: number): void {
    const timer = setTimeout(() => this.#look(world), Math.min(Math.ceil(waitMs), MOST_MS))
    this.#timers.set(world, timer.unref())
  }
}
