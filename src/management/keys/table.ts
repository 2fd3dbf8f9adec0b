import type { Manager } from '../../api/credentials.ts'
import { table } from '../../storage/table.ts'

/** A management key; only its digest is stored. */
export interface KeyRow {
  readonly id: string
  readonly label: string
  readonly role: Manager['role']
  /** Null for every team. */
  readonly team_ids: readonly string[] | null
  /** Milliseconds since 1970, the wall clock. */
  readonly created_at: number
  /** SHA-256 of the key, Base64. */
  readonly digest: string
}

export const managementKeys = table<KeyRow>('management_keys', ({ id }) => id)

/** The number of keys ever created, so that no value repeats. */
export const keysMade = table<{ readonly id: 'keys'; readonly made: number }>(
  'management_keys_made',
  ({ id }) => id,
)
