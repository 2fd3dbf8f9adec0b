import { didYouMean } from '../kernel/nearest.ts'
import { Problem } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'
import type { Scenario } from './file.ts'
import type { ScenarioRepository } from './repository.ts'
import { type UploadedScenario, uploadedScenarios } from './table.ts'

/** The scenarios of a world: those uploaded to it, then those of the repository. */
export interface WorldScenarios {
  names(world?: World): readonly string[]
  find(world: World, name: string): Scenario | undefined
  /** The scenario of this name. Throws an error that names the nearest: `not_found` where it is the subject of the path. */
  get(world: World, name: string, otherwise?: 'bad_request' | 'not_found'): Scenario
  all(world: World): Scenario[]
  /** The scenario with this magic ZIP. */
  byZip(world: World, zip: string): Scenario | undefined
  isUploaded(world: World, name: string): boolean
}

/** The most parsed uploaded scenarios in the cache. */
const MAX_READ = 500

export function createWorldScenarios(repository: ScenarioRepository): WorldScenarios {
  const read = new Map<string, Scenario>()
  const scenarioOf = ({ name, source }: UploadedScenario): Scenario => {
    const known = read.get(source)
    if (known) return known
    const scenario = repository.read(source, name)
    if (read.size >= MAX_READ) read.clear()
    read.set(source, scenario)
    return scenario
  }
  const names = (world?: World) =>
    world
      ? [...new Set([...repository.names(), ...world.db.ids(uploadedScenarios)])].sort()
      : repository.names()
  const find = (world: World, name: string) => {
    const uploaded = world.db.find(uploadedScenarios, name)
    return uploaded ? scenarioOf(uploaded) : repository.find(name)
  }
  const isUploaded = (world: World, name: string) => world.db.has(uploadedScenarios, name)
  return {
    names,
    find,
    get(world, name, otherwise = 'bad_request') {
      const scenario = find(world, name)
      if (scenario) return scenario
      const hint = didYouMean(name, names(world))
      throw new Problem(otherwise, `There is no scenario "${name}".${hint}`)
    },
    all: (world) => names(world).flatMap((name) => find(world, name) ?? []),
    byZip(world, zip) {
      for (const uploaded of world.db.all(uploadedScenarios)) {
        if (uploaded.zip === zip) return scenarioOf(uploaded)
      }
      const scenario = repository.byZip(zip)
      return scenario && !isUploaded(world, scenario.name) ? scenario : undefined
    },
    isUploaded,
  }
}
