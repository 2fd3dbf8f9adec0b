import { feature } from '../../api/features.ts'
import { invalidValue, valueError } from '../../api/issue.ts'
import type { JobKinds } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { withoutUndefined } from '../../kernel/fields.ts'
import { DATE_LIMIT_MS, DAY_MS, type TimeRange, toWire } from '../../kernel/instant.ts'
import { localDay } from '../../kernel/local-day.ts'
import { badRequest, orNotFound, Problem } from '../../kernel/problem.ts'
import { addAdoptedUser } from '../../scheduler/context.ts'
import type { OwnedRow } from '../../storage/database.ts'
import type { EventSubject } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { NewUser, type UserPatch } from './schema.ts'
import {
  deletedUsers,
  type IngestionBounds,
  ingestionBounds,
  NO_INGESTION_END,
  type UserRow,
  users,
} from './table.ts'

/** The time in which a deleted user can be restored. Source: docs/contract/users.md. */
const GRACE_MS = 7 * DAY_MS
/** Source: docs/contract/errors.md#errors. */
const SANDBOX_USERS = 50
const ERASE = 'users.erase'

/** The texts of the 404 for a missing user, which differ by route. */
export interface MissingUserTexts {
  readonly unknown: string
  readonly deleted: string
}

export const missingUserTexts: MissingUserTexts = {
  unknown: 'The user does not or no longer exists in this team',
  deleted: 'The user has been scheduled for deletion as per your previous request',
}

export const noSuchUser: MissingUserTexts = {
  unknown: 'Not found',
  deleted: 'You have scheduled this user for deletion.',
}

/** The name at the end of a `client_user_id`: `ada#athlete` chooses a persona or a feed scenario. */
export const nameIn = (clientUserId: string): string | undefined => /#([\w-]+)$/.exec(clientUserId)?.[1]

/** The user, or the 404 of the route. */
export function getUser(world: World, userId: string, texts: MissingUserTexts = missingUserTexts): UserRow {
  const user = world.db.find(users, userId)
  if (user) return user
  const isDeleted = world.db.has(deletedUsers, userId)
  if (!isDeleted && feature(world, 'adopt_users')) return adoptUser(world, userId)
  throw new Problem('not_found', isDeleted ? texts.deleted : texts.unknown)
}

/** Creates a user that another environment has issued, and notes it in the journal. */
function adoptUser(world: World, userId: string): UserRow {
  addAdoptedUser(userId)
  return createUser(world, NewUser().parse({ client_user_id: `adopted-${userId}` }), userId)
}

export const findByClientUserId = (world: World, clientUserId: string): UserRow | undefined =>
  world.db.by(users, 'clientUserId', clientUserId)[0]

export function getByClientUserId(world: World, clientUserId: string): UserRow {
  return orNotFound(findByClientUserId(world, clientUserId), 'User not found')
}

/** The user and order fields of an event about a user. */
export function eventSubject(world: World, userId: string, orderId?: string): EventSubject {
  const clientUserId =
    world.db.find(users, userId)?.client_user_id ??
    world.db.find(deletedUsers, userId)?.user.client_user_id ??
    null
  return withoutUndefined({ userId, clientUserId, orderId })
}

const hasUser = (world: World, id: string) => world.db.has(users, id) || world.db.has(deletedUsers, id)

export function assertFreeUserId(world: World, id: string): void {
  if (hasUser(world, id)) throw new Problem('conflict', `There is already a user ${id}.`)
}

