import * as z from 'zod'
import { BASE62, createRandom } from '../kernel/random.ts'
import { count, instantMs, type RowOf, table } from '../storage/table.ts'
import { histories, teamKinds } from './choices.ts'

/** The regions of teams; part of the prefix of their keys. Source: docs/contract/errors.md#keys. */
export type Region = NonNullable<Identity['region']>

/** The ids, names and keys of a world; a reset keeps them. */
const identity = () =>
  z.object({
    teamId: z.string(),
    orgId: z.string(),
    name: z.string(),
    /** The key the world was created with. */
    apiKey: z.string(),
    webhookSecret: z.string(),
    /** Keys created later. */
    furtherKeys: z.array(apiKey()).exactOptional(),
    /** The number of keys ever created, including deleted ones. */
    keysMade: count().exactOptional(),
    /** `us` by default. */
    region: z.enum(['us', 'eu']).exactOptional(),
    /** The customer's own id of the team. */
    integrationTeamId: z.string().nullable().exactOptional(),
    /** By the world's clock. */
    createdAt: instantMs().exactOptional(),
  })

const apiKey = () =>
  z.object({
    id: z.string(),
    label: z.string(),
    value: z.string(),
    /** By the world's clock; null for the key a world was made with. */
    createdAt: instantMs().nullable(),
  })

/** The options of a new world, which a reset restores. */
const options = () =>
  z.object({
    seed: z.string(),
    frozen: z.boolean(),
    /** The initial time; null for the wall clock. */
    now: instantMs().nullable(),
    pace: z.number(),
    scenario: z.string(),
    webhookUrl: z.string().nullable(),
    like: z.enum(teamKinds).nullable().exactOptional(),
    /** Sets the feature `adopt_users`. */
    adoptUsers: z.boolean().exactOptional(),
    /** Sets the feature `history`. */
    history: z.enum(histories).exactOptional(),
  })

/** The settings of a world that can be changed, and the options it was created with; one row. */
export const settings = table(
  'world',
  () =>
    z.object({
      identity: identity(),
      options: options(),
      /** How many times as fast as the clock scenario time passes in a live world. */
      pace: z.number(),
      /** The default scenario of orders. */
      scenario: z.string(),
      /** The team of the live service whose defaults it has. */
      like: z.enum(teamKinds).nullable().exactOptional(),
      /** Those that were set. */
      features: z.record(z.string(), z.unknown()),
    }),
  ({ identity: { teamId } }) => teamId,
)
export type Settings = RowOf<typeof settings>
export type Identity = Settings['identity']
export type WorldOptions = Settings['options']
export type ApiKey = NonNullable<Identity['furtherKeys']>[number]

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
