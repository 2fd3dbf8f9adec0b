import { operation } from '../../api/operation.ts'
import { Trigger, Triggered } from './schema.ts'
import { trigger } from './service.ts'

export const triggerOperations = [
  operation({
    id: 'petri_trigger',
    route: 'POST /_petri/trigger',
    summary: 'Send any event of the catalogue about an object of this world, without changing the object',
    tool: { name: 'trigger_event' },
    body: Trigger,
    returns: Triggered,
    run: (world, { body }) => trigger(world, body),
  }),
]
