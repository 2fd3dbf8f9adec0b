import { feature } from '../../api/features.ts'
import { pageAfter, pageInSteps } from '../../api/pagination.ts'
import type { JobKinds } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { DAY_MS, SECOND_MS, toWire } from '../../kernel/instant.ts'
import { compact } from '../../kernel/list.ts'
import { Problem } from '../../kernel/problem.ts'
import { BASE62 } from '../../kernel/random.ts'
import { runAtOnce, runInSlices, Slices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { type Connection, findConnected } from '../connections/table.ts'
import { usersById } from '../users/table.ts'
import { importConnection, pauseAt, pullHistoryAt } from './connect.ts'
import type {
  BulkExport,
  BulkExported,
  BulkImport,
  BulkImported,
  BulkOp,
  BulkOpsQuery,
  BulkPause,
  BulkPull,
  Recipe,
} from './schema.ts'
import { type BulkOpRow, bulkOps, recipes } from './table.ts'

const STEP = 'link.bulk_step'
/** The duration of a step, and the most steps of an operation. */
const STEP_MS = SECOND_MS
const MAX_STEPS = 20
/** Connections on a page of an export. */
const EXPORT_PAGE = 100

function assertEnabled(world: World): void {
  if (feature(world, 'bulk_operations')) return
  throw new Problem('forbidden', 'Bulk operations are not enabled for this team.')
}

/** Starts an import; with `wait_for_completion` it is finished when this returns. */
export async function beginImport(
  world: World,
  { provider, connections, wait_for_completion }: Parsed<typeof BulkImport>,
): Promise<Parsed<typeof BulkImported>> {
  assertEnabled(world)
  const op = begin(world, 'link_bulk_import', provider, {
    user_ids: connections.map(({ user_id }) => user_id),
    connections,
  })
  if (!wait_for_completion) {
    schedule(world, op)
    return { user_ids_imported: [], user_ids_failed: [] }
  }
  const { user_ids, failed } = await runInSlices(finishing(world, op))
  return {
    user_ids_imported: user_ids.filter((id) => !failed.includes(id)),
    user_ids_failed: [...failed],
  }
}

/** Starts to fetch the history of many connections again. */
export async function beginPull(
  world: World,
  { provider, user_ids, wait_for_completion }: Parsed<typeof BulkPull>,
): Promise<void> {
  assertEnabled(world)
  const op = begin(world, 'link_bulk_historical_trigger', provider, { user_ids, connections: [] })
  if (wait_for_completion) await runInSlices(finishing(world, op))
  else schedule(world, op)
}

export async function pauseAll(
  world: World,
  { provider, user_ids }: Parsed<typeof BulkPause>,
): Promise<void> {
  assertEnabled(world)
  const slices = new Slices()
  for (const userId of user_ids) {
    pauseAt(world, userId, provider)
    if (slices.isOver) await slices.next()
  }
}

export async function exportConnections(
  world: World,
  { provider, user_ids, next_token }: Parsed<typeof BulkExport>,
): Promise<Parsed<typeof BulkExported>> {
  assertEnabled(world)
  const wanted = user_ids && new Set(user_ids)
  const list = {
    of: ['connections', world.identity.teamId, provider, user_ids],
    ...usersById(world),
    isWanted: (id: string) => (wanted?.has(id) ?? true) && findConnected(world, id, provider) !== undefined,
  }
  const { items, nextCursor } = await runInSlices(pageInSteps(list, next_token, EXPORT_PAGE))
  const exported = compact(items.map((id) => findConnected(world, id, provider)))
  return { data: exported.map((connection) => recipeOf(world, connection)), next_token: nextCursor }
}

/** Newest first. */
export function listBulkOps(world: World, { next_cursor, page_size }: Parsed<typeof BulkOpsQuery>) {
  assertEnabled(world)
  const { items, nextCursor } = pageAfter(
    {
      of: ['bulk_ops', world.identity.teamId],
      rows: [...world.db.all(bulkOps)],
      idOf: ({ id }) => id,
      keyOf: (op) => op.started_at,
      order: 'desc',
    },
    next_cursor,
    page_size,
  )
  return { data: items.map(present), next_cursor: nextCursor }
}

const present = (row: BulkOpRow): Parsed<typeof BulkOp> =>
  omit(row, 'id', 'user_ids', 'connections', 'failed')

const begin = (
  world: World,
  type: BulkOpRow['type'],
  provider: BulkOpRow['provider'],
  work: Pick<BulkOpRow, 'user_ids' | 'connections'>,
): BulkOpRow =>
  world.db.put(bulkOps, {
    id: world.newId('bulk_op'),
    type,
    provider,
    ...ending(world, work.user_ids, 0, []),
    started_at: toWire(world.clock.now()),
    ...work,
    failed: [],
  })

/** The status of an operation after a number of users. */
function ending(world: World, all: readonly string[], processed: number, failed: readonly string[]) {
  const pending = all.length - processed
  if (pending > 0) return { pending, processed, status: 'in_progress' as const, ended_at: null }
  const isFailure = all.length > 0 && failed.length === all.length
  const status = isFailure ? ('failure' as const) : ('success' as const)
  return { pending, processed, status, ended_at: toWire(world.clock.now()) }
}

function schedule(world: World, { id, pending }: BulkOpRow): void {
  if (pending === 0) return
  world.agenda.schedule({
    afterScenarioMs: STEP_MS,
    kind: STEP,
    subject: id,
  })
}

function* finishing(world: World, op: BulkOpRow): Generator<void, BulkOpRow> {
  let at = op
  while (at.pending > 0) at = yield* nextStep(world, at)
  return at
}

/** Processes the next connections of an operation, yielding after each. */
function* nextStep(world: World, op: BulkOpRow): Generator<void, BulkOpRow> {
  const end = Math.min(op.processed + Math.ceil(op.user_ids.length / MAX_STEPS), op.user_ids.length)
  const failed = [...op.failed]
  for (let at = op.processed; at < end; at++) {
    const userId = op.user_ids[at] ?? ''
    const recipe = op.connections[at]
    const isDone = recipe
      ? importConnection(world, op.provider, recipe)
      : pullHistoryAt(world, userId, op.provider)
    if (!isDone) failed.push(userId)
    yield
  }
  return world.db.put(bulkOps, { ...op, failed, ...ending(world, op.user_ids, end, failed) })
}

export const bulkJobs: JobKinds = {
  [STEP]: {
    does: 'the next step of a bulk operation',
    run(world, { subject }) {
      const op = world.db.find(bulkOps, subject)
      // At once, so that it is stored as a whole: after a crash it is done again from its beginning.
      if (op && op.pending > 0) schedule(world, runAtOnce(nextStep(world, op)))
    },
  },
}

/** The credentials of an imported connection; made up for other connections. */
function recipeOf(world: World, { user_id, provider, external_user_id }: Connection): Parsed<typeof Recipe> {
  const kept = world.db.find(recipes, `${user_id}/${provider}`)
  if (kept) return omit(kept, 'provider')
  const letters = (kind: string) => world.ids.letters(`${kind}/${user_id}/${provider}`, BASE62, 40)
  return {
    user_id,
    access_token: letters('access_token'),
    refresh_token: letters('refresh_token'),
    provider_id: external_user_id ?? '',
    expires_at: Math.floor((world.clock.now() + DAY_MS) / SECOND_MS),
    oauth_scopes: null,
  }
}
