import * as z from 'zod'
import { text } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { orgId } from '../parts.ts'

/** The name of an organisation or a team. Source: contract/management.json. */
export const NAME = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff0-9(),/:'|&_\- \u2019]{0,80}$/

/** The response body of an error. */
export const Refusal = unnamed(() => z.object({ detail: z.string() }))

/** An empty response body. */
export const Nothing = unnamed(() => z.null())

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
