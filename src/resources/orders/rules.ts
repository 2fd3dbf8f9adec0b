import { feature } from '../../api/features.ts'
import { toDate } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { LabSeed } from '../catalogue/schema.ts'
import { findDemographics } from '../demographics/service.ts'
import type { OrderRow } from './table.ts'

const ADULT = 18

type Details = NonNullable<OrderRow['patient_details']>

/** An error for a value of the request, in the form of a validation error. */
export const invalidField = (
  loc: readonly string[],
  type: string,
  msg: string,
  input: unknown,
  ctx: object,
) => new Problem('invalid', [{ type, loc: ['body', ...loc], msg, input, ctx }])

/** Throws for a date of birth in the future. Source: contract/lab-testing.md §5. */
export function assertNotInFuture(world: World, { dob }: Pick<Details, 'dob'>): void {
  if (dob <= toDate(world.clock.now())) return
  const loc = ['patient_details', 'dob']
  throw invalidField(loc, 'value_error', 'Value error, dob cannot be in the future', dob, { error: {} })
}

/** Throws for a minor, unless the team allows it and there is a medical proxy. Source: contract/lab-testing.md §5. */
export function assertMayOrder(
  world: World,
  userId: string,
  { dob, medical_proxy }: Pick<Details, 'dob' | 'medical_proxy'>,
): void {
  if (ageOn(toDate(world.clock.now()), dob) >= ADULT) return
  if (!feature(world, 'minor_ordering')) {
    throw new Problem('bad_request', 'Ordering for patients under 18 is not enabled for this team')
  }
  if (!(medical_proxy ?? findDemographics(world, userId)?.medical_proxy))
    throw new Problem('bad_request', 'medical_proxy must be set for patients under 18')
}

/** Whole years between two dates, `YYYY-MM-DD`. */
export const ageOn = (day: string, dob: string): number =>
  Number(day.slice(0, 4)) - Number(dob.slice(0, 4)) - (day.slice(5) < dob.slice(5) ? 1 : 0)

/** Throws if the laboratory does not accept the patient's gender or state. Source: contract/lab-testing.md §4.1. */
export function assertLabAccepts(
  { name, genders }: Pick<LabSeed, 'name' | 'genders'>,
  gender: Details['gender'],
): void {
  if (genders && !genders.some((each) => each === gender))
    throw new Problem('bad_request', `Lab ${name} does not allow gender ${gender}`)
}

/** The longest note for a laboratory. Source: contract/README.md #6. */
const NOTES_LENGTH = 1000

/** Joins the notes of the account and the customer, one line each. */
export function joinNotes(...notes: (string | null | undefined)[]): string | null {
  const joined = notes.filter(Boolean).join('\n')
  if (joined.length > NOTES_LENGTH) {
    const msg = `String should have at most ${NOTES_LENGTH} characters`
    throw invalidField(['clinical_notes'], 'string_too_long', msg, joined, { max_length: NOTES_LENGTH })
  }
  return joined || null
}
