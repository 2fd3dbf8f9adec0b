import { table } from '../../storage/table.ts'
import type { dataTypes } from './schema.ts'

/** A team's priority of a provider for a kind of data; the larger number wins. */
export interface PriorityRow {
  readonly data_type: (typeof dataTypes)[number]
  readonly slug: string
  readonly priority: number
}

export const priorityId = (dataType: string, slug: string): string => `${dataType}/${slug}`

export const priorities = table<PriorityRow>('source_priorities', ({ data_type, slug }) =>
  priorityId(data_type, slug),
)

/** Settings of a team that are not features of its world. Source: contract/management.json. */
export interface TeamProfile {
  readonly lab_tests_patient_sms_communication_enabled: boolean
  readonly lab_tests_patient_email_communication_enabled: boolean
  readonly critical_result_notification_email: string | null
  readonly brand_information: {
    readonly company_name: string
    readonly company_website: string
    readonly support_email: string
    readonly support_contact: string | null
    readonly company_address: string
    readonly brand_color: string
  } | null
  readonly logo_url: string | null
  readonly sdk_per_device_activity_timeseries: boolean
}

export const teamProfiles = table<TeamProfile & { readonly team_id: string }>(
  'team_profiles',
  ({ team_id }) => team_id,
)
