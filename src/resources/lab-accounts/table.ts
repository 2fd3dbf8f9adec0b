import * as z from 'zod'
import { type RowOf, table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { LabAccount } from './schema.ts'

export const labAccounts = table(
  'lab_accounts',
  () =>
    LabAccount().extend({
      /** Whether orders that name no account may use this one. Platform accounts always may. */
      automatic: z.boolean(),
      /** Whether lists leave it out. */
      unlisted: z.boolean().optional(),
    }),
  ({ id }) => id,
  {
    indexes: { lab: ({ lab }) => lab },
    initialRows(world: World) {
      const { identity, random } = world
      return [...world.services.catalogue.labAccounts().values()].map(
        ({ id, slug, platform, linked, lab, ...account }) => ({
          id: id ?? random.uuid(`lab_account/${slug}`),
          lab,
          org_id: platform ? null : identity.orgId,
          ...account,
          team_id_allowlist: linked && !platform ? [identity.teamId] : [],
        }),
      )
    },
  },
)
export type LabAccountRow = RowOf<typeof labAccounts>
