import type { OrderScenarios, ScenarioSelection } from '../api/scenarios.ts'
import { badRequest } from '../kernel/problem.ts'
import { Slices } from '../kernel/slices.ts'
import type { World } from '../world/world.ts'
import type { Scenario } from './file.ts'
import { passingThrough } from './passing-through.ts'
import {
  beginOnceReady,
  createWorldScenarios,
  HAPPY_PATH,
  nameFor,
  noScenario,
  type ScenarioRepository,
  type WorldScenarios,
} from './repository.ts'
import {
  BEGIN,
  type BeginData,
  beginScenario,
  followAppointment,
  leaveScenario,
  resumeScenario,
} from './run.ts'
import { orderScenarios, uploadedScenarios, userScenarios } from './table.ts'

/** Chooses and runs the scenarios of orders. */
export interface ScenarioEngine extends OrderScenarios, WorldScenarios<Scenario> {
  /** The scenario with this magic ZIP: an uploaded one, or one of the repository that no uploaded one replaces. */
  byZip(world: World, zip: string): Scenario | undefined
  /** Begins a scenario, from its first step unless another is given by its index. */
  begin(world: World, orderId: string, scenario: string, from?: number): void
  /** Stores a scenario in a world. Orders that follow a scenario of the same name leave it first. */
  upload(world: World, scenario: Scenario): Promise<void>
  /** Removes an uploaded scenario, once no order follows it; `assertRemovable` throws if it must not be. */
  remove(world: World, name: string, assertRemovable: () => void): Promise<void>
  /** Orders that follow scenarios whose files have changed leave them; see `leaveAll`. */
  leaveChanged(world: World, names: ReadonlySet<string>): Promise<() => void>
}

export function createScenarioEngine(repository: ScenarioRepository): ScenarioEngine {
  const scenarios = createWorldScenarios(repository, 'scenario', uploadedScenarios, noScenario)
  const { find, findStored, get, isUploaded } = scenarios
  const byZip = (world: World, zip: string) => {
    for (const uploaded of world.db.all(uploadedScenarios)) {
      if (uploaded.zip === zip) return get(world, uploaded.name)
    }
    const scenario = repository.byZip(zip)
    return scenario && !isUploaded(world, scenario.name) ? scenario : undefined
  }
  const leave = (world: World, orderId: string, because: string) =>
    leaveScenario(world, orderId, because, find)
  return {
    ...scenarios,
    byZip,
    async upload(world, { name, source, zip }) {
      if (world.db.find(uploadedScenarios, name)?.source === source) return
      // No order follows a scenario that is not there yet.
      const isNew = findStored(world, name) === undefined
      if (!isNew) (await leaveAll(world, name, `another ${name} was uploaded`, leave))()
      world.db.put(uploadedScenarios, { name, source, zip: zip ?? null })
    },
    async remove(world, name, assertRemovable) {
      assertRemovable()
      const leaveRest = await leaveAll(world, name, `${name} was removed`, leave)
      leaveRest()
      assertRemovable()
      world.db.delete(uploadedScenarios, name)
    },
    async leaveChanged(world, names) {
      const changed = [...names].filter((name) => !isUploaded(world, name))
      const rest: (() => void)[] = []
      for (const name of changed)
        rest.push(await leaveAll(world, name, `the file of ${name} has changed`, leave))
      return () => {
        for (const leaveRest of rest) leaveRest()
      }
    },
    passingThrough: (world, status, method) =>
      passingThrough(
        status,
        scenarios.all(world).filter((scenario) => scenario.method === method),
      ),
    choose: (world, selection) => chooseScenario(world, selection, scenarios, byZip),
    begin(world, orderId, scenario, from) {
      const begin = () => beginScenario(world, orderId, get(world, scenario), from)
      const data: BeginData = { scenario }
      beginOnceReady(world, repository, begin, { kind: BEGIN, subject: orderId, data: { ...data } })
    },
    resume: (world, orderId, after) => resumeScenario(world, orderId, after, find),
    appointmentChanged: (world, orderId) => followAppointment(world, orderId, find),
    leave,
  }
}

/** Uses the first that is set: the requested name, a magic ZIP, the user's scenario, the world's. */
function chooseScenario(
  world: World,
  { requested, method, zip, userId }: ScenarioSelection,
  scenarios: WorldScenarios<Scenario>,
  byZip: ScenarioEngine['byZip'],
): string {
  if (requested !== undefined) {
    const scenario = scenarios.get(world, requested, method)
    if (scenario.method === method || scenario.steps.length === 0) return scenario.name
    throw badRequest(`The scenario "${requested}" is for ${scenario.method}, and this order is ${method}.`)
  }
  const magic = zip === undefined ? undefined : byZip(world, zip.slice(0, 5))
  if (magic?.method === method) return magic.name
  const defaultName = world.db.find(userScenarios, userId)?.scenario ?? world.settings().scenario
  const usual = scenarios.get(world, defaultName)
  if (usual.method === method || usual.steps.length === 0) return defaultName
  return inMethod(world, defaultName, method, scenarios)
}

/** The equivalent of a scenario for another method: `walk-in-slow-lab` for `slow-lab`, otherwise its happy path. */
function inMethod(
  world: World,
  defaultName: string,
  method: string,
  { find }: WorldScenarios<Scenario>,
): string {
  const names = [defaultName, HAPPY_PATH].map((name) => nameFor(method, name))
  return names.find((name) => find(world, name)?.method === method) ?? 'manual'
}

type LeaveScenario = (world: World, orderId: string, because: string) => void

/**
 * Takes the orders that follow a scenario out of it, in slices. The returned function takes out those that have begun it
 * since; it is called in the turn in which the scenario changes.
 */
async function leaveAll(
  world: World,
  scenario: string,
  because: string,
  leave: LeaveScenario,
): Promise<() => void> {
  const followers = () => world.db.idsBy(orderScenarios, 'follows', scenario)
  const slices = new Slices()
  for (const id of followers()) {
    if (slices.isOver) await slices.next()
    const row = world.db.find(orderScenarios, id)
    if (row?.scenario === scenario && !row.is_over) leave(world, id, because)
  }
  return () => {
    // A world that has left memory since then was not called.
    if (!world.agenda.stopped) for (const id of followers()) leave(world, id, because)
  }
}
