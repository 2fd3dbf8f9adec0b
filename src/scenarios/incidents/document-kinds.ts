import { entriesOf } from '../../kernel/fields.ts'
import { isObject, type JsonObject } from '../../kernel/json.ts'

/** The kinds of documents in a record, and how to tell them; the first that fits counts. */
const kinds = {
  event: ({ event_type }: JsonObject) => typeof event_type === 'string',
  orders: ({ orders }: JsonObject) => Array.isArray(orders),
  list: ({ data }: JsonObject) => Array.isArray(data),
  placedOrder: ({ order }: JsonObject) => isObject(order),
  appointment: ({ event_status }: JsonObject) => typeof event_status === 'string',
  order: ({ details, events }: JsonObject) => isObject(details) || isHistory(events),
  results: ({ results, metadata }: JsonObject) => Array.isArray(results) && isObject(metadata),
}

export type DocumentKind = keyof typeof kinds

/** The kind of a document; undefined for any other. */
export const kindOf = (document: JsonObject): DocumentKind | undefined =>
  entriesOf(kinds).find(([, isOf]) => isOf(document))?.[0]

/** Whether the events are those of an order, and not lines of a log. */
const isHistory = (events: unknown) =>
  Array.isArray(events) &&
  (events.length === 0 || events.some((event) => isObject(event) && 'status' in event))
