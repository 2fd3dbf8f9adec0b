import type { Parsed } from '../../api/schema.ts'
import type { Clock, LabTest, User, World } from '../../client/responses.ts'
import type { WorldList } from '../../control/worlds.ts'
import { DAY_MS, HOUR_MS, SECOND_MS, toIso } from '../../kernel/instant.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { createRandom } from '../../kernel/random.ts'
import { isOAuthSlug } from '../../resources/link/schema.ts'
import type { MarkerPage } from '../../resources/markers/schema.ts'
import { type Client, createClient, unlessRefused } from '../../terminal/client.ts'
import { CliError } from '../../terminal/errors.ts'
import { type CohortPlan, clientUserId, NO_PERSONA, personasOf, worldName } from './plan.ts'

/** A cohort and the world it lives in. */
export interface Cohort {
  readonly petri: Client
  readonly world: World
  readonly plan: CohortPlan
  /** In order of their client user ids. */
  readonly members: readonly Member[]
}

export interface Member {
  readonly userId: string
  readonly clientUserId: string
  readonly persona: string
}

/** Called with how much of a step is done. */
export type OnProgress = (step: string, done: number, of: number) => void

const LAB = 'labcorp'

/** The scenario of each order. It sets no interpretation, so the results are those of the person. */
const scenario = {
  name: 'cohort',
  summary: 'Blood is drawn on site, and the results are those of the person.',
  method: 'on_site_collection',
  steps: [
    { after: '1h', status: 'requisition_created' },
    { after: '1d', status: 'draw_completed' },
    { after: '2d', status: 'completed' },
  ],
}

/** Creates what is missing of a cohort in a frozen world of its own, so that an interrupted call can be repeated. */
export async function createCohort(
  config: Client['config'],
  plan: CohortPlan,
  progress: OnProgress,
): Promise<Cohort> {
  const { world, isNew } = await openWorld(createClient(config), plan)
  const petri = createClient({ ...config, apiKey: world.api_key })
  try {
    await assertPersonas(petri, plan)
    await chooseHistory(petri, world, plan)
    const labTests = await createLabTests(petri, plan)
    const members = await createMembers(petri, plan, progress)
    await placeOrders(petri, plan, { members, labTests, progress })
    await connectMembers(petri, plan, members, progress)
    await advanceTo(petri, Date.parse(plan.until) + ARRIVAL_MS)
    return { petri, world, plan, members }
  } catch (error) {
    const { counts } = await petri.call<World>('GET /_petri/world')
    if (isNew && counts.users === 0)
      await petri.call('DELETE /_petri/worlds/{team_id}', { team_id: world.team_id })
    throw error
  }
}

/** The first instant of a cohort, in milliseconds since 1970. */
const startOf = ({ until, days }: CohortPlan): number => Date.parse(until) - days * DAY_MS

async function openWorld(petri: Client, plan: CohortPlan): Promise<{ world: World; isNew: boolean }> {
  const name = worldName(plan)
  const { data } = await petri.call<Parsed<typeof WorldList>>('GET /_petri/worlds')
  const known = data.find((world) => world.name === name)
  if (known) {
    if (known.seed !== plan.seed)
      throw new CliError(`The cohort "${plan.name}" has the seed "${known.seed}". Choose another --name.`)
    return { world: known, isNew: false }
  }
  const now = toIso(startOf(plan))
  const world = await petri.call<World>('POST /_petri/worlds', { name, seed: plan.seed, frozen: true, now })
  return { world, isNew: true }
}

async function assertPersonas(petri: Client, { mix }: CohortPlan): Promise<void> {
  const wanted = Object.keys(mix).filter((persona) => persona !== NO_PERSONA)
  if (wanted.length === 0) return
  const { data } = await petri.call<{ data: readonly { name: string }[] }>('GET /_petri/scenarios', {
    kind: 'persona',
  })
  const names = [NO_PERSONA, ...data.map(({ name }) => name)]
  const unknown = wanted.find((persona) => !names.includes(persona))
  if (unknown === undefined) return
  const hint = didYouMean(unknown, names) || ` The personas are ${names.join(', ')}.`
  throw new CliError(`There is no persona "${unknown}".${hint}`)
}

/** Lets new connections bring all days of the cohort. */
async function chooseHistory(petri: Client, world: World, { providers, days }: CohortPlan): Promise<void> {
  const preference = { default: { historical_days_to_pull: days } }
  await petri.call('POST /v1/org/{org_id}/team_data_pull_preferences/sandbox/us', {
    org_id: world.org_id,
    team_ids: [world.team_id],
    providers: Object.fromEntries(providers.map((provider) => [provider, preference])),
  })
}

/** The id of the lab test of each order of the plan. */
async function createLabTests(petri: Client, plan: CohortPlan): Promise<readonly string[]> {
  if (plan.orders.length === 0) return []
  await petri.call('PUT /_petri/scenarios/cohort', scenario)
  const markers = await listMarkers(petri)
  const known = await petri.call<readonly LabTest[]>('GET /v3/lab_tests')
  const ids: string[] = []
  for (const order of plan.orders) {
    const marker_ids = order.panels.map(
      (slug) => markers.get(slug) ?? throwUnknown(slug, [...markers.keys()]),
    )
    const id = idOf(plan, order.panels.join())
    ids.push(id)
    if (known.some((labTest) => labTest.id === id)) continue
    const name = order.panels.join(', ')
    const body = { id, name, description: name, method: 'on_site_collection', lab_slug: LAB, marker_ids }
    await petri.call('POST /_petri/lab_tests', body)
  }
  return ids
}