/** Creates a user, with a new id unless one was chosen. */
export function createUser(world: World, body: Parsed<typeof NewUser>, id?: string): UserRow {
  const taken = findByClientUserId(world, body.client_user_id)
  if (taken) {
    const { client_user_id, user_id, created_on } = taken
    const detail = {
      error_type: 'INVALID_REQUEST',
      error_message: 'Client user id already exists.',
      user_id,
      created_on,
    }
    // Clients of FHIR servers read the ids next to the detail. Source: docs/contract/users.md.
    throw badRequest(detail, { also: { client_user_id, user_id } })
  }
  assertInOrder(body)
  assertUserLimit(world)
  const now = toWire(world.clock.now())
  return world.db.put(users, {
    user_id: id ?? world.newId('user', (each) => hasUser(world, each)),
    team_id: world.identity.teamId,
    client_user_id: body.client_user_id,
    created_on: now,
    connected_sources: [],
    fallback_time_zone: timeZoneField(body.fallback_time_zone, now),
    fallback_birth_date: birthDateField(body.fallback_birth_date, now),
    ingestion_start: body.ingestion_start,
    ingestion_end: body.ingestion_end,
  })
}

function assertUserLimit(world: World): void {
  if (!feature(world, 'sandbox_limits') || world.db.count(users) < SANDBOX_USERS) return
  throw badRequest({
    error_type: 'INVALID_REQUEST',
    error_message: `You have reached the maximum of ${SANDBOX_USERS} Sandbox users`,
  })
}

const timeZoneField = (id: string | null, now: string) =>
  id === null ? null : { id, source_slug: 'manual', updated_at: now }
const birthDateField = (value: string | null, now: string) =>
  value === null ? null : { value, source_slug: 'manual', updated_at: now }

export function patchUser(world: World, userId: string, patch: Parsed<typeof UserPatch>): UserRow {
  const user = getUser(world, userId)
  if (Object.values(patch).every((value) => value === undefined)) throw badRequest('Nothing to patch')
  const { client_user_id: name, fallback_time_zone: zone, fallback_birth_date: birthDate } = patch
  if (name === null) throw notResettable(patch)
  if (name !== undefined && (findByClientUserId(world, name) ?? user).user_id !== userId) {
    throw new Problem('conflict', 'Client user id already exists')
  }
  const now = toWire(world.clock.now())
  const bounds = ingestionOf(user, patch)
  assertInOrder(bounds)
  if (bounds.ingestion_start !== user.ingestion_start || bounds.ingestion_end !== user.ingestion_end)
    keepBounds(world, user, bounds)
  return world.db.put(users, {
    ...user,
    client_user_id: name ?? user.client_user_id,
    fallback_time_zone: zone === undefined ? user.fallback_time_zone : timeZoneField(zone, now),
    fallback_birth_date: birthDate === undefined ? user.fallback_birth_date : birthDateField(birthDate, now),
    ...bounds,
  })
}

/** The ingestion bounds a patch sets. A start without an end gets the zero date as its end; without a start both are cleared. */
function ingestionOf(
  user: UserRow,
  { ingestion_start: start, ingestion_end: end }: Parsed<typeof UserPatch>,
) {
  if (start === null) return { ingestion_start: null, ingestion_end: null }
  const known = end === undefined ? user.ingestion_end : end
  if (start === undefined) return { ingestion_start: user.ingestion_start, ingestion_end: known }
  return { ingestion_start: start, ingestion_end: known ?? NO_INGESTION_END }
}

type Bounded = Pick<UserRow, 'ingestion_start' | 'ingestion_end'>

/** Refuses bounds that include no day. */
function assertInOrder({ ingestion_start: start, ingestion_end: end }: Bounded): void {
  if (start === null || end === null || end === NO_INGESTION_END || start <= end) return
  throw invalidValue(valueError('ingestion_end is before ingestion_start'), ['body', 'ingestion_end'], end)
}

function keepBounds(
  world: World,
  user: UserRow,
  { ingestion_start: start, ingestion_end: end }: Bounded,
): void {
  const bounds = [...boundsOf(world, user), { since: world.clock.now(), start, end }]
  world.db.put(ingestionBounds, { user_id: user.user_id, bounds })
}

/** A user's ingestion bounds over time, the earliest first. */
export function boundsOf(
  world: World,
  { user_id, ingestion_start: start, ingestion_end: end }: UserRow,
): readonly IngestionBounds[] {
  return world.db.find(ingestionBounds, user_id)?.bounds ?? [{ since: -DATE_LIMIT_MS, start, end }]
}

