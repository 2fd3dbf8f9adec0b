import { fromIso } from '../../kernel/instant.ts'
import { isObject, type JsonObject, listIn, objectIn } from '../../kernel/json.ts'
import { compact, largest, smallest } from '../../kernel/list.ts'
import { collectionMethods } from '../../resources/catalogue/schema.ts'
import {
  type LowStatus,
  type Method,
  readStatus,
  statusDetails,
  type Workflow,
  workflowsOf,
} from '../../resources/orders/lifecycle.ts'
import {
  type AppointmentEvent,
  type RecordedAppointment,
  type RecordedStatus,
  readAppointmentEvent,
  withAppointments,
} from './appointments.ts'
import { DeliveryLog, type RecordedMessage, type RecordedWebhookFaults } from './deliveries.ts'
import { type DocumentKind, kindOf } from './document-kinds.ts'
import { type LoggedMessage, messagesWithin, readDirectly, readLogged } from './log.ts'
import { ResultFiles } from './results.ts'

/** The history of an order, without personal data. */
export interface OrderRecord {
  readonly workflow: Workflow
  readonly method: Method
  /** Oldest first. */
  readonly statuses: readonly RecordedStatus[]
  /** Events of its appointments that set no status of the order, oldest first. */
  readonly appointments: readonly RecordedAppointment[]
  readonly couriers: { readonly outbound?: string; readonly inbound?: string }
  readonly webhookFaults: RecordedWebhookFaults
  /** The messages that were accepted, in the order in which they came; repeated ones as often as they came. */
  readonly messages: readonly RecordedMessage[]
  /** Things that a scenario cannot repeat, in sentences. */
  readonly notes: readonly string[]
  /** Statuses and details that Petri does not know, in sentences. */
  readonly unknown: readonly string[]
  /** What of its documents could not be read, in sentences. */
  readonly unread: readonly string[]
  /** Whether it is the redraw of another order. */
  readonly isRedraw: boolean
  /** Whether statuses may be missing, because no whole status history was recorded. */
  readonly mayHaveGaps: boolean
  /** Whether the order had a patient when it had its last status; undefined if no document says so. */
  readonly hasPatient?: boolean | undefined
  /** The data that decide reference ranges. */
  readonly patient?: RecordedPatient | undefined
}

interface RecordedPatient {
  readonly gender: string
  readonly birthYear: number
}

/** Why a record cannot be read, in a sentence. */
export class RecordError extends Error {}

/** Collects a record from documents that are added one by one, so that a long log need not be held in memory. */
export class RecordReader {
  /** The beginning of the id of the order that is read; empty for the only one. */
  readonly #chosen: string
  #orderId: string | undefined
  /** The orders of all documents, with the last status of each. */
  readonly #orders = new Map<string, string | undefined>()
  #method: Method | undefined
  #isRegistrable = false
  #hasHistory = false
  readonly #statuses = new Map<string, RecordedStatus>()
  readonly #appointments = new Map<string, AppointmentEvent>()
  readonly #couriers: { outbound?: string; inbound?: string } = {}
  #hasPatient: boolean | undefined
  #patient: RecordedPatient | undefined
  #isRedraw = false
  readonly #results = new ResultFiles()
  readonly #log = new DeliveryLog()
  readonly #unknown = new Set<string>()
  /** What of the documents could not be read, in sentences. */
  readonly unread: string[] = []
  readonly #readers: Record<
    DocumentKind,
    (document: JsonObject, message: LoggedMessage | undefined) => void
  > = {
    event: (document, message) => this.#addWebhook(document, message ?? readDirectly(document)),
    orders: ({ orders }) => this.add(orders),
    list: ({ data }) => this.add(data),
    placedOrder: ({ order }) => this.#addOrder(order as JsonObject),
    appointment: (document) => this.#addAppointment(document),
    order: (document) => this.#addOrder(document),
    results: (document) => this.#results.add(document),
  }
  /** Reads only the order whose id begins so, if a beginning is given; otherwise a second order is an error. */
  constructor(chosen = '') {
    this.#chosen = chosen.toLowerCase()
  }

  /** Adds an order, an appointment, a result, a webhook, or a list of them. */
  add(document: unknown): void {
    if (Array.isArray(document)) for (const each of document) this.add(each)
    else if (isObject(document)) this.#addFields(document)
  }

