import { createCaller } from '../../client/caller.ts'
import type { PetriWorld } from '../../client/kit.ts'
import { createSocketReceivers } from '../../client/receivers.ts'
import { createWorld } from '../../client/world.ts'
import type { Identity } from '../../world/settings.ts'
import type { Worlds } from '../../world/worlds.ts'

interface StageOptions {
  readonly worlds: Worlds
  /** Calls this Petri within this process. */
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** The world for whose program histories are played. */
  readonly of: Identity
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The key of the world in which the histories for the program of a world are played. */
export const stageKeyOf = (apiKey: string): string => `${apiKey}_explore`

/** Opens a world for the histories. It signs with the secret of the program's world, and has a key of its own. */
export async function openStage({ worlds, fetch, of, now }: StageOptions): Promise<PetriWorld> {
  const apiKey = stageKeyOf(of.apiKey)
  // Of a Petri that was killed meanwhile.
  const left = worlds.byKey(apiKey)
  if (left) await worlds.drop(left)
  const world = await worlds.make({
    name: `${of.name}: explore`,
    apiKey,
    webhookSecret: of.webhookSecret,
    webhookUrl: null,
    seed: 'explore',
    frozen: true,
    now,
    pace: 1,
    scenario: 'manual',
  })
  const { teamId } = world.identity
  // It is called within this process alone.
  const base = () => 'http://localhost'
  return createWorld({
    url: base,
    apiKey,
    webhookSecret: of.webhookSecret,
    teamId,
    caller: createCaller({
      send: async (request) => fetch(request),
      base,
      credentials: { authorization: `Bearer ${apiKey}` },
      credentialHeaders: ['authorization'],
    }),
    receivers: createSocketReceivers(),
    async close() {
      const open = worlds.byTeam(teamId)
      if (open) await worlds.drop(open)
    },
  })
}
