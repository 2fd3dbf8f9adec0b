import { operation } from '../../api/operation.ts'
import type { AnyTable } from '../../storage/table.ts'
import { earlierWorkDone } from '../../world/earlier-work.ts'
import type { Worlds } from '../../world/worlds.ts'
import { publish } from '../events-stream/publish.ts'
import { describeWorld, WorldView } from '../worlds.ts'
import { documentReader } from './read-document.ts'
import { State, StateInput } from './schema.ts'
import { exportState, readState } from './service.ts'

/** The largest world that can be imported, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024 * 1024

export const stateOperations = (worlds: Worlds, tables: readonly AnyTable[]) => [
  operation({
    id: 'petri_state_get',
    route: 'GET /_petri/state',
    summary: 'Export this world as one document without secrets',
    returns: State,
    async run(world) {
      await earlierWorkDone(world)
      return exportState(world, worlds.organisation.db)
    },
  }),
  operation({
    id: 'petri_state_put',
    route: 'PUT /_petri/state',
    summary: 'Replace this world with an exported one; team, keys and secrets stay',
    body: StateInput,
    maxBodyBytes: MAX_BYTES,
    readBody: documentReader(tables),
    returns: WorldView,
    async run(world, { body }) {
      const state = await readState(world, body)
      publish(world, 'world', { change: 'imported' })
      return describeWorld(await worlds.restore(world, state))
    },
  }),
]
