import * as z from 'zod'
import { boolean, integer, maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { pageOf } from '../../api/pagination.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { customHeaders, receiverUrl } from '../../webhooks/fields.ts'
import { SECRET_PATTERN } from '../../webhooks/signature.ts'
import { environment, orgId } from '../parts.ts'

const inEnvironment = () => z.object({ environment: environment(), org_id: orgId(), team_id: uuid() })

export const EnvironmentPath = unnamed(inEnvironment)
export const WebhookPath = unnamed(() => inEnvironment().extend({ webhook_id: text() }))

const moment = () => z.iso.datetime({ offset: true })
const filterTypes = () => maybe(z.array(text()).min(1))

/** An endpoint without its secret. Source: contract/webhooks.md §10. */
export const ManagedWebhook = schema('ManagedWebhook', () =>
  z.object({
    id: z.string(),
    description: z.string().nullable(),
    rate_limit: z.int().nullable(),
    url: z.string(),
    disabled: z.boolean().nullable(),
    filter_types: z.array(z.string()).nullable(),
    created_at: moment(),
    updated_at: moment(),
  }),
)

export const ManagedWebhookList = schema('ManagedWebhookList', () => pageOf(ManagedWebhook()))

export const WebhookQuery = unnamed(() =>
  z.object({ limit: integer({ ge: 1, le: 250 }).default(50), next_cursor: maybe(text()) }),
)

export const WebhookInput = schema('ManagedWebhookInput', () =>
  z.object({
    description: text().default(''),
    rate_limit: maybe(integer({ ge: 1 })),
    url: receiverUrl(),
    disabled: boolean().default(false),
    filter_types: filterTypes(),
    secret: maybe(text().regex(SECRET_PATTERN)),
  }),
)

export const WebhookPatch = schema('ManagedWebhookPatch', () =>
  z.object({
    description: maybe(text()),
    rate_limit: maybe(integer({ ge: 1 })),
    url: maybe(receiverUrl()),
    disabled: maybe(boolean()),
    filter_types: filterTypes(),
  }),
)

export const WebhookHeaders = schema('ManagedWebhookHeaders', () =>
  z.object({ headers: z.record(z.string(), z.string()), sensitive: z.array(z.string()) }),
)
export const WebhookHeadersInput = schema('ManagedWebhookHeadersInput', () =>
  z.object({ headers: customHeaders() }),
)

export const WebhookSecret = schema('ManagedWebhookSecret', () => z.object({ key: z.string() }))
export const WebhookSecretInput = schema('ManagedWebhookSecretInput', () =>
  z.object({ key: maybe(text().regex(SECRET_PATTERN)) }),
)

/** Seconds between two values of a metric. */
export const intervals = { '5m': 300, '15m': 900, '1h': 3600, '1d': 86_400 } as const
export const MetricQuery = unnamed(() =>
  z.object({ interval: oneOf(['5m', '15m', '1h', '1d']).default('1h') }),
)

export const DeliveryMetric = schema('EventDeliveryMetric', () =>
  z.object({
    status: z.literal('success'),
    data: z.object({
      resultType: z.literal('matrix'),
      result: z.array(
        z.object({
          metric: z.record(z.string(), z.string()),
          /** Seconds since 1970, and the count. */
          values: z.array(z.tuple([z.number(), z.string()])),
        }),
      ),
    }),
  }),
)
