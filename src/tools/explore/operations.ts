import * as z from 'zod'
import { operation } from '../../api/operation.ts'
import { unnamed } from '../../api/schema.ts'
import { type ExplorationDependencies, Explorations } from './explorations.ts'
import { ExplorationInput, ExplorationList, ExplorationView, ReplayInput, ReplayView } from './schema.ts'

const Path = unnamed(() => z.object({ exploration_id: z.string() }))

/** Explorations by the control API. */
export function exploreOperations(dependencies: ExplorationDependencies) {
  const explorations = new Explorations(dependencies)
  return [
    operation({
      id: 'petri_explore',
      route: 'POST /_petri/explore',
      summary: 'Search legal histories for one that breaks the program under test, in a separate world',
      tool: {
        name: 'explore',
        description:
          'Returns at once; get_exploration returns the progress and the findings. The program calls Petri with the returned API key and verifies webhooks with the secret of this world',
      },
      body: ExplorationInput,
      returns: ExplorationView,
      status: 201,
      needsControlToken: true,
      run: (world, { body }) => explorations.start(world, body),
    }),
    operation({
      id: 'petri_explorations',
      route: 'GET /_petri/explore',
      summary: 'List the latest explorations, the newest last',
      returns: ExplorationList,
      run: (world) => ({ data: explorations.list(world) }),
    }),
    operation({
      id: 'petri_exploration_get',
      route: 'GET /_petri/explore/{exploration_id}',
      summary: 'Show the progress of an exploration, its coverage and its findings',
      tool: { name: 'get_exploration' },
      params: Path,
      returns: ExplorationView,
      run: (world, { params: { exploration_id } }) => explorations.get(world, exploration_id),
    }),
    operation({
      id: 'petri_exploration_stop',
      route: 'DELETE /_petri/explore/{exploration_id}',
      summary: 'Stop an exploration; its findings are kept',
      tool: { name: 'stop_exploration' },
      params: Path,
      run: (world, { params: { exploration_id } }) => explorations.stop(world, exploration_id),
    }),
    operation({
      id: 'petri_explore_replay',
      route: 'POST /_petri/explore/replay',
      summary: 'Play the history of a finding again; the finding is null if the program passes now',
      tool: { name: 'replay' },
      body: ReplayInput,
      returns: ReplayView,
      needsControlToken: true,
      run: (world, { body }) => explorations.replay(world, body),
    }),
  ]
}
