import * as z from 'zod'
import { managerRoles } from '../../api/credentials.ts'
import { maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { pageOf } from '../../api/pagination.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { orgId } from '../parts.ts'

export const TeamBinding = schema('ManagedTeamBinding', () => z.object({ team_id: z.uuid() }))
export const TeamBindingInput = schema('ManagedTeamBindingInput', () => z.object({ team_id: uuid() }))

/** The creator of an object. Source: contract/errors-and-auth.md §2.2. */
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

export const ManagementKey = schema('ManagementKey', () =>
  z.object({
    id: z.uuid(),
    label: z.string(),
    created_at: z.iso.datetime({ offset: true }),
    creator: Creator(),
    role: z.enum(managerRoles),
    team_role_bindings: z.array(TeamBinding()).nullable(),
  }),
)

/** Shown only when it is created. */
export const NewManagementKey = schema('NewManagementKey', () => ManagementKey().extend({ key: z.string() }))

export const ManagementKeyList = schema('ManagementKeyList', () => pageOf(ManagementKey()))

/** The deleted object, or null. */
export const RemovedManagementKey = unnamed(() => ManagementKey().nullable())

export const ManagementKeyQuery = unnamed(() =>
  z.object({ role: maybe(oneOf(managerRoles)), team_id: maybe(uuid()) }),
)

export const ManagementKeyInput = schema('ManagementKeyInput', () =>
  z.object({
    label: text(),
    role: oneOf(managerRoles),
    team_role_bindings: maybe(z.array(TeamBindingInput())),
  }),
)

export const ManagementKeyPatch = schema('ManagementKeyPatch', () =>
  z.object({ label: maybe(text()), team_role_bindings: maybe(z.array(TeamBindingInput())) }),
)

export const KeyPath = unnamed(() => z.object({ org_id: orgId(), key_id: uuid() }))
