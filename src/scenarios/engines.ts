import { didYouMean } from '../kernel/nearest.ts'
import { startInterval } from '../kernel/pause.ts'
import { Problem } from '../kernel/problem.ts'
import type { Persona } from '../people/persona.ts'
import type { Personas } from '../resources/personas/service.ts'
import type { World } from '../world/world.ts'
import { createScenarioEngine, type ScenarioEngine } from './engine.ts'
import { createFeedScenarioEngine } from './feeds/engine.ts'
import type { ScenarioKind } from './kinds.ts'
import type { ScenarioChange } from './own-scenarios.ts'
import {
  openScenarios,
  type RepositoryOptions,
  type ScenarioRepositories,
  type Scenarios,
} from './repository.ts'

interface ScenarioEnginesOptions extends RepositoryOptions {
  /** Called with each change in the folders, which are watched if it is given. */
  readonly onChange?: ((change: ScenarioChange) => void) | undefined
}

/** Scenarios of any kind that all worlds have, until the end of this process. */
export interface SharedScenarios extends Pick<ScenarioRepositories, 'read' | 'share'> {
  /** See `Scenarios.ready`. */
  ready(): Promise<void> | undefined
  /** The names of a kind, shared or not. */
  names(kind: ScenarioKind): readonly string[]
}

/** The engines of both kinds of scenarios, over the bundled files and those of the user's folders. */
export function createScenarioEngines(options: ScenarioEnginesOptions) {
  const { folders = [], onChange } = options
  const repositories = openScenarios(options)
  const { byKind, read, share } = repositories
  const scenarios = createScenarioEngine(byKind.order)
  const sharedScenarios: SharedScenarios = {
    ready: byKind.order.ready,
    names: (kind) => byKind[kind].names(),
    read,
    share,
  }
  return {
    scenarios,
    sharedScenarios,
    feedScenarios: createFeedScenarioEngine(byKind.feed),
    personas: personasOf(byKind.persona),
    /** Returns a function that ends it. */
    watch: (worlds: () => Iterable<World>, reportBug: (error: unknown) => void): (() => void) =>
      onChange && folders.length > 0
        ? watchScenarios({ repositories, engine: scenarios, worlds, onChange, reportBug })
        : () => undefined,
  }
}

function personasOf({ ready, names, all, find }: Scenarios<Persona>): Personas {
  return {
    ready,
    names,
    all,
    get(name, otherwise = 'bad_request') {
      const persona = find(name)
      if (persona) return persona
      throw new Problem(otherwise, `There is no persona "${name}".${didYouMean(name, names())}`)
    },
  }
}

/** Milliseconds between two looks at the files. Polling also sees changes in folders that a container mounts. */
const INTERVAL_MS = 500

interface Watched {
  readonly repositories: Pick<ScenarioRepositories, 'refresh'>
  readonly engine: Pick<ScenarioEngine, 'leaveChanged'>
  worlds(): Iterable<World>
  /** Called with each change. */
  onChange(change: ScenarioChange): void
  reportBug(error: unknown): void
}

/** Reads the user's scenario files again when they change, until the returned function is called. */
function watchScenarios({ repositories, engine, worlds, onChange, reportBug }: Watched): () => void {
  let isLooking = false
  let lost: string | undefined
  const look = async () => {
    const changes = await repositories.refresh(async (replaced) => {
      const names = new Set(replaced.filter(({ kind }) => kind === 'order').map(({ name }) => name))
      const rest: (() => void)[] = []
      if (names.size > 0)
        for (const world of [...worlds()]) rest.push(await engine.leaveChanged(world, names))
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
