import { Recent } from '../kernel/lru-cache.ts'
import type { World } from '../world/world.ts'
import { EventLog } from './event-log.ts'
import { Lanes } from './keyed-mutex.ts'
import { Signer } from './signature.ts'

export type WallHeaders = Readonly<Record<string, string>>

/** The attempts whose wall-clock headers are remembered: so many at least. */
const MOST_WALL_HEADERS = 2048

/** What is known of a world's deliveries while it is open, and need not outlive it. */
export class Open {
  readonly lanes = new Lanes()
  readonly signer = new Signer()
  readonly log: EventLog
  readonly wallHeaders = new Recent<WallHeaders>(MOST_WALL_HEADERS)
  gone = false

  constructor(world: World, mostEvents: number) {
    this.log = new EventLog(world, mostEvents)
  }
}
