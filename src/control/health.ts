import * as z from 'zod'
import { operation } from '../api/operation.ts'
import { schema } from '../api/schema.ts'
import { version } from '../api/version.ts'
import type { Worlds } from '../world/worlds.ts'

export const Health = schema('PetriHealth', () =>
  z.object({
    status: z.enum(['ok', 'degraded']),
    /** What is wrong. */
    detail: z.string().optional(),
    version: z.string(),
    contract_version: z.string(),
  }),
)

export const healthOperation = (worlds: Worlds) =>
  operation({
    id: 'petri_health',
    route: 'GET /_petri/health',
    summary:
      'Get the health of Petri; degraded while something cannot be stored or a world could not be opened',
    access: 'open',
    returns: Health,
    run() {
      const { trouble } = worlds
      return {
        status: trouble ? ('degraded' as const) : ('ok' as const),
        detail: trouble,
        version: version.petri,
        contract_version: version.contract,
      }
    },
  })
