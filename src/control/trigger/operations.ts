import { operation } from '../../api/operation.ts'
import type { EventType } from '../../api/resource.ts'
import { Trigger, Triggered } from './schema.ts'
import { trigger } from './service.ts'

/** `declared` are the event types of all resources, with what their bodies keep to. */
export const triggerOperations = (declared: readonly EventType[]) => [
  operation({
    id: 'petri_trigger',
    route: 'POST /_petri/trigger',
    tag: 'petri',
    summary: 'Send any event of the catalogue about an object of this world; the object stays as it is',
    body: Trigger,
    returns: Triggered,
    run: (world, { body }) => trigger(world, body, declared),
  }),
]
