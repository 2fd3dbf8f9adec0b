import { operation } from '../../api/operation.ts'
import { version } from '../../api/version.ts'
import type { Worlds } from '../../world/worlds.ts'
import { Health } from './schema.ts'

export const healthOperations = (worlds: Worlds) => [
  operation({
    id: 'petri_health',
    route: 'GET /_petri/health',
    summary: 'Whether Petri is up; degraded while something cannot be stored or a world could not be opened',
    access: 'open',
    returns: Health,
    run: () => ({
      status: worlds.trouble ? ('degraded' as const) : ('ok' as const),
      ...(worlds.trouble && { detail: worlds.trouble }),
      version: version.petri,
      contract_version: version.contract,
    }),
  }),
]
