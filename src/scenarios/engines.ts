import { startInterval } from '../kernel/pause.ts'
import type { Persona } from '../people/persona.ts'
import type { World } from '../world/world.ts'
import { createScenarioEngine, type ScenarioEngine } from './engine.ts'
import { createFeedScenarioEngine, type FeedScenarioEngine } from './feed-engine.ts'
import type { ScenarioChange } from './own-scenarios.ts'
import {
  createWorldScenarios,
  openScenarios,
  type RepositoryOptions,
  type ScenarioRepositories,
  type WorldScenarios,
} from './repository.ts'

interface ScenarioEnginesOptions extends RepositoryOptions {
  /** Called with each change in the folders, which are watched if it is given. */
  readonly onChange?: ((change: ScenarioChange) => void) | undefined
}

/** Scenarios of any kind that all worlds have, until the end of this process. */
export type SharedScenarios = Pick<ScenarioRepositories, 'share' | 'refused'>

/** The scenarios of each kind. */
export interface ScenariosByKind {
  readonly order: ScenarioEngine
  readonly feed: FeedScenarioEngine
  readonly persona: WorldScenarios<Persona>
}

/** The engines of both kinds of scenarios, over the bundled files and those of the user's folders. */
export function createScenarioEngines(options: ScenarioEnginesOptions) {
  const { folders = [], onChange } = options
  const repositories = openScenarios(options)
  const { byKind, share, refused } = repositories
  const scenarios = createScenarioEngine(byKind.order)
  const sharedScenarios: SharedScenarios = { share, refused }
  return {
    scenarios,
    sharedScenarios,
    feedScenarios: createFeedScenarioEngine(byKind.feed),
    personas: createWorldScenarios(byKind.persona, 'persona'),
    /** Returns a function that ends it. */
    watch: (eachWorld: EachWorld, reportBug: (error: unknown) => void): (() => void) =>
      onChange && folders.length > 0
        ? watchScenarios({ repositories, engine: scenarios, eachWorld, onChange, reportBug })
        : () => undefined,
  }
}

/** Milliseconds between two looks at the files. Polling also sees changes in folders that a container mounts. */
const INTERVAL_MS = 500

/** Runs an act on each world with orders in scenarios. */
export type EachWorld = <Result>(act: (world: World) => Promise<Result>) => Promise<Result[]>

interface Watched {
  readonly repositories: Pick<ScenarioRepositories, 'refresh'>
  readonly engine: Pick<ScenarioEngine, 'leaveChanged'>
  readonly eachWorld: EachWorld
  /** Called with each change. */
  onChange(change: ScenarioChange): void
  reportBug(error: unknown): void
}

/** Reads the user's scenario files again when they change, until the returned function is called. */
function watchScenarios({ repositories, engine, eachWorld, onChange, reportBug }: Watched): () => void {
  let isLooking = false
  let lost: string | undefined
  const look = async () => {
    const changes = await repositories.refresh(async (replaced) => {
      const names = new Set(replaced.filter(({ kind }) => kind === 'order').map(({ name }) => name))
      const rest = names.size > 0 ? await eachWorld((world) => engine.leaveChanged(world, names)) : []
      return () => {
        for (const leaveRest of rest) leaveRest()
      }
    })
    lost = undefined
    for (const change of changes) onChange(change)
  }
  return startInterval(INTERVAL_MS, () => {
    if (isLooking) return
    isLooking = true
    look()
      .catch((error: Error) => {
        // The folder itself is gone or cannot be read: reported once.
        if (error.message !== lost) reportBug(error)
        lost = error.message
      })
      .finally(() => {
        isLooking = false
      })
  })
}
