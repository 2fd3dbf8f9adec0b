import * as z from 'zod'
import { maybe, oneOf, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { accountStatuses } from '../../resources/catalogue/schema.ts'
import { LabAccount } from '../../resources/lab-accounts/schema.ts'
import { environment, orgId, region } from '../parts.ts'

export const AccountPath = unnamed(() =>
  z.object({ account_id: uuid(), env: environment(), org_id: orgId(), region: region() }),
)

export const AccountQuery = unnamed(() =>
  z.object({
    lab_account_id: maybe(uuid()),
    status: maybe(oneOf(accountStatuses, { fold: true })),
    team_id: maybe(uuid()),
  }),
)

export const AccountTeams = schema('LabAccountTeams', () => z.object({ team_id_allowlist: z.array(uuid()) }))

export const ManagedLabAccount = schema('ManagedLabAccount', () =>
  z.object({ lab_account: LabAccount().nullable() }),
)
