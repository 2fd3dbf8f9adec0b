import * as z from 'zod'
import { email, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { orgId } from '../parts.ts'

const DOMAIN = /^(?=.{1,253}$)([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$/

export const DomainPath = unnamed(() => z.object({ org_id: orgId(), domain_id: uuid() }))

export const Domain = schema('OrganisationDomain', () =>
  z.object({
    domain: z.string(),
    is_verified: z.boolean(),
    created_on: z.iso.datetime({ offset: true }),
    dns_records: z.array(z.record(z.string(), z.string())).nullable(),
    id: z.uuid(),
  }),
)

export const DomainList = schema('OrganisationDomainList', () => z.object({ data: z.array(Domain()) }))

export const DomainInput = schema('OrganisationDomainInput', () => z.object({ domain: text().regex(DOMAIN) }))

export const InstructionsInput = schema('DomainInstructionsInput', () => z.object({ to_email: email() }))

export const InstructionsSent = schema('DomainInstructionsSent', () =>
  z.object({ sent: z.boolean(), sendgrid_message_id: z.string().nullable() }),
)

export const DomainVerified = schema('DomainVerified', () =>
  z.object({ status: z.enum(['verified', 'pending']) }),
)

export const PublishedPath = unnamed(() => z.object({ domain_id: uuid() }))
