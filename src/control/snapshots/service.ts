import type { Parsed } from '../../api/schema.ts'
import { toIso } from '../../kernel/instant.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { messageOf } from '../../kernel/reason.ts'
import { rowsIn } from '../../storage/rows.ts'
import type { SnapshotHead } from '../../storage/snapshots.ts'
import { beginWork } from '../../world/long-work.ts'
import { copyOfWorld } from '../../world/restore.ts'
import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'
import { publish } from '../events-stream/publish.ts'
import type { Snapshot } from './schema.ts'

/** The maximum number of snapshots of a world. */
const MAX_SNAPSHOTS = 100

export const present = ({ name, at, frozen, rows }: SnapshotHead): Parsed<typeof Snapshot> => ({
  name,
  at: toIso(at),
  frozen,
  rows,
})

export async function takeSnapshot(worlds: Worlds, world: World, name: string): Promise<SnapshotHead> {
  const { tables, at, frozen } = await copyOfWorld(world)
  const store = worlds.snapshotsOf(world)
  const names = (await store.list()).map((head) => head.name)
  if (names.length >= MAX_SNAPSHOTS && !names.includes(name)) {
    throw new Problem('conflict', `This world has ${names.length} snapshots; delete one first.`)
  }
  const rows = rowsIn(tables)
  const snapshot = { name, at, frozen, rows, tables }
  const progress = beginWork(world, 'snapshot', rows)
  await store.put(snapshot, progress.add).finally(progress.end)
  return snapshot
}

export async function restoreSnapshot(worlds: Worlds, world: World, name: string): Promise<World> {
  const snapshot = await worlds.snapshotsOf(world).find(name).catch(unreadable)
  if (!snapshot) throw await missing(worlds, world, name)
  publish(world, 'world', { change: 'restored', snapshot: name })
  return worlds.restore(world, snapshot)
}

function unreadable(error: unknown): never {
  if (error instanceof Problem) throw error
  throw new Problem('conflict', `The snapshot cannot be read: ${messageOf(error)}`)
}

export async function removeSnapshot(worlds: Worlds, world: World, name: string): Promise<void> {
  if (!(await worlds.snapshotsOf(world).remove(name))) throw await missing(worlds, world, name)
}

async function missing(worlds: Worlds, world: World, name: string): Promise<Problem> {
  const names = (await worlds.snapshotsOf(world).list()).map((head) => head.name)
  return new Problem('not_found', `There is no snapshot "${name}".${didYouMean(name, names)}`)
}
