import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { LabAccount } from './schema.ts'

export const LabAccountRow = unnamed(() =>
  LabAccount().extend({
    /** Whether orders that name no account may use this one. Platform accounts always may. */
    automatic: z.boolean(),
  }),
)
export type LabAccountRow = Parsed<typeof LabAccountRow>

export const labAccounts = table<LabAccountRow, 'lab'>('lab_accounts', ({ id }) => id, {
  indexes: { lab: ({ lab }) => lab },
  initialRows,
})

function initialRows({ identity, random, parts }: World): LabAccountRow[] {
  return [...parts.catalogue.labAccounts().values()].map(({ slug, platform, linked, ...account }) => ({
    id: random.uuid(`lab_account/${slug}`),
    ...account,
    org_id: platform ? null : identity.orgId,
    team_id_allowlist: linked && !platform ? [identity.teamId] : [],
  }))
}
