import type { EventType } from '../api/resource.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { once } from '../kernel/once.ts'
import { resources } from './index.ts'
import { readStatus } from './orders/lifecycle.ts'

/** Every event type by name, as declared by the resources. Source: docs/contract/webhooks.md#events. */
export const eventTypes = once(
  (): ReadonlyMap<string, EventType> =>
    new Map(resources.flatMap(({ events = [] }) => events.map((type) => [type.name, type] as const))),
)

/** The names of all event types. */
export const eventTypeNames = once((): ReadonlySet<string> => new Set(eventTypes().keys()))

/** What may have been meant by an unknown event type: the events that announce a status, or the nearest name. */
export function eventTypeHint(unknown: string): string {
  const status = readStatus(unknown.slice(unknown.lastIndexOf('.') + 1))
  return status
    ? ` ${status.low} is a status of orders, which labtest.order.created and labtest.order.updated announce.`
    : didYouMean(unknown, [...eventTypeNames()])
}
