import * as z from 'zod'
import { text } from '../../contract/fields.ts'
import { schema, unnamed } from '../../contract/schema.ts'
import { orgId } from '../parts.ts'

/** What an organisation, and a team, may be called. Source: contract/management.json. */
export const NAME = /^[A-Za-zÀ-ÖØ-öø-ÿ0-9(),/:'|&_\- ’]{0,80}$/

export const OrganisationPath = unnamed(() => z.object({ org_id: orgId() }))

export const Organisation = schema('ManagedOrganisation', () =>
  z.object({
    id: z.uuid(),
    name: z.string(),
    expires_at: z.iso.datetime({ offset: true }).nullable(),
  }),
)

export const OrganisationUpdate = schema('ManagedOrganisationUpdate', () =>
  z.object({ name: text().regex(NAME) }),
)
