import * as z from 'zod'
import {
  allFeatures,
  type FeatureName,
  type Features,
  featureNames,
  features,
  teamProfiles,
} from '../api/features.ts'
import { boolean, oneOf } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { pageOf } from '../api/pagination.ts'
import { jsonOf, listOf } from '../api/responses.ts'
import { type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { filterFields, withoutUndefined } from '../kernel/fields.ts'
import { toIso } from '../kernel/instant.ts'
import { conflict, orNotFound } from '../kernel/problem.ts'
import { orders } from '../resources/orders/table.ts'
import { users } from '../resources/users/table.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import { addEndpoint, assertNumberOfEndpoints, listEndpoints } from '../webhooks/endpoints.ts'
import { receiverUrl } from '../webhooks/fields.ts'
import { SECRET_PATTERN } from '../webhooks/signature.ts'
import { messages } from '../webhooks/table.ts'
import { histories, teamKinds } from '../world/choices.ts'
import { events } from '../world/events.ts'
import { type WorldOptions, withKeys } from '../world/settings.ts'
import type { World, WorldOutline } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { Clock, describeClock, pace, patchClock } from './clock.ts'
import { instant, seed } from './fields.ts'
import { publish } from './publish.ts'

/** An object shape with one field for each feature. */
const forEachFeature = <Field extends z.ZodType>(build: (name: FeatureName) => Field) =>
  Object.fromEntries(featureNames.map((name) => [name, build(name)])) as Record<FeatureName, Field>

const FeatureValues = schema('PetriFeatures', () =>
  z.object(
    forEachFeature((name) => {
      const { kind, summary } = features[name]
      return (kind === 'boolean' ? z.boolean() : z.enum(kind)).describe(summary) as z.ZodType
    }) as { [Name in FeatureName]: z.ZodType<Features[Name]> },
  ),
)

export const WorldView = schema('PetriWorld', () => ({
  team_id: z.uuid(),
  org_id: z.uuid(),
  name: z.string(),
  api_key: z.string(),
  webhook_secret: z.string(),
  seed: z.string(),
  scenario: z.string(),
  like: z
    .enum(teamKinds)
    .nullable()
    .describe('The team of the live service whose scenario, pace and features it has where none were set.'),
  clock: Clock(),
  features: FeatureValues(),
  counts: z.record(z.string(), z.int()),
  long_work: z
    .array(
      z.object({
        kind: z.enum(['export', 'import', 'snapshot', 'restore']),
        rows: z.int().describe('How many rows are done.'),
        of: z.int().nullable(),
      }),
    )
    .describe('Running long operations.'),
  failed_jobs: z
    .array(z.object({ at: z.string(), job: z.string(), subject: z.string(), detail: z.string() }))
    .describe('Jobs that failed because of a bug in Petri, and are not run again.'),
}))

export const WorldList = schema('PetriWorlds', () => pageOf(WorldView()))

const NewWorld = schema('PetriNewWorld', () =>
  z.strictObject({
    name: z.string().trim().min(1).max(200).optional(),
    seed: seed().optional(),
    frozen: boolean().optional(),
    now: instant().optional(),
    scenario: z.string().optional(),
    webhook_url: receiverUrl().nullish(),
    webhook_secret: z.string().regex(SECRET_PATTERN).optional(),
    pace: pace().optional(),
    like: oneOf(teamKinds).nullish(),
    history: oneOf(histories).optional(),
  }),
)

/** Null restores the default of a feature. */
export const FeaturePatch = schema('PetriFeaturePatch', () =>
  z.strictObject(
    forEachFeature((name) => {
      const { kind, summary } = features[name]
      const field: z.ZodType<boolean | string | null | undefined> = (
        kind === 'boolean' ? boolean() : oneOf(kind)
      ).nullish()
      return field.describe(summary)
    }),
  ),
)

const WorldPatch = schema('PetriWorldPatch', () =>
  z.strictObject({
    scenario: z.string().optional(),
    like: oneOf(teamKinds)
      .nullish()
      .describe('Also sets the scenario and pace of that team; null restores the defaults of Petri.'),
    features: FeaturePatch().optional(),
    api_key: z
      .string()
      .regex(/^\S{1,200}$/, 'should be one word')
      .optional()
      .describe('Replaces the API key of this world; the old one stops working.'),
  }),
)

const Reset = schema('PetriReset', () =>
  z.strictObject({
    seed: seed().optional(),
    keep_endpoints: boolean()
      .optional()
      .describe('Whether webhook endpoints that were added since the world was created stay.'),
    new_ids: boolean()
      .optional()
      .describe(
        'Whether ids differ from those before the reset; by default only in a live world without a given seed.',
      ),
  }),
)

const ResetWorld = schema('PetriResetWorld', () =>
  WorldView().extend({
    removed_endpoints: texts().describe('The URLs of the webhook endpoints that are gone.'),
  }),
)

/** The dependencies of the operations on worlds. */
export interface WorldsDependencies {
  readonly worlds: Worlds
  /** Default settings of a new world. */
  readonly newWorldDefaults: Pick<WorldOptions, 'pace' | 'scenario' | 'like' | 'adoptUsers' | 'history'>
  /** The pace and scenario of a world that is like no team of the live service. */
  readonly petriDefaults: Pick<WorldOptions, 'pace' | 'scenario'>
  readonly scenarios: ScenarioEngine
}

export const worldOperations = ({ worlds, newWorldDefaults, ...dependencies }: WorldsDependencies) => [
  operation({
    id: 'petri_worlds_list',
    route: 'GET /_petri/worlds',
    summary: 'List the worlds',
    access: 'control',
    returns: WorldList,
    run: () => jsonOf<Parsed<typeof WorldList>>(writeWorlds(worlds.all())),
  }),
  operation({
    id: 'petri_worlds_make',
    route: 'POST /_petri/worlds',
    summary: 'Create a world with its own key',
    access: 'control',
    body: NewWorld,
    bodyOptional: true,
    returns: WorldView,
    status: 201,
    async run(_, { body = {} }) {
      if (body.scenario !== undefined) dependencies.scenarios.assertKnown(undefined, body.scenario)
      const like = body.like === undefined ? newWorldDefaults.like : body.like
      const profile = body.like ? teamProfiles[body.like] : undefined
      const history = body.history ?? newWorldDefaults.history
      const world = await worlds.make({
        name: body.name ?? 'Petri',
        ...(body.seed !== undefined && { seed: body.seed }),
        ...(body.webhook_secret !== undefined && { webhookSecret: body.webhook_secret }),
        frozen: body.frozen ?? false,
        now: body.now ?? null,
        pace: body.pace ?? profile?.pace ?? newWorldDefaults.pace,
        scenario: body.scenario ?? profile?.scenario ?? newWorldDefaults.scenario,
        webhookUrl: body.webhook_url ?? null,
        like: like ?? null,
        ...(newWorldDefaults.adoptUsers && { adoptUsers: true }),
        ...(history && { history }),
      })
      return describeWorld(world)
    },
  }),
  operation({
    id: 'petri_worlds_drop',
    route: 'DELETE /_petri/worlds/{team_id}',
    summary: 'Delete a world and all its data',
    access: 'control',
    params: unnamed(() => ({ team_id: z.string() })),
    async run(_, { params: { team_id } }) {
      const world = orNotFound(worlds.byTeam(team_id), `There is no world of team ${team_id}.`)
      publish(world, 'world', { change: 'dropped' })
      await worlds.drop(world)
    },
  }),
  operation({
    id: 'petri_world_get',
    route: 'GET /_petri/world',
    summary: 'Describe this world',
    tool: {
      name: 'get_world',
      description: 'Its API key, webhook secret, clock, default scenario, features, and how much is in it',
    },
    returns: WorldView,
    run: describeWorld,
  }),
  operation({
    id: 'petri_world_patch',
    route: 'PATCH /_petri/world',
    summary: 'Set the default scenario and features, or those of a team of the live service',
    body: WorldPatch,
    returns: WorldView,
    run: (world, { body }) => patchWorld(world, body, { worlds, ...dependencies }),
  }),
  operation({
    id: 'petri_reset',
    route: 'POST /_petri/reset',
    summary: 'Reset this world to its initial state, or to that of another seed; a live one gets new ids',
    tool: { name: 'reset_world', description: 'All its data go' },
    body: Reset,
    bodyOptional: true,
    returns: ResetWorld,
    async run(world, { body }, { clientSignal }) {
      const added = listEndpoints(world).filter(({ url }) => url !== world.options.webhookUrl)
      if (body?.keep_endpoints) assertNumberOfEndpoints(added.length + (world.options.webhookUrl ? 1 : 0))
      publish(world, 'world', { change: 'reset' })
      const signal = clientSignal()
      const replaced = await worlds.reset(world, { seed: body?.seed, newIds: body?.new_ids, signal })
      return worlds.use(replaced, (reset) => {
        if (body?.keep_endpoints) for (const endpoint of added) addEndpoint(reset, endpoint)
        const removed_endpoints = body?.keep_endpoints ? [] : added.map(({ url }) => url)
        return { ...describeWorld(reset), removed_endpoints }
      })
    },
  }),
]

/** Sets what a patch names. A team of the live service also brings its scenario and pace. */
async function patchWorld(
  world: World,
  body: Parsed<typeof WorldPatch>,
  { worlds, petriDefaults, scenarios }: Pick<WorldsDependencies, 'worlds' | 'petriDefaults' | 'scenarios'>,
) {
  const { features, like, api_key: apiKey } = body
  const profile = like ? teamProfiles[like] : undefined
  const standard: Partial<WorldOptions> = like === undefined ? {} : { ...petriDefaults, ...profile }
  const { scenario = standard.scenario } = body
  if (body.scenario !== undefined) scenarios.assertKnown(world, body.scenario)
  if (apiKey !== undefined && (worlds.byKey(apiKey) ?? world) !== world)
    throw conflict('Another world has this API key.')
  if (standard.pace !== undefined) await patchClock(world, { pace: standard.pace })
  const changed = { ...world.settings().features, ...features }
  world.setSettings(
    withoutUndefined({
      scenario,
      like,
      features: filterFields(changed, (_, value) => value !== null && value !== undefined),
    }),
  )
  if (apiKey !== undefined) await worlds.identify(world, (identity) => withKeys(identity, { apiKey }))
  const { api_key: _, ...published } = body
  publish(world, 'settings', published)
  return describeWorld(world)
}

export function describeWorld(world: WorldOutline) {
  const { teamId, orgId, name, apiKey, webhookSecret } = world.identity
  return {
    team_id: teamId,
    org_id: orgId,
    name,
    api_key: apiKey,
    webhook_secret: webhookSecret,
    seed: world.options.seed,
    scenario: world.settings().scenario,
    like: world.settings().like ?? null,
    clock: describeClock(world),
    features: allFeatures(world),
    counts: {
      users: world.count(users),
      orders: world.count(orders),
      events: world.count(events),
      messages: world.count(messages),
    },
    long_work: [...world.longWork],
    failed_jobs: world.agenda.failures.map(({ at, kind, ...failure }) => ({
      at: toIso(at),
      job: kind,
      ...failure,
    })),
  }
}

/** The list of worlds as text, one by one: there may be thousands. */
function* writeWorlds(all: readonly WorldOutline[]): Generator<string> {
  yield '{"data":'
  yield* listOf(all, (world) => JSON.stringify(describeWorld(world)))
  yield ',"next_cursor":null}'
}
