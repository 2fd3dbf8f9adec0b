import * as z from 'zod'
import { BASE62, createRandom } from '../kernel/random.ts'
import { instantMs, type RowOf, table } from '../storage/table.ts'
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
    /** Keys that were replaced or deleted. They open no other world. */
    retiredKeys: z.array(z.string()).exactOptional(),
    /** Whether a start created it after the first world of the folder was deleted. */
    isFirst: z.boolean().exactOptional(),
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
    /** The seed of behaviour, if `seed` is that of ids only. */
    behaviourSeed: z.string().exactOptional(),
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
  {
    id: createRandom(`petri/api-keys/${identity.teamId}`).uuid('id/0'),
    label: 'Petri',
    value: identity.apiKey,
    createdAt: null,
  },
  ...(identity.furtherKeys ?? []),
]

/** An identity with other keys; those that it no longer has become retired. */
export function withKeys(
  identity: Identity,
  keys: Pick<Identity, 'apiKey'> | Pick<Identity, 'furtherKeys'>,
): Identity {
  const changed = { ...identity, ...keys }
  const current = apiKeysOf(changed).map(({ value }) => value)
  const known = new Set([...(identity.retiredKeys ?? []), ...apiKeysOf(identity).map(({ value }) => value)])
  return { ...changed, retiredKeys: [...known].filter((key) => !current.includes(key)) }
}

/** A further key of a team, with a number that no other key of the folder has. It follows from secrets of the team, so that the team's id does not tell it. */
export function newApiKey(
  { teamId, apiKey, webhookSecret }: Identity,
  { number, label, prefix, now }: { number: number; label: string; prefix: string; now: number },
): ApiKey {
  const random = createRandom(`petri/api-keys/${teamId}/${number}/${apiKey}/${webhookSecret}`)
  const value = `${prefix}${random.letters('value', BASE62, 32)}`
  return { id: random.uuid('id'), label, value, createdAt: now }
}
