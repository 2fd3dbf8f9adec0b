import * as z from 'zod'
import { email, maybe, nullable, oneOf, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { Creator, TeamBinding, TeamBindingInput } from '../keys/schema.ts'
import { orgId } from '../parts.ts'
import { memberRoles } from './table.ts'

const moment = () => z.iso.datetime({ offset: true })

export const MemberPath = unnamed(() => z.object({ org_id: orgId(), member_id: uuid() }))
export const InvitePath = unnamed(() => z.object({ org_id: orgId(), invite_id: uuid() }))
export const AcceptedPath = unnamed(() => z.object({ invite_id: uuid() }))

export const PeopleQuery = unnamed(() =>
  z.object({ next_cursor: maybe(text()), search_query: maybe(text()) }),
)

export const Member = schema('OrganisationMember', () =>
  z.object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    created_on: moment(),
    role: z.enum(memberRoles),
    team_role_bindings: z.array(TeamBinding()).nullable(),
  }),
)

export const MemberList = schema('OrganisationMemberList', () =>
  z.object({ members: z.array(Member()), next_cursor: z.string().nullable() }),
)

export const MemberUpdate = schema('OrganisationMemberUpdate', () =>
  z.object({ role: nullable(oneOf(memberRoles)), team_role_bindings: nullable(z.array(TeamBindingInput())) }),
)

const Invite = schema('OrganisationInvite', () =>
  z.object({
    id: z.uuid(),
    email: z.string(),
    invited_at: moment(),
    resent_at: moment().nullable(),
    creator: Creator(),
    role: z.enum(memberRoles),
    team_role_bindings: z.array(TeamBinding()).nullable(),
  }),
)

export const InviteList = schema('OrganisationInviteList', () =>
  z.object({ invites: z.array(Invite()), next_cursor: z.string().nullable() }),
)

export const InviteInput = schema('OrganisationInviteInput', () =>
  z.object({
    email: email(),
    role: oneOf(memberRoles).default('org_admin'),
    team_role_bindings: maybe(z.array(TeamBindingInput())),
  }),
)

export const InviteOutcome = schema('OrganisationInviteOutcome', () =>
  z.object({ status: z.enum(['invite_created', 'invite_resent', 'already_in_org']) }),
)

export const InviteAccepted = schema('OrganisationInviteAccepted', () =>
  z.object({ name: maybe(text().min(1)) }),
)
