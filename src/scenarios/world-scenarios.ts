import { didYouMean } from '../kernel/nearest.ts'
import { Problem } from '../kernel/problem.ts'
import { Slices } from '../kernel/slices.ts'
import type { Table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { Scenarios } from './repository.ts'

/** The scenarios of one kind in a world: those uploaded to it, then those of the repository. */
export interface WorldScenarios<Kind> extends Pick<Scenarios<Kind>, 'ready' | 'read'> {
  /** All scenarios of a world; without a world, those of the repository. */
  names(world?: World): readonly string[]
  /** Must not be called for a known name before `ready`. */
  find(world: World, name: string): Kind | undefined
  /** The scenario of this name. Throws an error that names the nearest: `not_found` where it is the subject of the path. */
  get(world: World, name: string, otherwise?: 'bad_request' | 'not_found'): Kind
  /** All scenarios of a world, parsed in slices. */
  all(world: World): Promise<Kind[]>
  /** Throws for a name that `get` would not find, without parsing the scenario. */
  assertKnown(world: World, name: string): void
  isUploaded(world: World, name: string): boolean
  assertUploaded(world: World, name: string): void
}

/** The most parsed uploaded scenarios in the cache. */
const MAX_READ = 500

export function createWorldScenarios<
  Kind,
  Uploaded extends { readonly name: string; readonly source: string },
>(
  repository: Scenarios<Kind>,
  uploads: Table<Uploaded>,
  noun: 'scenario' | 'feed scenario',
): WorldScenarios<Kind> {
  const parsed = new Map<string, Kind>()
  const parse = ({ name, source }: Uploaded): Kind => {
    const known = parsed.get(source)
    if (known) return known
    const scenario = repository.read(source, name)
    if (parsed.size >= MAX_READ) parsed.clear()
    parsed.set(source, scenario)
    return scenario
  }
  const names = (world?: World) =>
    world ? [...new Set([...repository.names(), ...world.db.ids(uploads)])].sort() : repository.names()
  const find = (world: World, name: string) => {
    const uploaded = world.db.find(uploads, name)
    return uploaded ? parse(uploaded) : repository.find(name)
  }
  const unknown = (world: World, name: string, kind: 'bad_request' | 'not_found') =>
    new Problem(kind, `There is no ${noun} "${name}".${didYouMean(name, names(world))}`)
  const isUploaded = (world: World, name: string) => world.db.has(uploads, name)
  return {
    ready: repository.ready,
    read: repository.read,
    names,
    find,
    get(world, name, otherwise = 'bad_request') {
      const scenario = find(world, name)
      if (!scenario) throw unknown(world, name, otherwise)
      return scenario
    },
    async all(world) {
      const found: Kind[] = []
      const slices = new Slices()
      for (const name of names(world)) {
        const scenario = find(world, name)
        if (scenario) found.push(scenario)
        if (slices.isOver) await slices.next()
      }
      return found
    },
    assertKnown(world, name) {
      if (!names(world).includes(name)) throw unknown(world, name, 'bad_request')
    },
    isUploaded,
    assertUploaded(world, name) {
      if (isUploaded(world, name)) return
      if (!repository.names().includes(name)) throw unknown(world, name, 'not_found')
      throw new Problem('conflict', `The ${noun} "${name}" was not uploaded and cannot be removed.`)
    },
  }
}
