import { createRandom } from '../../kernel/random.ts'
import type { Database } from '../../storage/database.ts'
import { table } from '../../storage/table.ts'

/** The new name of the organisation. */
export interface OrganisationRow {
  readonly id: string
  readonly name: string
}

/** The number of objects of each kind ever created, so that no id repeats. */
const madeOf = table<{ readonly kind: string; readonly made: number }>(
  'organisation_made',
  ({ kind }) => kind,
)

/** The next number of a kind, from 1, and the id derived from it. */
export function nextOf(db: Database, kind: string): { readonly ordinal: number; readonly id: string } {
  const ordinal = (db.find(madeOf, kind)?.made ?? 0) + 1
  db.put(madeOf, { kind, made: ordinal })
  return { ordinal, id: createRandom(`petri/organisation/${kind}`).uuid(`${ordinal}`) }
}

export const organisations = table<OrganisationRow>('organisations', ({ id }) => id)
