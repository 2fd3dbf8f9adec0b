import * as z from 'zod'
import { unnamed } from '../../api/schema.ts'
import { ConnectionError } from '../../resources/connections/schema.ts'
import { BulkOp, Recipe } from '../../resources/link/schema.ts'
import { providerSlugs } from '../../resources/providers/schema.ts'
import { Query, QueryConfig, TaskHistory } from '../../resources/sense/schema.ts'
import { dataTypes } from '../../resources/team/schema.ts'
import { User } from '../../resources/users/schema.ts'
import { instant } from './rows-of-world.ts'

/** Schemas of the stored rows about users, connections and health data. */

const texts = () => z.array(z.string())
const count = () => z.int().min(0)
const provider = () => z.enum(providerSlugs)

export const DeletedUserRow = unnamed(() => z.looseObject({ user: User(), until: instant() }))

export const RefreshesRow = unnamed(() => z.looseObject({ user_id: z.string(), at: z.array(instant()) }))

export const PortalPassRow = unnamed(() =>
  z.looseObject({
    token: z.string(),
    user_id: z.string(),
    order_id: z.string().nullable(),
    expires_at: instant(),
  }),
)

export const PriorityRow = unnamed(() =>
  z.looseObject({ data_type: z.enum(dataTypes), slug: z.string(), priority: z.number() }),
)

export const TeamProfileRow = unnamed(() => {
  const text = () => z.string()
  return z.looseObject({
    team_id: text(),
    lab_tests_patient_sms_communication_enabled: z.boolean(),
    lab_tests_patient_email_communication_enabled: z.boolean(),
    critical_result_notification_email: text().nullable(),
    brand_information: z
      .looseObject({
        company_name: text(),
        company_website: text(),
        support_email: text(),
        support_contact: text().nullable(),
        company_address: text(),
        brand_color: text(),
      })
      .nullable(),
    logo_url: text().nullable(),
    sdk_per_device_activity_timeseries: z.boolean(),
  })
})

export const ConnectionRow = unnamed(() =>
  z.looseObject({
    user_id: z.string(),
    provider: provider(),
    ordinal: count(),
    created_on: z.iso.datetime({ offset: true }),
    known_since: instant(),
    external_user_id: z.string().nullable(),
    denied_scopes: texts().optional(),
    demo: z.boolean(),
    error: ConnectionError().nullable(),
    paused: z.boolean(),
    backfill: z.looseObject({ scheduled_at: instant(), ended_at: instant().nullable() }),
    time_zone: timeZone(),
    periods: z.array(
      z.looseObject({
        from: instant(),
        from_by_resource: z.record(z.string(), instant()).optional(),
        until: instant().nullable(),
      }),
    ),
    synced_until: instant().nullable(),
  }),
)

const timeZone = () =>
  z.string().refine((zone) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      return false
    }
  }, 'Input should be the name of a time zone')

export const PullPreferenceRow = unnamed(() =>
  z.looseObject({ provider: z.string(), days: count(), days_by_resource: z.record(z.string(), count()) }),
)

export const LinkTokenRow = unnamed(() =>
  z.looseObject({
    token: z.string(),
    user_id: z.string(),
    scenario: z.string().optional(),
    expires_at: instant(),
    consumed: z.boolean(),
    started: z.string().nullable(),
    pending: z
      .looseObject({
        provider: z.string(),
        account: z.string(),
        method: z.enum(['sms', 'email']),
        hint: z.string(),
      })
      .nullable(),
  }),
)

export const RecipeRow = unnamed(() => Recipe().extend({ provider: provider() }))

export const BulkOpRow = unnamed(() =>
  BulkOp().extend({
    id: z.string(),
    user_ids: texts(),
    failed: texts(),
    connections: z.array(Recipe()),
  }),
)

export const ScopeRequirementRow = unnamed(() =>
  z.looseObject({ provider: z.string(), user_must_grant: texts(), user_may_grant: texts() }),
)

export const ProviderCredentialsRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    provider: z.string(),
    client_id: z.string().nullable(),
    client_secret_hash: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
    redirect_url_override: z.string().nullable(),
    created_at: instant(),
    updated_at: instant(),
  }),
)

export const ConnectionFeedRow = unnamed(() =>
  z.looseObject({
    user_id: z.string(),
    provider: z.string(),
    chapters: z.array(
      z.looseObject({
        scenario: z.string(),
        began: instant(),
        ended: instant().nullable(),
        whole: z.boolean(),
        steps: z.array(z.looseObject({ verb: z.string(), atMs: z.number() })),
      }),
    ),
  }),
)

export const SentRow = unnamed(() =>
  z.looseObject({
    user_id: z.string(),
    provider: z.string(),
    resource: z.string(),
    last_at: instant(),
    backfilled_at: instant().nullable(),
    oldest_data: z.iso.datetime({ offset: true }).nullable(),
    newest_data: z.iso.datetime({ offset: true }).nullable(),
    sent_count: count(),
  }),
)

export const StoredFeedRow = unnamed(() =>
  z.looseObject({
    user_id: z.string(),
    series: z.string(),
    provider: z.string(),
    source_type: z.string(),
    first: instant(),
    last: instant(),
  }),
)

export const StoredSampleRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    day: z.string(),
    sample: z.looseObject({
      start: instant(),
      end: instant(),
      offsetSeconds: z.number().nullable(),
      value: z.union([z.number(), z.string()]).nullable(),
      type: z.string().nullable(),
      more: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
)

export const StoredSummaryRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    user_id: z.string(),
    resource: z.string(),
    provider: z.string(),
    date: z.iso.date(),
    item: z.record(z.string(), z.unknown()),
  }),
)

export const ContinuousQueryRow = unnamed(() =>
  z.looseObject({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    created_at: z.iso.datetime({ offset: true }),
    resource: z.string(),
    query: Query(),
    query_config: QueryConfig(),
  }),
)

export const QuerySchedulingRow = unnamed(() =>
  z.looseObject({ query_id: z.string(), minimum_gap_duration_second: z.number().nullable() }),
)

export const ResultTableRow = unnamed(() => {
  const values = () => z.array(z.unknown())
  return z.looseObject({
    query_id: z.string(),
    user_id: z.string(),
    lines: z.array(z.looseObject({ keys: values(), cells: values() })),
  })
})

export const TaskRow = unnamed(() => TaskHistory().shape.data.element.extend({ ordinal: count() }))
