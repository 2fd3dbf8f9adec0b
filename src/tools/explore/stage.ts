import { createCaller } from '../../client/caller.ts'
import type { PetriWorld } from '../../client/kit.ts'
import { createSocketReceivers } from '../../client/receivers.ts'
import { createWorld } from '../../client/world.ts'
import { ownCallHeaders } from '../../kernel/own-calls.ts'
import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'

interface StageOptions {
  readonly worlds: Worlds
  /** Calls this Petri within this process. */
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** The world for whose program histories are played. */
  readonly of: World
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Opens a world for the histories. It signs with the secret of the program's world, and has a key of its own. */
export async function openStage({ worlds, fetch, of, now }: StageOptions): Promise<PetriWorld> {
  const world = await worlds.stage(of, {
    webhookUrl: null,
    seed: 'explore',
    frozen: true,
    now,
    pace: 1,
    scenario: 'manual',
  })
  const { teamId, apiKey, webhookSecret } = world.identity
  // It is called within this process alone.
  const base = () => 'http://localhost'
  return createWorld({
    url: base,
    apiKey,
    webhookSecret,
    teamId,
    caller: createCaller({
      send: async (request) => fetch(request),
      base,
      credentials: { authorization: `Bearer ${apiKey}`, ...ownCallHeaders },
      credentialHeaders: ['authorization'],
    }),
    receivers: createSocketReceivers(),
    noun: 'world',
    async close() {
      const open = worlds.byTeam(teamId)
      if (open) await worlds.drop(open)
    },
  })
}
