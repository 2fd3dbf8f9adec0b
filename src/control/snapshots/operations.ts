import { operation } from '../../api/operation.ts'
import { earlierWorkDone } from '../../world/earlier-work.ts'
import type { Worlds } from '../../world/worlds.ts'
import { publish } from '../events-stream/publish.ts'
import { describeWorld, WorldView } from '../worlds.ts'
import { Snapshot, SnapshotPath, Snapshots } from './schema.ts'
import { present, removeSnapshot, restoreSnapshot, takeSnapshot } from './service.ts'

export const snapshotOperations = (worlds: Worlds) => [
  operation({
    id: 'petri_snapshots_list',
    route: 'GET /_petri/snapshots',
    summary: 'List the snapshots of this world; a reset keeps them',
    returns: Snapshots,
    run: async (world) => ({
      data: (await worlds.snapshotsOf(world).list()).map(present),
      next_cursor: null,
    }),
  }),
  operation({
    id: 'petri_snapshots_put',
    route: 'PUT /_petri/snapshots/{name}',
    summary: 'Save the state of this world under a name; replaces a snapshot of the same name',
    params: SnapshotPath,
    returns: Snapshot,
    async run(world, { params }) {
      await earlierWorkDone(world)
      const snapshot = present(await takeSnapshot(worlds, world, params.name))
      publish(world, 'snapshot', { name: params.name, change: 'saved' })
      return snapshot
    },
  }),
  operation({
    id: 'petri_snapshots_delete',
    route: 'DELETE /_petri/snapshots/{name}',
    summary: 'Delete a snapshot',
    params: SnapshotPath,
    async run(world, { params }) {
      await removeSnapshot(worlds, world, params.name)
      publish(world, 'snapshot', { name: params.name, change: 'deleted' })
    },
  }),
  operation({
    id: 'petri_snapshots_restore',
    route: 'POST /_petri/snapshots/{name}/restore',
    summary: 'Restore a snapshot, including the clock and the sequence of ids',
    params: SnapshotPath,
    returns: WorldView,
    run: async (world, { params }) => describeWorld(await restoreSnapshot(worlds, world, params.name)),
  }),
]
