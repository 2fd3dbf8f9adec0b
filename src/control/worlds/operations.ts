import { operation } from '../../api/operation.ts'
import { jsonOf } from '../../api/responses.ts'
import type { Parsed } from '../../api/schema.ts'
import { publish } from '../events-stream/publish.ts'
import { NewWorld, Reset, World, WorldPatch, WorldPath, Worlds } from './schema.ts'
import { describeWorld, dropWorld, makeWorld, patchWorld, type WorldsParts, writeWorlds } from './service.ts'

/** Operations on all worlds; they need the control token. */
export const worldsOperations = (parts: WorldsParts) => [
  operation({
    id: 'petri_worlds_list',
    route: 'GET /_petri/worlds',
    summary: 'List the worlds',
    access: 'control',
    returns: Worlds,
    run: () => jsonOf<Parsed<typeof Worlds>>(writeWorlds(parts.worlds.all())),
  }),
  operation({
    id: 'petri_worlds_make',
    route: 'POST /_petri/worlds',
    summary: 'Create a world with its own key',
    access: 'control',
    body: NewWorld,
    bodyOptional: true,
    returns: World,
    status: 201,
    run: async (_, { body }) => describeWorld(await makeWorld(parts, body)),
  }),
  operation({
    id: 'petri_worlds_drop',
    route: 'DELETE /_petri/worlds/{team_id}',
    summary: 'Delete a world and all its data',
    access: 'control',
    params: WorldPath,
    run: (_, { params }) => dropWorld(parts, params.team_id),
  }),
]

/** Operations on the world of the API key. */
export const worldOperations = (parts: WorldsParts) => [
  operation({
    id: 'petri_world_get',
    route: 'GET /_petri/world',
    summary: 'Describe this world',
    tool: {
      name: 'get_world',
      description: 'Its API key, webhook secret, clock, default scenario, features, and how much is in it',
    },
    returns: World,
    run: (world) => describeWorld(world),
  }),
  operation({
    id: 'petri_world_patch',
    route: 'PATCH /_petri/world',
    summary: 'Set the default scenario and features',
    body: WorldPatch,
    returns: World,
    run(world, { body }) {
      patchWorld(parts, world, body)
      publish(world, 'settings', { ...body })
      return describeWorld(world)
    },
  }),
  operation({
    id: 'petri_reset',
    route: 'POST /_petri/reset',
    summary: 'Put this world back to its first state, or to that of another seed',
    tool: { name: 'reset_world', description: 'All its data go' },
    body: Reset,
    bodyOptional: true,
    returns: World,
    async run(world, { body }) {
      publish(world, 'world', { change: 'reset' })
      return describeWorld(await parts.worlds.reset(world, body?.seed))
    },
  }),
]
