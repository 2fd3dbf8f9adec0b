import { writeRedacted } from '../../api/secrets.ts'
import { toIso } from '../../kernel/instant.ts'
import { inNextTurn } from '../../kernel/pause.ts'
import type { Effect } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { describeClock } from '../clock.ts'
import { secretsOf } from '../requests.ts'

/** The number of effects kept for clients that reconnect. */
const MAX_REMEMBERED = 1000

/** An effect as text of the stream. */
export interface WrittenEffect {
  readonly kind: string
  readonly text: string
}

export interface StreamReader {
  /** Called with the effects of one turn of the event loop. */
  onEffects(effects: readonly WrittenEffect[], all: Uint8Array): void
  onEnd(): void
}

/** Serialises each effect of a world once for all clients of its stream; each turn of the event loop makes one chunk. */
export class Broadcast {
  readonly #world: World
  /** Identifies this opening of the world; ordinals of an earlier opening are not valid. */
  readonly #opening: string
  readonly #readers = new Set<StreamReader>()
  readonly #encoder = new TextEncoder()
  #latest: Effect[] = []
  /** The ordinal of the last effect. */
  #count = 0
  /** The number of the latest effects that are not sent yet. */
  #unsent = 0
  #isFlushing = false
  #publishedTime = 0
  #unsubscribe: (() => void) | undefined

  constructor(world: World, opening: string) {
    this.#world = world
    this.#opening = opening
  }

  get readers(): number {
    return this.#readers.size
  }

  get lastId(): string {
    return `${this.#opening}-${this.#count - this.#unsent}`
  }

  /** The effects after the last id a client has seen; undefined if that is not kept any more. */
  since(id: string): readonly WrittenEffect[] | undefined {
    const [opening, ordinal] = id.split('-')
    const missed = this.#count - Number(ordinal)
    if (opening !== this.#opening || !(missed >= this.#unsent && missed <= this.#latest.length))
      return undefined
    return this.#serialise(missed, missed - this.#unsent)
  }

  /** Adds a reader. Returns a function that removes it. */
  add(reader: StreamReader): () => void {
    if (this.#readers.size === 0) this.#unsent = 0
    this.#readers.add(reader)
    this.#publishedTime = this.#world.clock.now()
    this.#unsubscribe ??= this.#world.agenda.bus.subscribe({
      onEffect: (effect) => this.#onEffect(effect),
      onEnd: () => this.#end(),
      isAwaited: () => this.#readers.size > 0,
    })
    return () => void this.#readers.delete(reader)
  }

  #onEffect(effect: Effect): void {
    this.#count++
    this.#unsent++
    this.#latest.push(effect)
    if (this.#readers.size > 0) this.#flushSoon()
    else if (this.#unsent > MAX_REMEMBERED) this.#forget()
  }

  /** Drops the kept effects; a client that reconnects has to read everything again. */
  #forget(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#latest = []
    this.#unsent = 0
    this.#count += MAX_REMEMBERED
  }

  #flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    inNextTurn(() => {
      this.#isFlushing = false
      this.#flush()
    })
  }

  #flush(): void {
    this.#publishClock()
    const effects = this.#serialise(this.#unsent, this.#unsent)
    this.#unsent = 0
    if (this.#latest.length > 2 * MAX_REMEMBERED) this.#latest = this.#latest.slice(-MAX_REMEMBERED)
    if (effects.length === 0) return
    const all = this.#encoder.encode(effects.map(({ text }) => text).join(''))
    for (const reader of [...this.#readers]) reader.onEffects(effects, all)
  }

  /** Publishes the new time after an advance, in addition to its effects. */
  #publishClock(): void {
    const { clock } = this.#world
    const now = clock.now()
    if (!clock.frozen || now === this.#publishedTime) return
    this.#publishedTime = now
    this.#latest.push({ at: now, kind: 'clock', ...describeClock(this.#world) })
    this.#count++
    this.#unsent++
  }

  /** `length` effects; the first is `back` effects before the end. */
  #serialise(back: number, length: number): WrittenEffect[] {
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