  #addFields(document: JsonObject, message?: LoggedMessage): void {
    const inner = message ? undefined : readLogged(document)
    if (inner) isObject(inner.body) ? this.#addFields(inner.body, inner) : this.add(inner.body)
    else {
      const kind = kindOf(document)
      if (kind) this.#readers[kind](document, message)
      else this.#addWithin(document)
    }
  }

  /** Adds the webhooks that lie deeper in a line of a log. */
  #addWithin(document: JsonObject): void {
    for (const message of messagesWithin(document)) this.#addFields(message.body, message)
  }

  #addWebhook({ event_type, data }: JsonObject, { key, attempts }: LoggedMessage): void {
    const what = /^labtest\.(order|appointment|result)\./.exec(String(event_type))?.[1]
    if (!what || !isObject(data) || !this.#addSubject(what, data)) return
    const events = listIn(data.events)
    const last: unknown = events.at(-1) ?? data.last_event ?? { created_at: data.updated_at }
    this.#log.add(
      {
        key: key ?? `${event_type} ${JSON.stringify(data)}`,
        subject: String(data.id ?? data.order_id),
        type: String(event_type),
        status: statusIn(isObject(last) ? (last.status ?? data.status) : data.status),
        eventAt: isObject(last) ? fromIso(last.created_at) : undefined,
        events: events.length || undefined,
      },
      attempts,
    )
  }

  /** Whether a webhook is of the order that is read. */
  #addSubject(what: string, data: JsonObject): boolean {
    if (what === 'order') return this.#addOrder(data)
    if (what === 'appointment') return this.#addAppointment(data)
    return this.#isOf(data.order_id)
  }

  /** Whether a document is of the order that is read. */
  #isOf(id: unknown, status?: unknown): boolean {
    if (typeof id !== 'string') return true
    this.#orders.set(id, typeof status === 'string' ? status : this.#orders.get(id))
    if (!this.#isChosen(id)) return false
    this.#orderId ??= id
    return id === this.#orderId
  }

  #addOrder(order: JsonObject): boolean {
    if (!this.#isOf(order.id, lastStatusOf(order))) return false
    const details = objectIn(order.details)
    this.#method ??= collectionMethods.find((method) => method === details.type)
    this.#readShipment(objectIn(details.data))
    if (Array.isArray(order.events)) {
      this.#hasHistory = true
      for (const event of order.events) this.#addStatus(event)
    } else this.#addStatus(order.last_event ?? { status: order.status, created_at: order.updated_at })
    this.#results.addSnapshot(order)
    if ('patient_details' in order) this.#hasPatient = order.patient_details !== null
    if (isObject(order.patient_details)) {
      const { gender, dob } = order.patient_details
      const birthYear = typeof dob === 'string' ? Number(dob.slice(0, 4)) : Number.NaN
      if (typeof gender === 'string' && Number.isInteger(birthYear)) this.#patient = { gender, birthYear }
    }
    if (order.origin === 'redraw') this.#isRedraw = true
    return true
  }

  #addAppointment({ id, order_id, type, events }: JsonObject): boolean {
    if (!this.#isOf(order_id)) return false
    this.#method ??= type === 'phlebotomy' ? 'at_home_phlebotomy' : 'walk_in_test'
    for (const [place, event] of listIn(events).entries()) {
      const read = readAppointmentEvent(event)
      // The events of an appointment keep their places in all its snapshots.
      if (read) this.#appointments.set(`${id}/${place}`, read)
    }
    return true
  }

  #addStatus(event: unknown): void {
    if (!isObject(event) || typeof event.status !== 'string') return
    const read = readStatus(event.status)
    const at = fromIso(event.created_at)
    if (!read) this.#unknown.add(`Left out the status ${quoted(event.status)}, which Petri does not know.`)
    if (!read || at === undefined) return
    this.#method ??= read.method
    if (read.low === 'awaiting_registration' || read.low === 'registered') this.#isRegistrable = true
    const detail = statusDetails.find((each) => each === event.status_detail)
    if (typeof event.status_detail === 'string' && detail === undefined) {
      const text = quoted(event.status_detail)
      this.#unknown.add(`Left out the detail ${text} of ${read.low}, which Petri does not know.`)
    }
    // An event keeps its id in all snapshots of its order.
    const key = `${event.id ?? ''}/${read.low}/${at}`
    this.#statuses.set(key, { low: read.low, detail, at })
  }

  #readShipment({ shipment }: JsonObject): void {
    if (!isObject(shipment)) return
    if (typeof shipment.outbound_courier === 'string') this.#couriers.outbound = shipment.outbound_courier
    if (typeof shipment.inbound_courier === 'string') this.#couriers.inbound = shipment.inbound_courier
  }

  #isChosen(id: string): boolean {
    return id.toLowerCase().startsWith(this.#chosen)
  }

  /** Throws if the documents are of several orders, and none or more than one of them was chosen. */
  #assertOneOrder(): void {
    const all = [...this.#orders].map(([id, status]) => (status === undefined ? id : `${id} (${status})`))
    const count = [...this.#orders.keys()].filter((id) => this.#isChosen(id)).length
    if (count === 0 && all.length > 0)
      throw new RecordError(`No order begins with ${quoted(this.#chosen)}. The orders are ${listed(all)}.`)
    if (count > 1)
      throw new RecordError(
        `These are of ${count === 2 ? 'two' : count} orders; choose one of them with --order: ${listed(all)}.`,
      )
  }

  /** The record of the order. Throws if there is none. */
  finish(): OrderRecord {
    this.#assertOneOrder()
    const known = [...this.#statuses.values()].sort((a, b) => a.at - b.at)
    if ((known.length === 0 && this.#appointments.size === 0) || !this.#method) {
      throw new RecordError(
        this.#orderId === undefined
          ? 'This is neither an order, nor webhooks of an order, nor a list of them.'
          : 'The order has no status history.',
      )
    }
    const appointmentEvents = [...this.#appointments.values()].sort((a, b) => a.at - b.at)
    for (const [at, status] of known.entries()) {
      const isAgain = status.low === 'appointment_scheduled' && known[at - 1]?.low === status.low
      if (isAgain) known[at] = { ...status, appointment: 'moved' }
    }
    const reports = this.#results.assignTo(known)
    const merged = withAppointments(reports.statuses, appointmentEvents, this.#method, this.#hasHistory)
    const [first, second] = workflowsOf(this.#method)
    const { webhookFaults, notes, messages } = this.#log.finish()
    return {
      workflow: (this.#isRegistrable ? second : first) ?? (first as Workflow),
      method: this.#method,
      statuses: merged.statuses,
      appointments: merged.appointments,
      couriers: this.#couriers,
      webhookFaults,
      messages,
      notes: compact([...reports.notes, ...merged.notes, ...notes, ...this.#silentStatuses(known)]),
      hasPatient: this.#hasPatient,
      patient: this.#patient,
      unknown: [...this.#unknown],
      unread: this.unread,
      isRedraw: this.#isRedraw,
      mayHaveGaps: !this.#hasHistory,
    }
  }

  /** Statuses between others that no message told about. */
  #silentStatuses(statuses: readonly RecordedStatus[]): string[] {
    const counts = this.#hasHistory ? this.#log.eventCounts(String(this.#orderId)) : new Set<number>()
    const silent = statuses.filter(
      ({ low }, at) =>
        at + 1 > smallest(counts) &&
        at + 1 < largest(counts) &&
        !counts.has(at + 1) &&
        !withoutMessage.includes(low),
    )
    if (silent.length === 0) return []
    const lows = silent.map(({ low }) => low).join(', ')
    return [`No message told about ${lows}; the scenario leaves out no message.`]
  }
}

/** Statuses for which the service may send no message. Source: docs/contract/webhooks.md#events. */
const withoutMessage: readonly LowStatus[] = ['partial_results']

function lastStatusOf({ events, last_event, status }: JsonObject): unknown {
  const last: unknown = Array.isArray(events) ? events.at(-1) : last_event
  return isObject(last) ? last.status : status
}

/** The status of an event as rules of a scenario name it. */
const statusIn = (status: unknown): string | undefined =>
  typeof status === 'string' ? (readStatus(status)?.low ?? status) : undefined

/** The most orders that are listed. */
const MAX_LISTED = 50

const listed = (all: readonly string[]) =>
  `${all.slice(0, MAX_LISTED).join(', ')}${all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : ''}`

/** The longest text of a record that is repeated in a sentence. */
const MAX_QUOTED = 80
const quoted = (text: string) => JSON.stringify(text.slice(0, MAX_QUOTED))
