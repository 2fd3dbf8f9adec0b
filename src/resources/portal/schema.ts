import * as z from 'zod'
import { oneOf, orNull, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'

export const PortalInput = schema('PortalInput', () => ({
  context: oneOf(['launch', 'communications']),
  order_id: orNull(uuid()),
}))
export const PortalAccess = schema('PortalAccess', () => ({ url: z.string(), expires_in: z.int() }))
export const PortalQuery = unnamed(() => ({ token: text().default('') }))
