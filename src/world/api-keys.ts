import { BASE62, createRandom } from '../kernel/random.ts'
import type { Identity } from './world.ts'

/** A key that opens a world. */
export interface ApiKey {
  readonly id: string
  readonly label: string
  readonly value: string
  /** Milliseconds since 1970, the world's clock; null for the key a world was born with. */
  readonly createdAt: number | null
}

/** Where a team lives, which is what its keys begin with. Source: contract/errors-and-auth.md §1. */
export type Region = 'us' | 'eu'

/** Every key that opens a world, the one it was born with first. */
export const apiKeysOf = (identity: Identity): readonly ApiKey[] => [
  { id: keyId(identity, 0), label: 'Petri', value: identity.apiKey, createdAt: null },
  ...(identity.furtherKeys ?? []),
]

/** A world's identity with one key more, the last; no key is ever made twice, whatever was deleted. */
export function withNewKey(identity: Identity, label: string, prefix: string, now: number): Identity {
  const ordinal = (identity.keysMade ?? 0) + 1
  const letters = keyRandom(identity).letters(`value/${ordinal}`, BASE62, 32)
  const key = { id: keyId(identity, ordinal), label, value: `${prefix}${letters}`, createdAt: now }
  return { ...identity, keysMade: ordinal, furtherKeys: [...(identity.furtherKeys ?? []), key] }
}

const keyId = (identity: Identity, ordinal: number) => keyRandom(identity).uuid(`id/${ordinal}`)

/** Worlds of one seed differ in their keys, so these follow from the team. */
const keyRandom = ({ teamId }: Identity) => createRandom(`petri/api-keys/${teamId}`)
