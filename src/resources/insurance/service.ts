import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { assertNotInFuture, findDemographics } from '../demographics/service.ts'
import { getPayor } from '../payors/service.ts'
import { getUser } from '../users/service.ts'
import type { Insurance, NewInsurance } from './schema.ts'
import { type InsuranceRow, insurances } from './table.ts'

/** Adds a record; earlier ones stay. Source: docs/contract/insurance.md. */
export function createInsurance(
  world: World,
  userId: string,
  body: Parsed<typeof NewInsurance>,
): InsuranceRow {
  const company = checkInsurance(world, userId, body)
  return world.db.put(insurances, { id: world.newId('insurance'), user_id: userId, ...body, company })
}

/** Throws if a record cannot be added. Returns its company. */
export function checkInsurance(
  world: World,
  userId: string,
  body: Parsed<typeof NewInsurance>,
): InsuranceRow['company'] {
  getUser(world, userId)
  if (feature(world, 'insurance_needs_demographics') && !findDemographics(world, userId)) {
    throw badRequest('User demographics must be set before insurance is added')
  }
  if (feature(world, 'insurance_guarantor_rule') && body.relationship !== 'Self' && !body.guarantor)
    throw badRequest('guarantor must be set when relationship is not Self')
  assertNotInFuture(world, body.insured.dob, ['body', 'insured', 'dob'])
  const { name, org_address } = getPayor(world, body.payor_code, body.insured.address.state)
  return { name, address: org_address }
}

/** The latest primary or secondary insurance of a user. */
export const latestInsurance = (world: World, userId: string, isPrimary: boolean): InsuranceRow | undefined =>
  world.db.by(insurances, 'user', userId).findLast(({ is_primary }) => is_primary === isPrimary)

/** A record in wire format. */
export const presentInsurance = (row: InsuranceRow): Parsed<typeof Insurance> => omit(row, 'id', 'user_id')
