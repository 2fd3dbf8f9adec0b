import * as z from 'zod'
import type { Manager } from '../api/credentials.ts'
import { email, field, maybe, oneOf, text } from '../api/fields.ts'
import { valueError } from '../api/issue.ts'
import { pageOf } from '../api/pagination.ts'
import { nullableText, schema, texts, unnamed } from '../api/schema.ts'
import { conflict, orNotFound } from '../kernel/problem.ts'
import { type RowOf, table } from '../storage/table.ts'
import { webUrl } from '../webhooks/fields.ts'
import type { Organisation } from '../world/organisation.ts'
import { collection, pageById } from './collection.ts'
import { Nothing, Refusal, TeamBinding, TeamBindingInput } from './fields.ts'
import { managed } from './operation.ts'
import { boundTeams, ofTeams, seenBy, toBindings } from './teams-of-key.ts'

export const modalities = ['feature_embed', 'link_out'] as const

const configFields = () => ({
  slug: z.string(),
  modalities: z.array(z.enum(modalities)),
  origin_configs: z.array(z.object({ origin: z.string(), session_continuation_url: nullableText() })),
})

/** Settings for an application that embeds the dashboard. */
const integrationConfigs = table(
  'ehr_integration',
  () =>
    z.object({
      id: z.literal('configuration'),
      ...configFields(),
    }),
  ({ id }) => id,
)
type IntegrationConfigRow = RowOf<typeof integrationConfigs>

/** Members who sign in through the organisation's own application. */
export const managedMembers = table(
  'ehr_integration_members',
  () =>
    z.object({
      id: z.string(),
      /** The application's id of the member. */
      integration_member_id: z.string(),
      name: z.string(),
      email: z.string(),
      avatar: nullableText(),
      team_ids: texts(),
    }),
  ({ id }) => id,
  ofTeams,
)
type ManagedMemberRow = RowOf<typeof managedMembers>
const members = collection(managedMembers, 'Member not found')

/** A web origin: scheme, host and port, without a path. */
const origin = () =>
  field({ type: 'string' }, (input) => {
    if (typeof input !== 'string') return { type: 'string_type', msg: 'Input should be a valid string' }
    const isOrigin = URL.canParse(input) && /^https?:/.test(input) && new URL(input).origin === input
    return isOrigin ? input : valueError('an origin is https:// or http://, a host and a port')
  })

const SLUG = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/
export const externalId = () => text().max(256)

const IntegrationConfig = schema('EhrIntegrationConfiguration', () => z.object(configFields()))

const ConfigInput = schema('EhrIntegrationConfigurationInput', () => ({
  slug: text().min(3).max(63).regex(SLUG),
  modalities: z.array(oneOf(modalities)),
  origin_configs: z.array(z.object({ origin: origin(), session_continuation_url: maybe(webUrl()) })),
}))

const ManagedMember = schema('IntegrationManagedMember', () => ({
  id: z.uuid(),
  integration_member_id: z.string(),
  name: z.string(),
  email: z.string(),
  avatar: nullableText(),
  team_role_bindings: z.array(TeamBinding()).nullable(),
}))

const ManagedMemberPage = schema('IntegrationManagedMemberPage', () => pageOf(ManagedMember()))

const ManagedMemberQuery = unnamed(() => ({ next_cursor: maybe(text()) }))

/** The member that already has this integration member id. */
const MemberIdTaken = schema('IntegrationMemberIdTaken', () => ({ member_id: z.uuid() }))

const ManagedMemberInput = schema('IntegrationManagedMemberInput', () => ({
  integration_member_id: externalId(),
  name: text(),
  email: email(),
  avatar: maybe(text()),
  team_role_bindings: maybe(z.array(TeamBindingInput())),
}))

const ManagedMemberPatch = schema('IntegrationManagedMemberPatch', () => ({
  name: maybe(text()),
  email: maybe(email()),
  avatar: maybe(text()),
  team_role_bindings: maybe(z.array(TeamBindingInput())),
}))

const ResolveMember = schema('IntegrationManagedMemberResolve', () => ({
  integration_member_id: externalId(),
}))

/** A slug that is always refused as taken, so that clients can test this error. */
const TAKEN_SLUG = 'taken'