/** The time that ingestion bounds include, as local dates of a zone; all of it without bounds. */
export const ingestionRange = (
  { start, end }: Pick<IngestionBounds, 'start' | 'end'>,
  zone: string,
): TimeRange => ({
  from: start === null ? Number.NEGATIVE_INFINITY : localDay(zone, start).start,
  until: end === null || end === NO_INGESTION_END ? Number.POSITIVE_INFINITY : localDay(zone, end).end,
})

/** The range of the bounds in force at an instant. */
export function ingestionRangeAt(world: World, userId: string, zone: string, instant: number): TimeRange {
  const user = world.db.find(users, userId)
  const bounds = user && boundsOf(world, user).findLast(({ since }) => since <= instant)
  return ingestionRange(bounds ?? { start: null, end: null }, zone)
}

/** Connections pause a week after the end of ingestion. Source: docs/contract/users.md. */
export const isPastIngestion = (world: World, { ingestion_end: end }: Bounded): boolean =>
  end !== null && end !== NO_INGESTION_END && world.clock.now() >= Date.parse(end) + 7 * DAY_MS

const notResettable = (input: unknown) =>
  invalidValue(valueError('client_user_id is not a field that can be reset to null.'), ['body'], input)

/** Stores the list of a user's connected providers, oldest connection first. */
export function setConnectedSources(
  world: World,
  userId: string,
  connected_sources: UserRow['connected_sources'],
): void {
  world.db.put(users, { ...getUser(world, userId), connected_sources })
}

/** Newest first. */
export function listUsers(world: World, offset: number, limit: number) {
  const page = world.db
    .ids(users)
    .reverse()
    .slice(offset, offset + limit)
    .map((id) => world.db.get(users, id))
  return { users: page, total: page.length === 0 ? 0 : world.db.count(users), offset, limit }
}

/** The ids of the users whose client user id contains a text in lower case. */
export const userIdsNamed = (world: World, part: string): ReadonlySet<string> =>
  new Set(
    [...world.db.values(users, 'clientUserId')]
      .filter(([, name]) => name.toLowerCase().includes(part))
      .map(([id]) => id),
  )

/** Deletes a user. The data are erased after the grace period. */
export function deleteUser(world: World, userId: string, graceMs = GRACE_MS): void {
  const user = getUser(world, userId)
  const until = world.clock.now() + graceMs
  world.db.put(deletedUsers, { user: { ...user, connected_sources: [] }, until })
  world.db.delete(users, userId)
  world.agenda.schedule({ due: until, kind: ERASE, subject: userId })
}

export function undoDelete(
  world: World,
  { userId, clientUserId }: Readonly<Record<'userId' | 'clientUserId', string | null | undefined>>,
): void {
  if (Boolean(userId) === Boolean(clientUserId)) {
    throw badRequest('Exactly one of user_id and client_user_id must be given.')
  }
  const deleted = userId
    ? world.db.find(deletedUsers, userId)
    : world.db.by(deletedUsers, 'clientUserId', clientUserId ?? '').at(-1)
  if (!deleted) throw new Problem('not_found', 'User not found')
  const { user } = deleted
  if (findByClientUserId(world, user.client_user_id)) {
    throw new Problem('conflict', 'Client user id already exists')
  }
  world.db.delete(deletedUsers, user.user_id)
  world.agenda.cancel(ERASE, user.user_id)
  world.db.put(users, user)
}

export const userJobs: JobKinds = {
  [ERASE]: {
    about: 'user',
    does: 'the deleted user is erased',
    run: (world, { subject }) => world.agenda.runSteps(erase(world, subject)),
  },
}

/** Erases everything that belongs to a user, by the owners that the tables declare. */
function* erase(world: World, userId: string): Generator<void, void> {
  const rows: OwnedRow[] = []
  for (const row of world.db.ownedBy('user', userId)) {
    rows.push(row)
    yield
  }
  world.agenda.cancelAbout(new Set([userId, ...rows.map(({ id }) => id)]))
  for (const row of rows) {
    world.db.erase(row, userId)
    yield
  }
}
