import * as z from 'zod'
import { maybe, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'

/** A key of the team API. */
export const TeamApiKey = schema('TeamApiKey', () =>
  z.object({
    id: z.uuid(),
    label: z.string(),
    value: z.string(),
    team_id: z.uuid(),
    created_at: z.iso.datetime({ offset: true }),
  }),
)

export const TeamApiKeyList = schema('TeamApiKeyList', () =>
  z.object({ api_keys: z.array(TeamApiKey()), next_cursor: z.string().nullable() }),
)

export const TeamApiKeyQuery = unnamed(() => z.object({ next_cursor: maybe(text()), team_id: maybe(uuid()) }))

export const TeamApiKeyInput = schema('TeamApiKeyInput', () => z.object({ label: text(), team_id: uuid() }))

export const TeamApiKeyChoice = unnamed(() => z.object({ api_key_id: z.array(uuid()) }))

export const TeamApiKeysDeleted = schema('TeamApiKeysDeleted', () =>
  z.object({ success: z.array(z.uuid()), failure: z.array(z.uuid()), not_found: z.array(z.uuid()) }),
)
