import { operation } from '../../api/operation.ts'
import { Lifecycle } from './schema.ts'
import { describeLifecycle } from './service.ts'

export const lifecycleOperations = [
  operation({
    id: 'petri_lifecycle',
    route: 'GET /_petri/lifecycle',
    summary: 'The statuses of an order by workflow, where each leads, and the happy paths',
    returns: Lifecycle,
    run: () => describeLifecycle(),
  }),
]
