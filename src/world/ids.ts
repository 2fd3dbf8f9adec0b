import { CODED_DIGITS, codedUuid, readCodedUuid } from '../kernel/coded-uuid.ts'
import { createRandom, type Random } from '../kernel/random.ts'
import type { WorldOptions } from './settings.ts'

type Seed = Pick<WorldOptions, 'seed' | 'behaviourSeed'>

/** Objects whose behaviour is drawn by their number. */
type DrawnKind = 'appointment' | 'order' | 'raw_result' | 'unmatched_result_test' | 'user'

/** Where the ids and the behaviour of a world come from. */
export interface Sources {
  /** For behaviour: the same in worlds whose seeds differ only after `~`. */
  readonly random: Random
  /** For ids, tokens and numbers that identify. */
  readonly ids: Random
  /** The id of an object by its kind and its number. */
  idOf(kind: string, ordinal: number): string
  /**
   * The key by which an object's behaviour is drawn: the id that it has in the world of the seed without what follows
   * `~`. An id that was given is its own key.
   */
  drawKey(kind: DrawnKind, id: string): string
}

/** The seed with what follows from it: a number after `~` changes ids only. */
export function seedOptions(seed: string): Seed {
  const [, behaviourSeed] = /^(.+?)(?:~\d+)+$/s.exec(seed) ?? []
  return behaviourSeed === undefined ? { seed } : { seed, behaviourSeed }
}

/** A seed with the same behaviour and other ids. */
export const numberedSeed = (seed: string, number: number): string =>
  `${seedOptions(seed).behaviourSeed ?? seed}~${number}`

export function sourcesOf({ seed, behaviourSeed }: Seed): Sources {
  const random = createRandom(behaviourSeed ?? seed)
  const firstIdOf = (kind: string, ordinal: number) => random.uuid(`${kind}/${ordinal}`)
  if (behaviourSeed === undefined) return { random, ids: random, idOf: firstIdOf, drawKey: (_, id) => id }
  const ids = createRandom(seed)
  return {
    random,
    ids,
    idOf: (kind, ordinal) =>
      codedUuid(ids, forObjects(kind), ordinal.toString(16).padStart(CODED_DIGITS, '0')),
    drawKey(kind, id) {
      const digits = readCodedUuid(ids, forObjects(kind), id)
      return digits === undefined ? id : firstIdOf(kind, Number.parseInt(digits, 16))
    },
  }
}

const forObjects = (kind: string) => ({ family: 'object', kind })
