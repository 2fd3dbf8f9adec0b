import type { LongWork, World } from './world.ts'

/** Rows after which those who watch the world are told how far it came. */
const ROWS_TOLD = 10_000

export interface Progress {
  /** Notes rows that are done. */
  add(rows: number): void
  end(): void
}

/** Shows long work on a world while it is done. */
export function beginWork(world: World, kind: LongWork['kind'], of: number | null = null): Progress {
  const work = { kind, rows: 0, of }
  world.longWork.add(work)
  let told = 0
  return {
    add(rows) {
      work.rows += rows
      if (work.rows - told < ROWS_TOLD) return
      told = work.rows
      const { kind: doing, ...progress } = work
      world.agenda.bus.publish({ at: world.clock.now(), kind: 'progress', doing, ...progress })
    },
    end: () => void world.longWork.delete(work),
  }
}
