import * as z from 'zod'
import { mapOf, maybe, oneOf, usStates, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { accountFields, accountStatuses, billingTypes, labSlugs } from '../catalogue/schema.ts'

const State = schema('UsState', () => z.enum([...usStates]))

export const LabAccount = schema('LabAccount', () => ({
  id: z.uuid(),
  lab: z.enum(labSlugs),
  org_id: z.uuid().nullable(),
  ...accountFields(),
  allowed_billing: mapOf(billingTypes, z.array(State())),
  team_id_allowlist: z.array(z.uuid()),
}))

export const LabAccountList = schema('LabAccountList', () => ({ data: z.array(LabAccount()) }))

export const LabAccountQuery = unnamed(() => ({
  lab_account_id: maybe(uuid()),
  status: maybe(oneOf(accountStatuses, { fold: true })),
}))
