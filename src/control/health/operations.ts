import { operation } from '../../api/operation.ts'
import { version } from '../../api/version.ts'
import { Health } from './schema.ts'

export const healthOperations = [
  operation({
    id: 'petri_health',
    route: 'GET /_petri/health',
    tag: 'petri',
    summary: 'Whether Petri is up',
    access: 'open',
    returns: Health,
    run: () => ({ status: 'ok' as const, version: version.petri, contract_version: version.contract }),
  }),
]
