import type { LongWork, World } from './world.ts'

/** The number of rows between two progress events. */
const ROWS_BETWEEN_REPORTS = 10_000

export interface Progress {
  /** Counts rows that are done. */
  add(rows: number): void
  end(): void
}

/** Lists a long operation on a world, and publishes its progress. `of` is the total number of rows, if known. */
export function beginWork(world: World, kind: LongWork['kind'], of: number | null = null): Progress {
  const work = { kind, rows: 0, of }
  world.longWork.add(work)
  let reported = 0
  return {
    add(rows) {
      work.rows += rows
      if (work.rows - reported < ROWS_BETWEEN_REPORTS) return
      reported = work.rows
      const { kind: doing, ...progress } = work
      world.agenda.bus.publish({ at: world.clock.now(), kind: 'progress', doing, ...progress })
    },
    end: () => void world.longWork.delete(work),
  }
}
