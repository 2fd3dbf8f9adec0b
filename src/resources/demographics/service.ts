import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { toDate } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import type { Demographics, DemographicsInput } from './schema.ts'
import { demographics } from './table.ts'

const missingUser = { unknown: 'User not found', deleted: 'User not found' }

/** Replaces a user's demographics. Source: docs/contract/users.md. */
export function keepDemographics(
  world: World,
  userId: string,
  body: Parsed<typeof DemographicsInput>,
): Parsed<typeof Demographics> {
  assertNotInFuture(world, body.dob)
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
  const known = findDemographics(world, userId)
  if (!known) throw new Problem('not_found', 'User demographics data not found')
  return known
}

function assertNotInFuture(world: World, dob: string): void {
  if (dob <= toDate(world.clock.now())) return
  throw new Problem('invalid', [
    {
      type: 'value_error',
      loc: ['body', 'dob'],
      msg: 'Value error, dob cannot be in the future',
      input: dob,
      ctx: { error: {} },
    },
  ])
}
