import type { Manager } from '../../api/credentials.ts'
import { table } from '../../storage/table.ts'

/** The roles of members. Source: contract/management.json. */
export const memberRoles = ['org_admin', 'team_admin', 'no_role'] as const

interface WithRole {
  readonly id: string
  readonly email: string
  readonly role: Manager['role'] | 'no_role'
  /** The teams a `team_admin` manages; null for the other roles. */
  readonly team_ids: readonly string[] | null
}

/** A member of the organisation. */
export interface MemberRow extends WithRole {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly created_at: number
}

export const members = table<MemberRow>('organisation_members', ({ id }) => id)

/** An invite that is not accepted yet. Instants in milliseconds since 1970. */
export interface InviteRow extends WithRole {
  readonly invited_at: number
  readonly resent_at: number | null
  readonly expires_at: number
}

export const invites = table<InviteRow>('organisation_invites', ({ id }) => id)
