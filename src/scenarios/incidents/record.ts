import { fromIso } from '../../kernel/instant.ts'
import { isObject, parseJson } from '../../kernel/json.ts'
import { collectionMethods } from '../../resources/catalogue/schema.ts'
import {
  type LowStatus,
  type Method,
  readStatus,
  type StatusDetail,
  statusDetails,
  type Workflow,
  workflowsOf,
} from '../../resources/orders/lifecycle.ts'

/** A status that an order had. */
export interface RecordedStatus {
  readonly low: LowStatus
  readonly detail: StatusDetail | undefined
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The results that an order had in the end. */
export interface RecordedResults {
  readonly interpretation?: 'normal' | 'abnormal' | 'critical' | 'unknown'
  /** The slugs of missing results; true if only their existence is known. */
  readonly missing?: readonly string[] | true
  /** By slug. */
  readonly values?: Readonly<Record<string, number>>
}

/** What happened to an order, without anything personal. */
export interface OrderRecord {
  readonly workflow: Workflow
  readonly method: Method
  /** Oldest first. */
  readonly statuses: readonly RecordedStatus[]
  readonly couriers: { readonly outbound?: string; readonly inbound?: string }
  readonly results: RecordedResults
  /** How often a message came more than once, and whether one came after a later one. */
  readonly deliveries: { readonly duplicate: number; readonly isReordered: boolean }
  /** Whether statuses may be missing, because no whole status history was recorded. */
  readonly mayHaveGaps: boolean
}

/** Why a record cannot be read, in a sentence. */
export class RecordError extends Error {}

type Fields = Readonly<Record<string, unknown>>

/** What is read so far; documents are added one by one, so that a long log need not be held in memory. */
export class RecordReader {
  readonly #isChosen: boolean
  #orderId: string | undefined
  #method: Method | undefined
  #isRegistrable = false
  #hasHistory = false
  readonly #statuses = new Map<string, RecordedStatus>()
  readonly #couriers: { outbound?: string; inbound?: string } = {}
  #results: RecordedResults = {}
  readonly #seen = new Map<string, number>()
  #latestEvents = 0
  #isReordered = false
  /** Documents of other kinds. */
  ignored = 0

  /** Reads only this order, if one is given; otherwise a second order is an error. */
  constructor(orderId?: string) {
    this.#orderId = orderId
    this.#isChosen = orderId !== undefined
  }

  /** Adds an order, a result, a webhook, or a list of them. */
  add(document: unknown): void {
    if (Array.isArray(document)) for (const each of document) this.add(each)
    else if (isObject(document)) this.#addFields(document)
    else this.ignored++
  }

  #addFields(document: Fields): void {
    const wrapped = unwrapped(document)
    const { event_type, orders, data, order, details, events, results, metadata } = document
    if (wrapped) {
      this.#count(wrapped.key)
      this.add(wrapped.body)
    } else if (typeof event_type === 'string') this.#addWebhook(document)
    else if (Array.isArray(orders)) this.add(orders)
    else if (Array.isArray(data)) this.add(data)
    else if (isObject(order)) this.#addOrder(order)
    else if (isObject(details) || Array.isArray(events)) this.#addOrder(document)
    else if (Array.isArray(results) && isObject(metadata)) this.#addResults(document)
    else this.ignored++
  }

