import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { BASE62, createRandom } from '../../kernel/random.ts'
import { table } from '../../storage/table.ts'
import { nextOf } from '../organisation/table.ts'
import type { ManagementParts } from '../parts.ts'
import type { Domain, DomainInput, DomainVerified, InstructionsSent } from './schema.ts'

interface DomainRow {
  readonly id: string
  readonly domain: string
  /** The required value of its DNS record. */
  readonly token: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly is_verified: boolean
  /** Whether a DNS lookup would find the record. */
  readonly is_published: boolean
}

const domains = table<DomainRow>('organisation_domains', ({ id }) => id)

export const listDomains = ({ worlds }: ManagementParts): Parsed<typeof Domain>[] =>
  [...worlds.organisation.db.all(domains)].map(present)

export const getDomain = (parts: ManagementParts, id: string): Parsed<typeof Domain> =>
  present(findDomain(parts, id))

export async function addDomain(
  { worlds: { organisation }, now }: ManagementParts,
  input: Parsed<typeof DomainInput>,
): Promise<Parsed<typeof Domain>> {
  const domain = input.domain.toLowerCase()
  if ([...organisation.db.all(domains)].some((known) => known.domain === domain)) {
    throw new Problem('conflict', `The organization already has the domain ${domain}.`)
  }
  return organisation.change((db) => {
    const { ordinal, id } = nextOf(db, 'domain')
    const token = createRandom('petri/organisation/domain').letters(`token/${ordinal}`, BASE62, 32)
    const made = { id, domain, token, created_at: now(), is_verified: false, is_published: false }
    return present(db.put(domains, made))
  })
}

export async function removeDomain(parts: ManagementParts, id: string): Promise<null> {
  findDomain(parts, id)
  await parts.worlds.organisation.change((db) => db.delete(domains, id))
  return null
}

/** Answers like the service, but sends no e-mail. */
export function sendInstructions(parts: ManagementParts, id: string): Parsed<typeof InstructionsSent> {
  const { token } = findDomain(parts, id)
  return { sent: true, sendgrid_message_id: createRandom(token).letters('message', BASE62, 22) }
}

/** Verifies a domain if its record is published. A verified domain stays verified. */
export async function verifyDomain(
  parts: ManagementParts,
  id: string,
): Promise<Parsed<typeof DomainVerified>> {
  const row = findDomain(parts, id)
  if (!row.is_verified && !row.is_published) return { status: 'pending' }
  await parts.worlds.organisation.change((db) => db.put(domains, { ...row, is_verified: true }))
  return { status: 'verified' }
}

/** Publishes the record; stands for the entry in DNS. */
export const publishDomain = (parts: ManagementParts, id: string): Promise<Parsed<typeof Domain>> => {
  const row = findDomain(parts, id)
  return parts.worlds.organisation.change((db) => present(db.put(domains, { ...row, is_published: true })))
}

function findDomain({ worlds }: ManagementParts, id: string): DomainRow {
  const row = worlds.organisation.db.find(domains, id)
  if (!row) throw new Problem('not_found', 'Domain not found')
  return row
}

const present = ({ id, domain, token, created_at, is_verified }: DomainRow): Parsed<typeof Domain> => ({
  domain,
  is_verified,
  created_on: toWire(created_at),
  dns_records: [{ type: 'TXT', host: `_petri.${domain}`, data: `petri-domain-verification=${token}` }],
  id,
})
