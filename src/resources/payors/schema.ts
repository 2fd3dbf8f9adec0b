import * as z from 'zod'
import { Address, AddressInput } from '../../api/address.ts'
import { maybe, oneOf, orNull, text } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'

/** External providers with their own payor codes. Source: docs/contract/insurance.md. */
const externalProviders = [
  'change_healthcare',
  'availity',
  'stedi',
  'waystar',
  'claim_md',
  'apero',
  'pverify',
] as const

/** An insurer; `code` is the older name of `payor_code`, and both are always sent. */
export const Payor = schema('Payor', () => ({
  payor_code: z.string(),
  code: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  org_address: Address(),
  source: z.enum(['platform', 'team']),
}))

export const PayorList = schema('PayorList', () => z.array(Payor()))

export const NewPayor = schema('NewPayor', () => ({
  name: text(),
  address: AddressInput(),
  provider: orNull(oneOf(externalProviders)),
  provider_payor_id: orNull(text()),
}))

export const PayorQuery = unnamed(() => ({
  insurance_name: maybe(text()),
  provider: maybe(oneOf(externalProviders)),
  provider_payor_id: maybe(text()),
}))

/** The query as the older form of the search sends it. */
export const PayorSearch = schema('PayorSearch', () => ({
  insurance_name: maybe(text()),
  provider: maybe(oneOf(externalProviders)),
  provider_id: maybe(text()),
}))
