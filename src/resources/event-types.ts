import type { EventType } from '../api/resource.ts'
import { once } from '../kernel/once.ts'
import { resources } from './index.ts'

/** Every event type by name, as declared by the resources. Source: docs/contract/webhooks.md#events. */
export const eventTypes = once(
  (): ReadonlyMap<string, EventType> =>
    new Map(resources.flatMap(({ events = [] }) => events.map((type) => [type.name, type] as const))),
)

/** The names of all event types. */
export const eventTypeNames = once((): ReadonlySet<string> => new Set(eventTypes().keys()))
