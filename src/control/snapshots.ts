import * as z from 'zod'
import { field } from '../api/fields.ts'
import { valueError } from '../api/issue.ts'
import { operation } from '../api/operation.ts'
import { pageOf } from '../api/pagination.ts'
import { instant, type Parsed, schema, unnamed } from '../api/schema.ts'
import { toIso } from '../kernel/instant.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { conflict, notFound, Problem } from '../kernel/problem.ts'
import { messageOf } from '../kernel/reason.ts'
import { rowsIn } from '../storage/rows.ts'
import { SNAPSHOT_NAME, type SnapshotHead, type SnapshotStore } from '../storage/snapshots.ts'
import { earlierWorkDone } from '../world/earlier-work.ts'
import { beginWork } from '../world/long-work.ts'
import { copyOfWorld } from '../world/restore.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { publish } from './publish.ts'
import { describeWorld, WorldView } from './worlds.ts'

export const Snapshot = schema('PetriSnapshot', () => ({
  name: z.string(),
  /** The time of the world's clock when it was taken. */
  at: instant(),
  frozen: z.boolean(),
  rows: z.int(),
}))

export const Snapshots = schema('PetriSnapshots', () =>
  pageOf(Snapshot()).extend({
    unreadable: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .describe('Snapshots that cannot be read now, which `data` leaves out.'),
  }),
)

const SnapshotPath = unnamed(() => ({
  name: field({ type: 'string', pattern: SNAPSHOT_NAME.source }, (input) =>
    typeof input === 'string' && SNAPSHOT_NAME.test(input)
      ? input
      : valueError('the name of a snapshot has up to 64 lower-case letters, digits, ".", "_" and "-"'),
  ),
}))

export const snapshotOperations = (worlds: Worlds) => [
  operation({
    id: 'petri_snapshots_list',
    route: 'GET /_petri/snapshots',
    summary: 'List the snapshots of this world; a reset keeps them',
    returns: Snapshots,
    async run(world) {
      const { heads, unreadable } = await worlds.snapshotsOf(world).list()
      return { data: heads.map(present), next_cursor: null, unreadable: [...unreadable] }
    },
  }),
  operation({
    id: 'petri_snapshots_put',
    route: 'PUT /_petri/snapshots/{name}',
    summary: 'Save the state of this world under a name; replaces a snapshot of the same name',
    params: SnapshotPath,
    returns: Snapshot,
    async run(world, { params }, { clientSignal }) {
      const signal = clientSignal()
      await earlierWorkDone(world)
      const snapshot = present(await takeSnapshot(worlds, world, params.name, signal))
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
    run: async (world, { params }, { clientSignal }) =>
      describeWorld(await restoreSnapshot(worlds, world, params.name, clientSignal())),
  }),
]

/** The maximum number of snapshots of a world. */
const MAX_SNAPSHOTS = 100

const present = ({ name, at, frozen, rows }: SnapshotHead): Parsed<typeof Snapshot> => ({
  name,
  at: toIso(at),
  frozen,
  rows,
})

export async function takeSnapshot(
  worlds: Worlds,
  world: World,
  name: string,
  signal?: AbortSignal,
): Promise<SnapshotHead> {
  const { tables, at, frozen } = await copyOfWorld(world)
  const store = worlds.snapshotsOf(world)
  const names = await namesIn(store)
  if (names.length >= MAX_SNAPSHOTS && !names.includes(name)) {
    throw conflict(`This world has ${names.length} snapshots; delete one first.`)
  }
  const rows = rowsIn(tables)
  const snapshot = { name, at, frozen, rows, tables }
  const progress = beginWork(world, 'snapshot', { of: rows, signal })
  await store.put(snapshot, progress.add).finally(progress.end)
  return snapshot
}

async function restoreSnapshot(
  worlds: Worlds,
  world: World,
  name: string,
  signal: AbortSignal | undefined,
): Promise<World> {
  const snapshot = await worlds.snapshotsOf(world).find(name).catch(unreadable)
  if (!snapshot) throw await missing(worlds, world, name)
  publish(world, 'world', { change: 'restored', snapshot: name })
  return worlds.restore(world, snapshot, signal)
}

function unreadable(error: unknown): never {
  if (error instanceof Problem) throw error
  throw conflict(`The snapshot cannot be read: ${messageOf(error)}`)
}

async function removeSnapshot(worlds: Worlds, world: World, name: string): Promise<void> {
  if (!(await worlds.snapshotsOf(world).remove(name))) throw await missing(worlds, world, name)
}

async function missing(worlds: Worlds, world: World, name: string): Promise<Problem> {
  const names = await namesIn(worlds.snapshotsOf(world))
  return notFound(`There is no snapshot "${name}".${didYouMean(name, names)}`)
}

async function namesIn(store: SnapshotStore): Promise<string[]> {
  const { heads, unreadable } = await store.list()
  return [...heads, ...unreadable].map(({ name }) => name)
}