  #addWebhook({ event_type, data, ...rest }: Fields): void {
    if (!String(event_type).startsWith('labtest.order.') || !isObject(data)) {
      this.ignored++
      return
    }
    if (!this.#addOrder(data)) return
    this.#count(typeof rest.id === 'string' ? rest.id : JSON.stringify(data))
    const length = Array.isArray(data.events) ? data.events.length : 0
    if (length < this.#latestEvents) this.#isReordered = true
    this.#latestEvents = Math.max(this.#latestEvents, length)
  }

  #count(key: string | undefined): void {
    if (key !== undefined) this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1)
  }

  #addOrder(order: Fields): boolean {
    const id = typeof order.id === 'string' ? order.id : undefined
    this.#orderId ??= id
    if (id !== undefined && id !== this.#orderId) {
      if (this.#isChosen) return false
      throw new RecordError(
        `These are of two orders, ${this.#orderId} and ${id}; choose one of them with --order.`,
      )
    }
    const details = isObject(order.details) ? order.details : {}
    this.#method ??= collectionMethods.find((method) => method === details.type)
    this.#readShipment(isObject(details.data) ? details.data : {})
    if (Array.isArray(order.events)) {
      this.#hasHistory = true
      for (const event of order.events) this.#addStatus(event)
    } else this.#addStatus(order.last_event ?? { status: order.status, created_at: order.updated_at })
    const interpretation = (['normal', 'abnormal', 'critical', 'unknown'] as const).find(
      (each) => each === order.interpretation,
    )
    if (interpretation) this.#results = { ...this.#results, interpretation }
    if (order.has_missing_results === true && this.#results.missing === undefined)
      this.#results = { ...this.#results, missing: true }
    return true
  }

  #addStatus(event: unknown): void {
    if (!isObject(event) || typeof event.status !== 'string') return
    const read = readStatus(event.status)
    const at = typeof event.created_at === 'string' ? fromIso(event.created_at) : undefined
    if (!read || at === undefined) return
    this.#method ??= read.method
    if (read.low === 'awaiting_registration' || read.low === 'registered') this.#isRegistrable = true
    const detail = statusDetails.find((each) => each === event.status_detail)
    // An event keeps its id in all snapshots of its order.
    const key = `${event.id ?? ''}/${read.low}/${at}`
    this.#statuses.set(key, { low: read.low, detail, at })
  }

  #readShipment({ shipment }: Fields): void {
    if (!isObject(shipment)) return
    if (typeof shipment.outbound_courier === 'string') this.#couriers.outbound = shipment.outbound_courier
    if (typeof shipment.inbound_courier === 'string') this.#couriers.inbound = shipment.inbound_courier
  }

  #addResults({ results, missing_results }: Fields): void {
    const slugOf = (entry: unknown) =>
      isObject(entry) && typeof entry.slug === 'string' ? entry.slug : undefined
    const values = (results as unknown[]).flatMap((entry) => {
      const slug = slugOf(entry)
      const { type, value, result } = entry as Fields
      const number = typeof value === 'number' ? value : Number(result)
      return slug !== undefined && type === 'numeric' && Number.isFinite(number)
        ? [[slug, number] as const]
        : []
    })
    const missing = Array.isArray(missing_results)
      ? missing_results.flatMap((entry) => slugOf(entry) ?? [])
      : []
    this.#results = {
      ...this.#results,
      values: Object.fromEntries(values),
      ...(missing.length > 0 && { missing }),
    }
  }

  /** The record of the order. Throws if there is none. */
  finish(): OrderRecord {
    const statuses = [...this.#statuses.values()].sort((a, b) => a.at - b.at)
    if (statuses.length === 0 || !this.#method) {
      throw new RecordError(
        this.#orderId === undefined
          ? 'This is neither an order, nor webhooks of an order, nor a list of them.'
          : 'The order has no status history.',
      )
    }
    const [first, second] = workflowsOf(this.#method)
    return {
      workflow: (this.#isRegistrable ? second : first) ?? (first as Workflow),
      method: this.#method,
      statuses,
      couriers: this.#couriers,
      results: this.#results,
      deliveries: {
        duplicate: Math.max(0, ...this.#seen.values()) - (this.#seen.size > 0 ? 1 : 0),
        isReordered: this.#isReordered,
      },
      mayHaveGaps: !this.#hasHistory,
    }
  }
}

/** The body of a webhook in the log of a receiver or of a webhook provider. */
function unwrapped(
  document: Fields,
): { readonly body: unknown; readonly key: string | undefined } | undefined {
  const { payload, body, headers } = document
  const headerFields = isObject(headers) ? headers : {}
  const key = [headerFields['svix-id'], document.message_id, document.msgId].find(
    (each) => typeof each === 'string',
  ) as string | undefined
  if (isObject(payload)) return { body: payload, key }
  if (isObject(body) && typeof body.event_type === 'string') return { body, key }
  if (typeof body !== 'string') return undefined
  const parsed = parseJson(body)
  return parsed === undefined ? undefined : { body: parsed, key }
}
