import { Slices } from '../kernel/slices.ts'

/** The most jobs that run side by side. */
const MAX_CONCURRENT = 64

/** The jobs that `runInOrder` runs. */
export interface JobSource<Next> {
  /** The next job; undefined when there is none to be run now. */
  peek(): Next | undefined
  /** Jobs of the same group may run side by side. */
  groupOf(next: Next): string | undefined
  /** Runs the next job; returns a promise if it takes time. */
  run(next: Next): Promise<void> | undefined
  /** Called after each job. */
  onStep(): void
}

/** Runs one job after the other, in slices. Jobs of a group that are due at the same instant are awaited together. */
export async function runInOrder<Next extends { readonly due: number }>(
  source: JobSource<Next>,
): Promise<void> {
  const slices = new Slices()
  let running: Promise<void>[] = []
  let [instant, group]: [number, string | undefined] = [Number.NaN, undefined]
  for (;;) {
    const next = source.peek()
    const nextGroup = next && source.groupOf(next)
    const isBeside = next?.due === instant && nextGroup !== undefined && nextGroup === group
    if (running.length > 0 && (!isBeside || running.length >= MAX_CONCURRENT)) {
      await Promise.all(running)
      running = []
    } else if (next) {
      instant = next.due
      group = nextGroup
      const job = source.run(next)
      if (job) running.push(job)
    } else {
      return
    }
    source.onStep()
    // Not between jobs that are awaited together: what one of them schedules comes after all of them, however slow the machine is.
    if (running.length === 0 && slices.isOver) await slices.next()
  }
}
