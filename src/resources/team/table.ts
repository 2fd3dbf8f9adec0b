import * as z from 'zod'
import { nullableText } from '../../api/schema.ts'
import { type RowOf, table } from '../../storage/table.ts'
import { dataTypes } from './schema.ts'

export const priorityId = (dataType: string, slug: string): string => `${dataType}/${slug}`

/** A team's priority of a provider for a kind of data; the larger number wins. */
export const priorities = table(
  'source_priorities',
  () => z.object({ data_type: z.enum(dataTypes), slug: z.string(), priority: z.number() }),
  ({ data_type, slug }) => priorityId(data_type, slug),
)

export type TeamProfile = Omit<RowOf<typeof teamProfiles>, 'team_id'>

/** The branding of a team in mails and documents. */
export const brandFields = () => ({
  company_name: z.string(),
  company_website: z.string(),
  support_email: z.string().meta({ format: 'email' }),
  support_contact: nullableText(),
  company_address: z.string(),
  brand_color: z.string(),
})

/** Settings of a team that are not features of its world. Source: docs/contract/management.md. */
export const teamProfiles = table(
  'team_profiles',
  () =>
    z.object({
      team_id: z.string(),
      lab_tests_patient_sms_communication_enabled: z.boolean(),
      lab_tests_patient_email_communication_enabled: z.boolean(),
      critical_result_notification_email: nullableText(),
      brand_information: z.object(brandFields()).nullable(),
      logo_url: nullableText(),
      sdk_per_device_activity_timeseries: z.boolean(),
    }),
  ({ team_id }) => team_id,
)
