import * as z from 'zod'
import { boolean, email, maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { webUrl } from '../../webhooks/fields.ts'
import { NAME } from '../organisation/schema.ts'
import { environment, environments, orgId, region, regions } from '../parts.ts'

export const TeamPath = unnamed(() => z.object({ org_id: orgId(), team_id: uuid() }))

const teamName = () => text().regex(NAME)
const integrationTeamId = () => maybe(text().max(256))

const Brand = schema('ManagedTeamBrand', () =>
  z.object({
    company_name: z.string(),
    company_website: z.string(),
    support_email: z.string().meta({ format: 'email' }),
    support_contact: z.string().nullable(),
    company_address: z.string(),
    brand_color: z.string(),
  }),
)

const BrandInput = schema('ManagedTeamBrandInput', () =>
  z.object({
    company_name: text(),
    company_website: text().default(''),
    support_email: email().default('help@petri.example'),
    support_contact: maybe(text()),
    company_address: text().default(''),
    brand_color: text().default(''),
  }),
)

const BrandPatch = schema('ManagedTeamBrandPatch', () =>
  z.object({
    company_name: maybe(text()),
    company_website: maybe(text()),
    support_email: maybe(email()),
    support_contact: maybe(text()),
    company_address: maybe(text()),
    brand_color: maybe(text()),
  }),
)

const TeamEnvironment = schema('ManagedTeamEnvironment', () =>
  z.object({
    lab_tests_patient_sms_communication_enabled: z.boolean(),
    lab_tests_patient_email_communication_enabled: z.boolean(),
    critical_result_notification_email: z.string().meta({ format: 'email' }).nullable(),
    brand_information: Brand().nullable(),
    logo_url: z.string().meta({ format: 'uri' }).nullable(),
    reject_duplicate_connection: z.boolean(),
    sdk_per_device_activity_timeseries: z.boolean(),
    partial_webhooks_enabled: z.boolean().nullable(),
    minor_ordering_enabled: z.boolean().nullable(),
  }),
)

const TeamHead = unnamed(() =>
  z.object({
    id: z.uuid(),
    name: z.string(),
    created_on: z.iso.datetime({ offset: true }),
    region: z.enum(regions),
    integration_team_id: z.string().nullable(),
  }),
)

/** A team of the organisation, which is a world. */
export const ManagedTeam = schema('ManagedTeam', () =>
  TeamHead().extend({
    environments: z.array(z.enum(environments)),
    sandbox: TeamEnvironment().nullable(),
    production: TeamEnvironment().nullable(),
  }),
)

export const ManagedTeamList = schema('ManagedTeamList', () =>
  z.object({ teams: z.array(TeamHead()), next_cursor: z.string().nullable() }),
)

export const TeamQuery = unnamed(() =>
  z.object({
    next_cursor: maybe(text()),
    region: maybe(z.array(region())),
    search_query: maybe(teamName()),
    team_id: maybe(uuid()),
  }),
)

export const IncludeQuery = unnamed(() =>
  z.object({ include_environment: z.array(environment()).default([]) }),
)

export const TeamInput = schema('ManagedTeamInput', () =>
  z.object({
    lab_tests_patient_sms_communication_enabled: boolean().default(true),
    lab_tests_patient_email_communication_enabled: boolean().default(true),
    critical_result_notification_email: maybe(email()),
    brand_information: maybe(BrandInput()),
    logo_url: maybe(webUrl()),
    reject_duplicate_connection: boolean().default(false),
    sdk_per_device_activity_timeseries: boolean().default(false),
    partial_webhooks_enabled: maybe(boolean()),
    minor_ordering_enabled: maybe(boolean()),
    id: maybe(uuid()),
    name: teamName(),
    region: oneOf(regions),
    integration_team_id: integrationTeamId(),
  }),
)

const TeamEnvironmentPatch = schema('ManagedTeamEnvironmentPatch', () =>
  z.object({
    lab_tests_patient_sms_communication_enabled: maybe(boolean()),
    lab_tests_patient_email_communication_enabled: maybe(boolean()),
    critical_result_notification_email: maybe(email()),
    partial_webhooks_enabled: maybe(boolean()),
    minor_ordering_enabled: maybe(boolean()),
    reject_duplicate_connection: maybe(boolean()),
    sdk_per_device_activity_timeseries: maybe(boolean()),
    patient_experience: maybe(boolean()),
    brand_information: maybe(BrandPatch()),
    logo_url: maybe(webUrl()),
  }),
)
export type EnvironmentPatch = z.output<ReturnType<typeof TeamEnvironmentPatch>>

export const TeamPatch = schema('ManagedTeamPatch', () =>
  z.object({
    name: maybe(teamName()),
    integration_team_id: integrationTeamId(),
    sandbox: maybe(TeamEnvironmentPatch()),
    production: maybe(TeamEnvironmentPatch()),
  }),
)

/** The team that already has this id. */
export const TeamNameTaken = schema('ManagedTeamNameTaken', () => z.object({ team_id: z.uuid() }))

export const ResolveTeam = schema('ManagedTeamResolve', () =>
  z.object({ integration_team_id: text().max(256) }),
)

export const AccessTokenInput = schema('AccessTokenInput', () => z.object({ env: environment() }))
export const AccessToken = schema('AccessToken', () =>
  z.object({ access_token: z.string(), expires_in: z.int() }),
)
