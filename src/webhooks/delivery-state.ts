import QuickLRU from 'quick-lru'
import type { World } from '../world/world.ts'
import { KeyedMutex } from './keyed-mutex.ts'
import { EventLog } from './log.ts'
import { RateLimiter } from './rate-limiter.ts'
import { ReplyTimeouts } from './reply-timeouts.ts'
import { Signer } from './signature.ts'

export type WallHeaders = Readonly<Record<string, string>>

/** The most attempts whose wall-clock headers are remembered. */
const MAX_WALL_HEADERS = 2048

/** A world's deliveries while it is open; nothing of it is stored. */
export class DeliveryState {
  /** One delivery at a time per endpoint. */
  readonly mutex = new KeyedMutex()
  readonly rateLimiter = new RateLimiter()
  readonly timeouts = new ReplyTimeouts()
  readonly signer = new Signer()
  readonly log: EventLog
  readonly wallHeaders = new QuickLRU<string, WallHeaders>({ maxSize: MAX_WALL_HEADERS })
  /** Resolves when every attempt before is settled: in a frozen world attempts are settled in the order they were due. */
  settled: Promise<unknown> = Promise.resolve()
  /** Whether the world was dropped, reset or closed. */
  closed = false

  constructor(world: World) {
    this.log = new EventLog(world)
  }
}
