import * as z from 'zod'
import { oneOf, uuid } from '../api/fields.ts'
import { schema, unnamed } from '../api/schema.ts'
import type { Region } from '../world/settings.ts'

export const environments = ['production', 'sandbox'] as const
export type Environment = (typeof environments)[number]
export const environment = () => oneOf(environments)

export const regions = ['us', 'eu'] as const satisfies readonly Region[]
export const region = () => oneOf(regions)

/** The name of an organisation or a team. Source: docs/contract/management.md. */
export const NAME = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff0-9(),/:'|&_\- \u2019]{0,80}$/

/** The response body of an error. */
export const Refusal = unnamed(() => ({ detail: z.string() }))

/** An empty response body. */
export const Nothing = unnamed(() => z.null())

/** The ids of what was deleted, could not be, or was not there. */
export const deletion = (name: string) =>
  schema(name, () =>
    z.object({ success: z.array(z.uuid()), failure: z.array(z.uuid()), not_found: z.array(z.uuid()) }),
  )

export const TeamBinding = schema('ManagedTeamBinding', () => ({ team_id: z.uuid() }))
export const TeamBindingInput = schema('ManagedTeamBindingInput', () => ({ team_id: uuid() }))

/** The creator of an object. Source: docs/contract/errors.md#keys. */
export const Creator = schema('ManagementCreator', () =>
  z.union([
    z.object({
      type: z.literal('org_member'),
      id: z.uuid(),
      name: z.string(),
      email: z.string(),
      avatar: z.string(),
    }),
    z.object({ type: z.literal('removed_org_member'), id: z.uuid().nullable() }),
    z.object({ type: z.literal('vital_staff') }),
    z.object({ type: z.literal('management_key') }),
  ]),
)