async function listMarkers(petri: Client): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const found = await petri.call<Parsed<typeof MarkerPage>>('GET /v3/lab_tests/markers', {
      lab_slug: LAB,
      size: 100,
      page,
    })
    for (const { id, slug, is_orderable, aoe } of found.markers)
      if (is_orderable && !aoe?.questions.some(({ required }) => required)) ids.set(slug, id)
    pages = found.pages ?? 1
  }
  return ids
}

function throwUnknown(slug: string, known: readonly string[]): never {
  throw new CliError(`There is no panel "${slug}" of ${LAB}.${didYouMean(slug, known)}`)
}

/** Creates the people at the start; a persona's course begins then. */
async function createMembers(petri: Client, plan: CohortPlan, progress: OnProgress): Promise<Member[]> {
  const known = await listUsers(petri)
  const isStart = (await clockOf(petri)) === startOf(plan)
  if (known.size > plan.size || (!isStart && known.size < plan.size))
    throw new CliError(`The cohort "${plan.name}" was begun with another plan. Choose another --name.`)
  const members: Member[] = []
  for (const [nth, persona] of [...personasOf(plan)].entries()) {
    const client_user_id = clientUserId(plan, nth)
    const user_id = idOf(plan, client_user_id)
    if (!known.has(client_user_id)) await petri.call('POST /_petri/users', { client_user_id, user_id })
    if (isStart && persona !== NO_PERSONA)
      await petri.call('PUT /_petri/users/{user_id}/persona', { user_id, persona })
    members.push({ userId: user_id, clientUserId: client_user_id, persona })
    progress('people', nth + 1, plan.size)
  }
  return members
}

const clockOf = async (petri: Client): Promise<number> =>
  Date.parse((await petri.call<Clock>('GET /_petri/clock')).now)

const PAGE = 500

async function listUsers(petri: Client): Promise<Map<string, User>> {
  const found = new Map<string, User>()
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const page = await petri.call<{ users: readonly User[]; total: number }>('GET /v2/user', {
      offset,
      limit: PAGE,
    })
    for (const user of page.users) found.set(user.client_user_id, user)
    total = page.total
  }
  return found
}

interface CohortOrders {
  readonly members: readonly Member[]
  /** Ids, in the order of the plan's orders. */
  readonly labTests: readonly string[]
  readonly progress: OnProgress
}

/** Places the orders that are due, and advances the clock to the next ones, until the end of the cohort. */
async function placeOrders(
  petri: Client,
  plan: CohortPlan,
  { members, labTests, progress }: CohortOrders,
): Promise<void> {
  const now = await clockOf(petri)
  const dues = duesOf(plan).filter(({ at }) => at >= now)
  for (const [nth, { at, order }] of dues.entries()) {
    await advanceTo(petri, at)
    for (const { userId } of members) {
      const id = idOf(plan, `${userId} ${order} ${at}`)
      const body = { id, user_id: userId, lab_test_id: labTests[order], scenario: scenario.name }
      // An interrupted call with the same plan may have placed it.
      await unlessRefused(petri.call('POST /_petri/orders', body), CONFLICT)
    }
    progress('orders', nth + 1, dues.length)
  }
  await advanceTo(petri, Date.parse(plan.until))
}

async function advanceTo(petri: Client, instant: number): Promise<void> {
  if ((await clockOf(petri)) < instant) await petri.call('POST /_petri/clock/advance', { to: toIso(instant) })
}

/** When each order of the plan is placed, in order of time. */
function duesOf(plan: CohortPlan): { readonly at: number; readonly order: number }[] {
  const [start, end] = [startOf(plan), Date.parse(plan.until)]
  const dues = plan.orders.flatMap(({ everyMs }, order) =>
    Array.from({ length: Math.ceil((end - start) / everyMs) }, (_, nth) => ({
      at: start + nth * everyMs,
      order,
    })),
  )
  return dues.sort((a, b) => a.at - b.at || a.order - b.order)
}

const CONFLICT = 409

/** By then every provider has sent its history; Garmin takes the longest. */
const ARRIVAL_MS = 6 * HOUR_MS

const BATCH = 50
/** Connections of a cohort do not expire. */
const EXPIRES_AT = Math.floor(Date.UTC(2100, 0) / SECOND_MS)

/** Connects at the end, so that all days come as history and no single synchronisation is simulated. */
async function connectMembers(
  petri: Client,
  plan: CohortPlan,
  members: readonly Member[],
  progress: OnProgress,
): Promise<void> {
  const known = await listUsers(petri)
  for (const provider of plan.providers) {
    const missing = members.filter(
      ({ clientUserId }) =>
        !known.get(clientUserId)?.connected_sources.some((source) => source.provider.slug === provider),
    )
    for (let at = 0; at < missing.length; at += BATCH) {
      await connect(petri, provider, missing.slice(at, at + BATCH))
      progress(provider, Math.min(at + BATCH, missing.length), missing.length)
    }
  }
}

async function connect(petri: Client, provider: string, members: readonly Member[]): Promise<void> {
  if (!isOAuthSlug(provider)) {
    for (const { userId: user_id } of members)
      await petri.call('POST /v2/link/provider/manual/{provider}', { provider, user_id })
    return
  }
  const connections = members.map(({ userId, clientUserId }) => ({
    user_id: userId,
    access_token: 'access',
    refresh_token: 'refresh',
    provider_id: clientUserId,
    expires_at: EXPIRES_AT,
  }))
  await petri.call('POST /v2/link/bulk_import', { provider, connections, wait_for_completion: true })
}

/** A UUID that follows from the seed, the name of the cohort and a text. */
function idOf({ seed, name }: CohortPlan, text: string): string {
  return createRandom(`${seed}/${name}`).uuid(text)
}
