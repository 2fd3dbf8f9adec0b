import { operation } from '../../api/operation.ts'
import { Nothing, OrganisationPath, Refusal } from '../organisation/schema.ts'
import { type ManagementParts, managerIn } from '../parts.ts'
import * as schemas from './schema.ts'
import * as service from './service.ts'

export const memberOperations = (parts: ManagementParts) => [
  operation({
    id: 'list_members_in_org',
    route: 'GET /v1/org/{org_id}/member',
    summary: 'List who belongs to the organisation',
    params: OrganisationPath,
    query: schemas.PeopleQuery,
    returns: schemas.MemberList,
    run: (_, { query }, context) => service.listMembers(parts, managerIn(context), query),
  }),
  operation({
    id: 'update_member',
    route: 'PATCH /v1/org/{org_id}/member/{member_id}',
    summary: 'Give a member another role, or other teams',
    params: schemas.MemberPath,
    body: schemas.MemberUpdate,
    returns: Nothing,
    run: (_, { params, body }) => service.updateMember(parts, params.member_id, body),
  }),
  operation({
    id: 'remove_member_from_org',
    route: 'DELETE /v1/org/{org_id}/member/{member_id}',
    summary: 'Remove a member from the organisation',
    params: schemas.MemberPath,
    returns: Nothing,
    run: (_, { params }) => service.removeMember(parts, params.member_id),
  }),
]

export const inviteOperations = (parts: ManagementParts) => [
  operation({
    id: 'list_invites_in_org',
    route: 'GET /v1/org/{org_id}/invite',
    summary: 'List the invites that can be accepted now',
    params: OrganisationPath,
    query: schemas.PeopleQuery,
    returns: schemas.InviteList,
    run: (_, { query }, context) => service.listInvites(parts, managerIn(context), query),
  }),
  operation({
    id: 'create_or_resend_invite_in_org',
    route: 'POST /v1/org/{org_id}/invite',
    summary: 'Invite somebody to the organisation, or invite them once more',
    params: OrganisationPath,
    body: schemas.InviteInput,
    returns: schemas.InviteOutcome,
    alsoReturns: { 409: Refusal },
    run: (_, { body }) => service.invite(parts, body),
  }),
  operation({
    id: 'revoke_invite_in_org',
    route: 'DELETE /v1/org/{org_id}/invite/{invite_id}',
    summary: 'Take an invite back',
    params: schemas.InvitePath,
    returns: Nothing,
    run: (_, { params }) => service.revokeInvite(parts, params.invite_id),
  }),
]

/** Control calls that stand for actions outside Petri. */
export const inviteControlOperations = (parts: ManagementParts) => [
  operation({
    id: 'petri_invite_accept',
    route: 'POST /_petri/organisation/invites/{invite_id}/accept',
    access: 'control',
    summary: 'Accept an invite to the organisation, as whoever got it would',
    params: schemas.AcceptedPath,
    body: schemas.InviteAccepted,
    bodyOptional: true,
    returns: schemas.Member,
    run: (_, { params, body }) => service.acceptInvite(parts, params.invite_id, body?.name),
  }),
]
