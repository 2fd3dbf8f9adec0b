import * as z from 'zod'
import { email, field, maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { pageOf } from '../../api/pagination.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { webUrl } from '../../webhooks/fields.ts'
import { TeamBinding, TeamBindingInput } from '../keys/schema.ts'
import { environment, orgId } from '../parts.ts'
import { modalities } from './table.ts'

/** A web origin: scheme, host and port, without a path. */
const origin = () =>
  field({ type: 'string' }, (input) => {
    if (typeof input !== 'string') return { type: 'string_type', msg: 'Input should be a valid string' }
    const isOrigin = URL.canParse(input) && /^https?:/.test(input) && new URL(input).origin === input
    return isOrigin ? input : valueError('an origin is https:// or http://, a host and a port')
  })

const SLUG = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/
const externalId = () => text().max(256)

export const IntegrationConfig = schema('EhrIntegrationConfiguration', () =>
  z.object({
    slug: z.string(),
    modalities: z.array(z.enum(modalities)),
    origin_configs: z.array(
      z.object({ origin: z.string(), session_continuation_url: z.string().nullable() }),
    ),
  }),
)

export const ConfigInput = schema('EhrIntegrationConfigurationInput', () =>
  z.object({
    slug: text().min(3).max(63).regex(SLUG),
    modalities: z.array(oneOf(modalities)),
    origin_configs: z.array(z.object({ origin: origin(), session_continuation_url: maybe(webUrl()) })),
  }),
)

export const ManagedMember = schema('IntegrationManagedMember', () =>
  z.object({
    id: z.uuid(),
    integration_member_id: z.string(),
    name: z.string(),
    email: z.string(),
    avatar: z.string().nullable(),
    team_role_bindings: z.array(TeamBinding()).nullable(),
  }),
)

export const ManagedMemberPage = schema('IntegrationManagedMemberPage', () => pageOf(ManagedMember()))

export const ManagedMemberQuery = unnamed(() => z.object({ next_cursor: maybe(text()) }))
export const ManagedMemberPath = unnamed(() => z.object({ org_id: orgId(), member_id: uuid() }))

/** The member that already has this integration member id. */
export const MemberIdTaken = schema('IntegrationMemberIdTaken', () => z.object({ member_id: z.uuid() }))

export const ManagedMemberInput = schema('IntegrationManagedMemberInput', () =>
  z.object({
    integration_member_id: externalId(),
    name: text(),
    email: email(),
    avatar: maybe(text()),
    team_role_bindings: maybe(z.array(TeamBindingInput())),
  }),
)

export const ManagedMemberPatch = schema('IntegrationManagedMemberPatch', () =>
  z.object({
    name: maybe(text()),
    email: maybe(email()),
    avatar: maybe(text()),
    team_role_bindings: maybe(z.array(TeamBindingInput())),
  }),
)

export const ResolveMember = schema('IntegrationManagedMemberResolve', () =>
  z.object({ integration_member_id: externalId() }),
)

export const DashboardInput = schema('DashboardUrlInput', () =>
  z.object({
    member_id: maybe(uuid()),
    integration_member_id: maybe(externalId()),
    team_id: maybe(uuid()),
    integration_team_id: maybe(externalId()),
    feature: text(),
    modality: oneOf(modalities),
    environment: environment(),
  }),
)

/** `expires_in` is in seconds. */
export const DashboardUrl = schema('DashboardUrl', () => z.object({ url: z.url(), expires_in: z.int() }))

export const DashboardQuery = unnamed(() => z.object({ token: text().default('') }))
