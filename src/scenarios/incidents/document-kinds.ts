import { entriesOf } from '../../kernel/fields.ts'
import { isObject, type JsonObject } from '../../kernel/json.ts'
import { findSummary, summaryResources } from '../../resources/summaries/service.ts'

/** The kinds of documents in a record, and how to tell them. A reader gets a document as the first kind it reads. */
const kinds = {
  event: ({ event_type }: JsonObject) => typeof event_type === 'string',
  groups: ({ groups }: JsonObject) => isObject(groups),
  /** Samples of one source; for a reader of orders it is a list like any other. */
  batch: ({ source, data }: JsonObject) => isObject(source) && Array.isArray(data),
  summaries: (document: JsonObject) => summaryIn(document) !== undefined,
  orders: ({ orders }: JsonObject) => Array.isArray(orders),
  list: ({ data }: JsonObject) => Array.isArray(data),
  placedOrder: ({ order }: JsonObject) => isObject(order),
  appointment: ({ event_status }: JsonObject) => typeof event_status === 'string',
  order: ({ details, events }: JsonObject) => isObject(details) || isHistory(events),
  results: ({ results, metadata }: JsonObject) => Array.isArray(results) && isObject(metadata),
  summary: ({ user_id, source }: JsonObject) => typeof user_id === 'string' && isObject(source),
  sample: ({ timestamp }: JsonObject) => typeof timestamp === 'string',
}

/** Called with each document of a kind. */
export type DocumentReaders<Context> = {
  readonly [Kind in keyof typeof kinds]?: (document: JsonObject, context: Context) => void
}

/** Passes a document to the reader of its kind; returns whether there is one. */
export function readDocument<Context>(
  readers: DocumentReaders<Context>,
  document: JsonObject,
  context: Context,
): boolean {
  const [kind] = entriesOf(kinds).find(([name, isOf]) => readers[name] && isOf(document)) ?? []
  if (kind) readers[kind]?.(document, context)
  return kind !== undefined
}

const keyOf = (summary: string) => findSummary(summary)?.key ?? summary

/** The list of summaries in a document, and their name; undefined if there is none. */
export function summaryIn(document: JsonObject): { resource: string; list: unknown } | undefined {
  const resource = summaryResources.find((each) => Array.isArray(document[keyOf(each)]))
  return resource === undefined ? undefined : { resource, list: document[keyOf(resource)] }
}

/** Whether the events are those of an order, and not lines of a log. */
const isHistory = (events: unknown) =>
  Array.isArray(events) &&
  (events.length === 0 || events.some((event) => isObject(event) && 'status' in event))