export const ehrIntegrationOperations = [
  managed({
    id: 'get_ehr_integration_configuration',
    route: 'GET /v1/org/{org_id}/ehr_integration/configuration',
    summary: 'Show how the dashboard is embedded in an application of your own',
    returns: IntegrationConfig,
    run: (_world, _input, { organisation }) => presentConfig(getConfig(organisation)),
  }),
  managed({
    id: 'upsert_ehr_integration_configuration',
    route: 'PUT /v1/org/{org_id}/ehr_integration/configuration',
    summary: 'Set how the dashboard is embedded in an application of your own',
    adminsOnly: true,
    body: ConfigInput,
    returns: IntegrationConfig,
    alsoReturns: { 409: Refusal },
    async run(_, { body: { slug, modalities, origin_configs } }, { organisation }) {
      if (slug === TAKEN_SLUG) throw conflict(`The slug ${slug} is taken.`)
      const config = await organisation.change((db) =>
        db.put(integrationConfigs, {
          id: 'configuration',
          slug,
          modalities: [...new Set(modalities)],
          origin_configs: origin_configs.map(({ origin, session_continuation_url = null }) => ({
            origin,
            session_continuation_url,
          })),
        }),
      )
      return presentConfig(config)
    },
  }),
  managed({
    id: 'list_integration_managed_members',
    route: 'GET /v1/org/{org_id}/ehr_integration/member',
    summary: 'List the members your application signs in',
    query: ManagedMemberQuery,
    returns: ManagedMemberPage,
    run(_, { query }, { organisation, manager }) {
      const seen = seenBy(manager, members.list(organisation))
      const { items, ...page } = pageById(['ehr_members'], seen, query.next_cursor)
      return { data: items.map(presentMember), ...page }
    },
  }),
  managed({
    id: 'create_integration_managed_member',
    route: 'POST /v1/org/{org_id}/ehr_integration/member',
    summary: 'Add a member by your own id, with the teams they manage',
    adminsOnly: true,
    body: ManagedMemberInput,
    returns: ManagedMember,
    alsoReturns: { 409: MemberIdTaken },
    async run(_, { body }, { worlds, organisation }) {
      const { integration_member_id, name, email, avatar = null, team_role_bindings } = body
      const team_ids = boundTeams(worlds, team_role_bindings)
      const row = await members.create(
        organisation,
        'managed_member',
        (existing) => {
          const taken = existing.find((known) => known.integration_member_id === integration_member_id)
          if (taken) throw conflict('', { bare: { member_id: taken.id } })
        },
        ({ id }) => ({ id, integration_member_id, name, email, avatar, team_ids }),
      )
      return presentMember(row)
    },
  }),
  managed({
    id: 'resolve_integration_managed_member',
    route: 'POST /v1/org/{org_id}/ehr_integration/resolve_member',
    summary: 'Find a member by your own id',
    body: ResolveMember,
    returns: ManagedMember,
    run: (_, { body }, { organisation, manager }) =>
      presentMember(getManagedMember(organisation, manager, body)),
  }),
  managed({
    id: 'get_integration_managed_member',
    route: 'GET /v1/org/{org_id}/ehr_integration/member/{member_id}',
    summary: 'Get a member your application signs in',
    returns: ManagedMember,
    run: (_, { params }, { organisation, manager }) =>
      presentMember(getManagedMember(organisation, manager, params)),
  }),
  managed({
    id: 'update_integration_managed_member',
    route: 'PATCH /v1/org/{org_id}/ehr_integration/member/{member_id}',
    summary: 'Change a member your application signs in',
    adminsOnly: true,
    body: ManagedMemberPatch,
    returns: ManagedMember,
    alsoReturns: { 409: MemberIdTaken },
    /** Fields that are null or omitted stay unchanged, except that null removes the avatar. */
    async run(_, { params, body: { name, email, avatar, team_role_bindings } }, { worlds, organisation }) {
      const row = await members.update(organisation, params.member_id, (known) => ({
        ...known,
        name: name ?? known.name,
        email: email ?? known.email,
        avatar: avatar === undefined ? known.avatar : avatar,
        team_ids: team_role_bindings ? boundTeams(worlds, team_role_bindings) : known.team_ids,
      }))
      return presentMember(row)
    },
  }),
  managed({
    id: 'delete_integration_managed_member',
    route: 'DELETE /v1/org/{org_id}/ehr_integration/member/{member_id}',
    summary: 'Remove a member your application signs in',
    adminsOnly: true,
    returns: Nothing,
    run: (_, { params }, { organisation }) => members.delete(organisation, params.member_id),
  }),
]

export const getConfig = ({ db }: Organisation): IntegrationConfigRow =>
  orNotFound(db.find(integrationConfigs, 'configuration'), 'The EHR integration is not configured')

const presentConfig = ({ slug, modalities, origin_configs }: IntegrationConfigRow) => ({
  slug,
  modalities: [...modalities],
  origin_configs: [...origin_configs],
})

interface MemberIds {
  readonly member_id?: string | null | undefined
  readonly integration_member_id?: string | null | undefined
}

/** A member by id or integration member id. Throws unless the key may see it. */
export const getManagedMember = (
  organisation: Organisation,
  manager: Manager,
  ids: MemberIds,
): ManagedMemberRow =>
  orNotFound(
    seenBy(manager, members.list(organisation)).find(({ id, integration_member_id }) =>
      ids.member_id ? id === ids.member_id : integration_member_id === ids.integration_member_id,
    ),
    'Member not found',
  )

/** The member with this id; undefined after it was removed. */
export const findManagedMember = (organisation: Organisation, id: string): ManagedMemberRow | undefined =>
  members.list(organisation).find((member) => member.id === id)

const presentMember = ({ team_ids, ...member }: ManagedMemberRow) => ({
  ...member,
  team_role_bindings: toBindings(team_ids),
})
