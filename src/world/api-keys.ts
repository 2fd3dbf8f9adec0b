import { BASE62, createRandom } from '../kernel/random.ts'
import type { ApiKey, Identity } from './identity.ts'

/** Every key that opens a world, the one it was made with first. */
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
