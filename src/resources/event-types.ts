import type { EventType } from '../api/resource.ts'
import { once } from '../kernel/once.ts'
import { resources } from './index.ts'

/** Every event type by its name, as the resources that emit them declare them. Source: contract/webhooks.md §2. */
export const eventTypes = once(
  (): ReadonlyMap<string, EventType> =>
    new Map(resources.flatMap(({ events = [] }) => events.map((type) => [type.name, type] as const))),
)

/** Every event type a customer can choose. */
export const eventTypeNames = once((): ReadonlySet<string> => new Set(eventTypes().keys()))
