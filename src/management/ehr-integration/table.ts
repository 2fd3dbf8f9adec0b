import { table } from '../../storage/table.ts'

export const modalities = ['feature_embed', 'link_out'] as const

/** Settings for an application that embeds the dashboard. */
export interface IntegrationConfig {
  readonly id: 'configuration'
  readonly slug: string
  readonly modalities: readonly (typeof modalities)[number][]
  readonly origin_configs: readonly {
    readonly origin: string
    readonly session_continuation_url: string | null
  }[]
}

export const integrationConfigs = table<IntegrationConfig>('ehr_integration', ({ id }) => id)

/** A member who signs in through the organisation's own application. */
export interface ManagedMember {
  readonly id: string
  /** The application's id of the member. */
  readonly integration_member_id: string
  readonly name: string
  readonly email: string
  readonly avatar: string | null
  readonly team_ids: readonly string[]
}

export const managedMembers = table<ManagedMember>('ehr_integration_members', ({ id }) => id)

/** A temporary permission to see a team's dashboard; stored in the world of the team. */
export interface DashboardSession {
  /** SHA-256 of the token, in hexadecimal. */
  readonly id: string
  readonly member_id: string
  readonly feature: string
  readonly modality: (typeof modalities)[number]
  /** Milliseconds since 1970, the world's clock. */
  readonly expires_at: number
}

export const dashboardSessions = table<DashboardSession>('dashboard_sessions', ({ id }) => id)
