import * as z from 'zod'
import { integer, maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { instant, nullableText, schema, unnamed } from '../../api/schema.ts'
import { providerSlugs, resourceSlugs, sourceSlugs } from '../providers/schema.ts'

const paging = () => ({
  user_id: maybe(uuid()),
  user_limit: integer({ ge: 1 }).default(50),
  cursor: maybe(text()).meta({ deprecated: true }),
  next_cursor: maybe(text()),
})

export const ResourcesQuery = unnamed(() => ({ ...paging(), provider: maybe(oneOf(providerSlugs)) }))
export const PullsQuery = unnamed(() => ({ ...paging(), provider: maybe(oneOf(sourceSlugs)) }))

const page = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    next: nullableText().meta({ deprecated: true }),
    next_cursor: nullableText(),
  })

const ResourceStatistics = schema('ResourceStatistics', () => ({
  last_attempt: z.object({ timestamp: instant(), status: z.enum(['success', 'failure']) }).nullable(),
  oldest_data: instant().nullable(),
  newest_data: instant().nullable(),
  sent_count: z.int().nullable(),
}))

const UserResources = schema('UserResources', () => ({
  user_id: z.guid(),
  provider: z.record(z.string(), z.record(z.string(), ResourceStatistics())),
}))

export const UserResourcesPage = schema('UserResourcesPage', () => page(UserResources()))

const PullStatistics = schema('PullStatistics', () => ({
  status: z.enum(['success', 'failure', 'in_progress', 'scheduled', 'retrying']),
  range_start: instant().nullable(),
  range_end: instant().nullable(),
  timeline: z.object({
    scheduled_at: instant(),
    started_at: instant().nullable(),
    ended_at: instant().nullable(),
  }),
  days_with_data: z.int(),
  release: z.string(),
  trace_id: nullableText(),
  error_details: z
    .enum([
      'provider_rate_limit_exceeded',
      'provider_unavailable',
      'transport_failure',
      'resource_contention',
      'non_retriable_error',
      'unexpected_error',
      'retry_quota_exhausted',
    ])
    .nullable(),
}))

const UserPulls = schema('UserPulls', () => ({
  user_id: z.guid(),
  provider: z.record(
    z.string(),
    z.object({
      pulled: z.record(z.string(), PullStatistics()),
      not_pulled: z.array(z.enum(resourceSlugs)),
    }),
  ),
}))

export const UserPullsPage = schema('UserPullsPage', () => page(UserPulls()))
