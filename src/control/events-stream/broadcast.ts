import { writeRedacted } from '../../api/secrets.ts'
import { toIso } from '../../kernel/instant.ts'
import type { Effect } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { describeClock } from '../clock/service.ts'
import { secretsOf } from '../requests/service.ts'

/** How many happenings a reader that comes back may have missed. */
const MAX_REMEMBERED = 1000

/** A happening as the stream shows it. */
export interface WrittenEffect {
  readonly kind: string
  readonly text: string
}

export interface StreamReader {
  /** Given what has happened in this turn of the event loop. */
  onEffects(effects: readonly WrittenEffect[], all: Uint8Array): void
  onEnd(): void
}

/** Writes each happening of a world once for all who read its stream, in one piece for each turn of the event loop. */
export class Broadcast {
  readonly #world: World
  /** Tells this opening of the world from another, whose ordinals mean something else. */
  readonly #opening: string
  readonly #readers = new Set<StreamReader>()
  readonly #encoder = new TextEncoder()
  #latest: Effect[] = []
  /** Ordinal of the last happening. */
  #count = 0
  /** How many of the latest nobody was given. */
  #fresh = 0
  #isFlushing = false
  #clockTold = 0
  #unsubscribe: (() => void) | undefined

  constructor(world: World, opening: string) {
    this.#world = world
    this.#opening = opening
  }

  get readers(): number {
    return this.#readers.size
  }

  get lastId(): string {
    return `${this.#opening}-${this.#count - this.#fresh}`
  }

  /** What happened after the id a reader saw last; undefined when that is not known any more. */
  since(id: string): readonly WrittenEffect[] | undefined {
    const [opening, ordinal] = id.split('-')
    const missed = this.#count - Number(ordinal)
    if (opening !== this.#opening || !(missed >= this.#fresh && missed <= this.#latest.length))
      return undefined
    return this.#written(missed, missed - this.#fresh)
  }

  /** Answers a function that takes the reader out again. */
  add(reader: StreamReader): () => void {
    if (this.#readers.size === 0) this.#fresh = 0
    this.#readers.add(reader)
    this.#clockTold = this.#world.clock.now()
    this.#unsubscribe ??= this.#world.agenda.bus.subscribe({
      onEffect: (effect) => this.#told(effect),
      onEnd: () => this.#end(),
    })
    return () => void this.#readers.delete(reader)
  }

  #told(effect: Effect): void {
    this.#count++
    this.#fresh++
    this.#latest.push(effect)
    if (this.#readers.size > 0) this.#flushSoon()
    else if (this.#fresh > MAX_REMEMBERED) this.#forget()
  }

  /** Whoever comes back now has missed too much anyway. */
  #forget(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#latest = []
    this.#fresh = 0
    this.#count += MAX_REMEMBERED
  }

  #flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => {
      this.#isFlushing = false
      this.#flush()
    })
  }

  #flush(): void {
    this.#tellClock()
    const effects = this.#written(this.#fresh, this.#fresh)
    this.#fresh = 0
    if (this.#latest.length > 2 * MAX_REMEMBERED) this.#latest = this.#latest.slice(-MAX_REMEMBERED)
    if (effects.length === 0) return
    const all = this.#encoder.encode(effects.map(({ text }) => text).join(''))
    for (const reader of [...this.#readers]) reader.onEffects(effects, all)
  }

  /** A clock that was moved is told beside what happened on the way. */
  #tellClock(): void {
    const { clock } = this.#world
    const now = clock.now()
    if (!clock.frozen || now === this.#clockTold) return
    this.#clockTold = now
    this.#latest.push({ at: now, kind: 'clock', ...describeClock(this.#world) })
    this.#count++
    this.#fresh++
  }

  /** So many from so far back. */
  #written(back: number, length: number): WrittenEffect[] {
    const start = this.#latest.length - back
    const secrets = secretsOf(this.#world)
    return this.#latest.slice(start, start + length).map(({ at, kind, ...what }, index) => {
      const data = writeRedacted({ at: toIso(at), kind, ...what }, secrets)
      const id = `${this.#opening}-${this.#count - back + index + 1}`
      return { kind, text: `id: ${id}\nevent: ${kind}\ndata: ${data}\n\n` }
    })
  }

  #end(): void {
    this.#flush()
    for (const reader of [...this.#readers]) reader.onEnd()
  }
}
