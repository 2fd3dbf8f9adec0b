import { allFeatures } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { toIso } from '../../kernel/instant.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { orders } from '../../resources/orders/table.ts'
import { users } from '../../resources/users/table.ts'
import type { Table } from '../../storage/table.ts'
import { messages } from '../../webhooks/table.ts'
import { events } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'
import { describeClock } from '../clock/service.ts'
import { publish } from '../events-stream/publish.ts'
import type { NewWorld, WorldPatch } from './schema.ts'

/** The dependencies of the operations on worlds. */
export interface WorldsParts {
  readonly worlds: Worlds
  /** Default settings of a new world. */
  readonly defaults: { readonly pace: number; readonly scenario: string }
  /** The scenario names of a world; without a world, those of the package and of the user's folders. */
  scenarioNames(world?: World): readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: rows are counted, never looked at.
const counted: Readonly<Record<string, Table<any, any>>> = { users, orders, events, messages }

export function describeWorld(world: World) {
  const { teamId, orgId, name, apiKey, webhookSecret } = world.identity
  const counts = Object.entries(counted).map(([noun, table]) => [noun, world.db.count(table)])
  return {
    team_id: teamId,
    org_id: orgId,
    name,
    api_key: apiKey,
    webhook_secret: webhookSecret,
    seed: world.options.seed,
    scenario: world.settings().scenario,
    clock: describeClock(world),
    features: allFeatures(world),
    counts: Object.fromEntries(counts) as Record<string, number>,
    long_work: [...world.longWork],
    failed_jobs: world.agenda.failures.map(({ at, kind, ...failure }) => ({
      at: toIso(at),
      job: kind,
      ...failure,
    })),
  }
}

/** The list of worlds as text, one by one: there may be thousands. */
export function* writeWorlds(all: readonly World[]): Generator<string> {
  yield '{"data":['
  for (const [at, world] of all.entries()) yield `${at > 0 ? ',' : ''}${JSON.stringify(describeWorld(world))}`
  yield '],"next_cursor":null}'
}

export async function makeWorld(
  { worlds, defaults, scenarioNames }: WorldsParts,
  wanted: Parsed<typeof NewWorld> = {},
) {
  if (wanted.scenario !== undefined) assertKnownScenario(wanted.scenario, scenarioNames())
  return worlds.make({
    name: wanted.name ?? 'Petri',
    seed: wanted.seed ?? '1',
    frozen: wanted.frozen ?? false,
    now: wanted.now ?? null,
    pace: wanted.pace ?? defaults.pace,
    scenario: wanted.scenario ?? defaults.scenario,
    webhookUrl: wanted.webhook_url ?? null,
  })
}

export async function dropWorld({ worlds }: WorldsParts, teamId: string): Promise<void> {
  const world = worlds.byTeam(teamId)
  if (!world) throw new Problem('not_found', `There is no world of team ${teamId}.`)
  publish(world, 'world', { change: 'dropped' })
  await worlds.drop(world)
}

export function patchWorld(
  { scenarioNames }: WorldsParts,
  world: World,
  { scenario, features }: Parsed<typeof WorldPatch>,
): void {
  if (scenario !== undefined) assertKnownScenario(scenario, scenarioNames(world))
  const changed = { ...world.settings().features, ...features }
  const kept = Object.entries(changed).filter(([, value]) => value !== null && value !== undefined)
  world.setSettings({ ...(scenario !== undefined && { scenario }), features: Object.fromEntries(kept) })
}

function assertKnownScenario(name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  throw new Problem('bad_request', `There is no scenario "${name}".${didYouMean(name, known)}`)
}
