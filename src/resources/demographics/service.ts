import { futureBirth, invalidValue } from '../../api/issue.ts'
import type { Parsed } from '../../api/schema.ts'
import { compare } from '../../kernel/compare.ts'
import { omit } from '../../kernel/fields.ts'
import { toDate } from '../../kernel/instant.ts'
import { badRequest, orNotFound } from '../../kernel/problem.ts'
import { Slices } from '../../kernel/slices.ts'
import { ADULT, yearsBetween } from '../../people/dates.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import { type UserRow, users } from '../users/table.ts'
import type { Demographics, DemographicsInput, FoundUser, FoundUserList, UserSearch } from './schema.ts'
import { demographics } from './table.ts'

const missingUser = { unknown: 'User not found', deleted: 'User not found' }

/** Replaces a user's demographics. Source: docs/contract/users.md. */
export function keepDemographics(
  world: World,
  userId: string,
  body: Parsed<typeof DemographicsInput>,
): Parsed<typeof Demographics> {
  assertNotInFuture(world, body.dob, ['body', 'dob'])
  getUser(world, userId, missingUser)
  world.db.put(demographics, { user_id: userId, ...body })
  return body
}

export function findDemographics(world: World, userId: string): Parsed<typeof Demographics> | undefined {
  const row = world.db.find(demographics, userId)
  return row && omit(row, 'user_id')
}

export function getDemographics(world: World, userId: string): Parsed<typeof Demographics> {
  getUser(world, userId, missingUser)
  return orNotFound(findDemographics(world, userId), 'User demographics data not found')
}

/** Whether somebody needs a proxy, by the date of birth. */
export const isMinor = (world: World, dob: string): boolean =>
  yearsBetween(dob, toDate(world.clock.now())) < ADULT

export function assertNotInFuture(world: World, dob: string, loc: readonly string[]): void {
  if (dob > toDate(world.clock.now())) throw invalidValue(futureBirth, loc, dob)
}

type Found = Parsed<typeof FoundUser>

/** Users with an id, name, e-mail or phone number that contains a text. Source: docs/contract/users.md. */
export async function searchUsers(
  world: World,
  { search_input, order_key: key, order_direction, offset, limit }: Parsed<typeof UserSearch>,
): Promise<Parsed<typeof FoundUserList>> {
  const part = search_input?.trim().toLowerCase()
  if (!part) throw badRequest('search_input must be provided')
  const found: Found[] = []
  const slices = new Slices()
  for (const user of world.db.all(users)) {
    const shown = withDemographics(world, user)
    if (searchedTexts(shown).some((text) => text?.toLowerCase().includes(part))) found.push(shown)
    if (slices.isOver) await slices.next()
  }
  // Those without a value come last in ascending order.
  if (key !== 'created_on') found.sort((a, b) => compare(a[key] ?? '\uffff', b[key] ?? '\uffff'))
  if (order_direction === 'desc') found.reverse()
  return { users: found.slice(offset, offset + limit), total: found.length, offset, limit }
}

function withDemographics(world: World, user: UserRow): Found {
  const about = world.db.find(demographics, user.user_id)
  return {
    ...user,
    first_name: about?.first_name ?? null,
    last_name: about?.last_name ?? null,
    email: about?.email ?? null,
    phone_number: about?.phone_number ?? null,
    dob: about?.dob ?? null,
    gender: about?.gender ?? null,
  }
}

const searchedTexts = ({ user_id, client_user_id, first_name, last_name, email, phone_number }: Found) => [
  user_id,
  client_user_id,
  `${first_name ?? ''} ${last_name ?? ''}`,
  email,
  phone_number,
]
