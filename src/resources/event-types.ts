import type { EventType } from '../api/resource.ts'
import { once } from '../kernel/once.ts'
import { resources } from './index.ts'

/** Every event type by name, as declared by the resources. Source: contract/webhooks.md §2. */
export const eventTypes = once(
  (): ReadonlyMap<string, EventType> =>
    new Map(resources.flatMap(({ events = [] }) => events.map((type) => [type.name, type] as const))),
)

/** The names of all event types. */
export const eventTypeNames = once((): ReadonlySet<string> => new Set(eventTypes().keys()))
