import * as z from 'zod'
import { email, text, uuid } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { instant, nullableText, schema, unnamed } from '../api/schema.ts'
import { toWire } from '../kernel/instant.ts'
import { conflict } from '../kernel/problem.ts'
import { BASE62, createRandom } from '../kernel/random.ts'
import { instantMs, type RowOf, table } from '../storage/table.ts'
import { collection } from './collection.ts'
import { Nothing } from './fields.ts'
import { type Management, managed } from './operation.ts'

const domainRows = table(
  'organisation_domains',
  () =>
    z.object({
      id: z.string(),
      domain: z.string(),
      /** The required value of its DNS record. */
      token: z.string(),
      created_at: instantMs(),
      is_verified: z.boolean(),
      /** Whether a DNS lookup would find the record. */
      is_published: z.boolean(),
    }),
  ({ id }) => id,
)
type DomainRow = RowOf<typeof domainRows>
const domains = collection(domainRows, 'Domain not found')

const DOMAIN = /^(?=.{1,253}$)([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$/

const Domain = schema('OrganisationDomain', () => ({
  domain: z.string(),
  is_verified: z.boolean(),
  created_on: instant(),
  dns_records: z.array(z.record(z.string(), z.string())).nullable(),
  id: z.uuid(),
}))
const DomainList = schema('OrganisationDomainList', () => ({ data: z.array(Domain()) }))
const DomainInput = schema('OrganisationDomainInput', () => ({ domain: text().regex(DOMAIN) }))
const InstructionsInput = schema('DomainInstructionsInput', () => ({ to_email: email() }))
const InstructionsSent = schema('DomainInstructionsSent', () => ({
  sent: z.boolean(),
  sendgrid_message_id: nullableText(),
}))
const DomainVerified = schema('DomainVerified', () => ({ status: z.enum(['verified', 'pending']) }))

const present = ({ id, domain, token, created_at, is_verified }: DomainRow) => ({
  domain,
  is_verified,
  created_on: toWire(created_at),
  dns_records: [{ type: 'TXT', host: `_petri.${domain}`, data: `petri-domain-verification=${token}` }],
  id,
})

export const domainOperations = [
  managed({
    id: 'list_org_domains',
    route: 'GET /v1/org/{org_id}/domain',
    summary: 'List the domains of the organisation',
    adminsOnly: true,
    returns: DomainList,
    run: (_world, _input, { organisation }) => ({ data: domains.list(organisation).map(present) }),
  }),
  managed({
    id: 'create_org_domain',
    route: 'POST /v1/org/{org_id}/domain',
    summary: 'Add a domain, which is verified by a DNS record',
    adminsOnly: true,
    body: DomainInput,
    returns: Domain,
    status: 201,
    async run(_, { body }, { organisation, now }) {
      const domain = body.domain.toLowerCase()
      const row = await domains.create(
        organisation,
        'domain',
        (existing) => {
          if (existing.some((known) => known.domain === domain)) {
            throw conflict(`The organization already has the domain ${domain}.`)
          }
        },
        ({ id, ordinal }) => {
          const token = createRandom('petri/organisation/domain').letters(`token/${ordinal}`, BASE62, 32)
          return { id, domain, token, created_at: now(), is_verified: false, is_published: false }
        },
      )
      return present(row)
    },
  }),
  managed({
    id: 'get_org_domain',
    route: 'GET /v1/org/{org_id}/domain/{domain_id}',
    summary: 'Get a domain with the DNS record that verifies it',
    adminsOnly: true,
    returns: Domain,
    run: (_, { params }, { organisation }) => present(domains.get(organisation, params.domain_id)),
  }),
  managed({
    id: 'delete_org_domain',
    route: 'DELETE /v1/org/{org_id}/domain/{domain_id}',
    summary: 'Remove a domain',
    adminsOnly: true,
    returns: Nothing,
    run: (_, { params }, { organisation }) => domains.delete(organisation, params.domain_id),
  }),
  managed({
    id: 'send_org_domain_instructions',
    route: 'POST /v1/org/{org_id}/domain/{domain_id}/send_domain_instructions',
    summary: 'Send the DNS record to somebody; Petri sends no e-mail',
    adminsOnly: true,
    body: InstructionsInput,
    returns: InstructionsSent,
    run(_, { params }, { organisation }) {
      const { token } = domains.get(organisation, params.domain_id)
      return { sent: true, sendgrid_message_id: createRandom(token).letters('message', BASE62, 22) }
    },
  }),
  managed({
    id: 'verify_org_domain',
    route: 'POST /v1/org/{org_id}/domain/{domain_id}/verify',
    summary: 'Verify a domain by its DNS record',
    adminsOnly: true,
    returns: DomainVerified,
    async run(_, { params }, { organisation }) {
      const { is_verified } = await domains.update(organisation, params.domain_id, (row) => ({
        ...row,
        is_verified: row.is_verified || row.is_published,
      }))
      return { status: is_verified ? ('verified' as const) : ('pending' as const) }
    },
  }),
]

/** Stands for the entry in DNS, which is made outside of Petri. */
export const publishDomain = ({ worlds: { organisation } }: Management) =>
  operation({
    id: 'petri_domain_publish',
    route: 'POST /_petri/organisation/domains/{domain_id}/publish',
    access: 'control',
    summary: 'Publish the DNS record of a domain of the organisation, so that it can be verified',
    params: unnamed(() => ({ domain_id: uuid() })),
    returns: Domain,
    run: async (_, { params }) =>
      present(
        await domains.update(organisation, params.domain_id, (row) => ({ ...row, is_published: true })),
      ),
  })
