import { operation } from '../../api/operation.ts'
import { Nothing, OrganisationPath } from '../organisation/schema.ts'
import type { ManagementParts } from '../parts.ts'
import * as schemas from './schema.ts'
import * as service from './service.ts'

export const domainOperations = (parts: ManagementParts) => [
  operation({
    id: 'list_org_domains',
    route: 'GET /v1/org/{org_id}/domain',
    summary: 'List the domains of the organisation',
    params: OrganisationPath,
    returns: schemas.DomainList,
    run: () => ({ data: service.listDomains(parts) }),
  }),
  operation({
    id: 'create_org_domain',
    route: 'POST /v1/org/{org_id}/domain',
    summary: 'Add a domain, to be verified by a DNS record',
    params: OrganisationPath,
    body: schemas.DomainInput,
    returns: schemas.Domain,
    status: 201,
    run: (_, { body }) => service.addDomain(parts, body),
  }),
  operation({
    id: 'get_org_domain',
    route: 'GET /v1/org/{org_id}/domain/{domain_id}',
    summary: 'Get a domain with the DNS record it is verified by',
    params: schemas.DomainPath,
    returns: schemas.Domain,
    run: (_, { params }) => service.getDomain(parts, params.domain_id),
  }),
  operation({
    id: 'delete_org_domain',
    route: 'DELETE /v1/org/{org_id}/domain/{domain_id}',
    summary: 'Remove a domain',
    params: schemas.DomainPath,
    returns: Nothing,
    run: (_, { params }) => service.removeDomain(parts, params.domain_id),
  }),
  ...verificationOperations(parts),
]

const verificationOperations = (parts: ManagementParts) => [
  operation({
    id: 'send_org_domain_instructions',
    route: 'POST /v1/org/{org_id}/domain/{domain_id}/send_domain_instructions',
    summary: 'Have somebody told which DNS record to enter; Petri sends no e-mail',
    params: schemas.DomainPath,
    body: schemas.InstructionsInput,
    returns: schemas.InstructionsSent,
    run: (_, { params }) => service.sendInstructions(parts, params.domain_id),
  }),
  operation({
    id: 'verify_org_domain',
    route: 'POST /v1/org/{org_id}/domain/{domain_id}/verify',
    summary: 'Look whether the DNS record of a domain is there',
    params: schemas.DomainPath,
    returns: schemas.DomainVerified,
    run: (_, { params }) => service.verifyDomain(parts, params.domain_id),
  }),
]

/** Control calls that stand for actions outside Petri. */
export const domainControlOperations = (parts: ManagementParts) => [
  operation({
    id: 'petri_domain_publish',
    route: 'POST /_petri/organisation/domains/{domain_id}/publish',
    access: 'control',
    summary: 'Enter the DNS record of a domain of the organisation, so that it can be verified',
    params: schemas.PublishedPath,
    returns: schemas.Domain,
    run: (_, { params }) => service.publishDomain(parts, params.domain_id),
  }),
]
