import { BASE62, createRandom } from '../kernel/random.ts'
import type { ApiKey, Identity } from './settings.ts'

/** All API keys of a world; the first is the one it was created with. */
export const apiKeysOf = (identity: Identity): readonly ApiKey[] => [
  { id: keyId(identity, 0), label: 'Petri', value: identity.apiKey, createdAt: null },
  ...(identity.furtherKeys ?? []),
]

/** The identity with a new key as the last one. The value of a deleted key is never used again. */
export function withNewKey(identity: Identity, label: string, prefix: string, now: number): Identity {
  const ordinal = (identity.keysMade ?? 0) + 1
  const letters = keyRandom(identity).letters(`value/${ordinal}`, BASE62, 32)
  const key = { id: keyId(identity, ordinal), label, value: `${prefix}${letters}`, createdAt: now }
  return { ...identity, keysMade: ordinal, furtherKeys: [...(identity.furtherKeys ?? []), key] }
}

const keyId = (identity: Identity, ordinal: number) => keyRandom(identity).uuid(`id/${ordinal}`)

/** Derived from the team id, because worlds of one seed must have different keys. */
const keyRandom = ({ teamId }: Identity) => createRandom(`petri/api-keys/${teamId}`)
