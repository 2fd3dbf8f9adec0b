import { assertConnected } from '../kernel/slices.ts'
import type { LongWork, World } from './world.ts'

/** The number of rows between two progress events. */
const ROWS_BETWEEN_REPORTS = 10_000

export interface Progress {
  /** Counts rows that are done. Throws if the client has disconnected. */
  add(rows: number): void
  end(): void
}

export interface WorkOptions {
  /** The total number of rows, if known. */
  readonly of?: number
  readonly signal?: AbortSignal | undefined
}

/** Lists a long operation on a world, and publishes its progress. It ends when `signal` is aborted. */
export function beginWork(
  world: World,
  kind: LongWork['kind'],
  { of: total, signal }: WorkOptions = {},
): Progress {
  const of = total ?? null
  const work = { kind, rows: 0, of }
  world.longWork.add(work)
  let reported = 0
  return {
    add(rows) {
      assertConnected(signal)
      work.rows += rows
      if (work.rows - reported < ROWS_BETWEEN_REPORTS) return
      reported = work.rows
      const { kind: doing, ...progress } = work
      world.agenda.bus.publish({ at: world.clock.now(), kind: 'progress', doing, ...progress })
    },
    end: () => void world.longWork.delete(work),
  }
}
