import type { Parsed } from '../../api/schema.ts'
import type { Call, CallInFull, Coverage } from '../../client/responses.ts'
import type { WebhookMessageList } from '../../control/webhooks/schema.ts'
import { isObject } from '../../kernel/json.ts'
import type { Client } from '../../terminal/client.ts'

/** The values that occurred at a path of bodies. */
export interface Used {
  /** How many values occurred. */
  count: number
  /** The scalar values, as text. */
  readonly values: Set<string>
  readonly fields: Map<string, Used>
}

/** The operations, fields and events of the service that a program has used. */
export interface Usage {
  /**
   * By route: parameters as `query.page`, and bodies as `request` and `answer`. Undefined if its calls are no longer in
   * the journal.
   */
  readonly operations: ReadonlyMap<string, Used | undefined>
  /** By type of the events that were delivered. */
  readonly events: ReadonlyMap<string, Used | undefined>
  /** The number of calls in the journal. */
  readonly calls: number
}

/** The maximum number of messages whose bodies are read. */
const MAX_MESSAGES = 500

interface UsageSoFar extends Usage {
  readonly operations: Map<string, Used | undefined>
  readonly events: Map<string, Used | undefined>
  calls: number
}

/** Reads from a running Petri what the program under test has used, with a client of each of its worlds. */
export async function readUsage(worlds: readonly Client[]): Promise<Usage> {
  const usage: UsageSoFar = { operations: new Map(), events: new Map(), calls: 0 }
  for (const world of worlds) await addUsageOf(world, usage)
  return usage
}

async function addUsageOf(petri: Client, usage: UsageSoFar): Promise<void> {
  const { operations, events } = usage
  const coverage = await petri.call<Coverage>('GET /_petri/coverage')
  const { met } = coverage.operations
  for (const { route } of met) operations.set(route, operations.get(route))
  const routes = new Map(met.map(({ id, route }) => [id, route]))
  for await (const call of recordedCalls(petri)) {
    const route = routes.get(call.operation ?? '')
    if (route === undefined) continue
    usage.calls++
    const used = operations.get(route) ?? newUsed()
    operations.set(route, used)
    collectCall(used, call)
  }
  for (const type of Object.keys(coverage.event_types.delivered)) events.set(type, events.get(type))
  const messages = await petri.call<Parsed<typeof WebhookMessageList>>('GET /_petri/webhooks/messages', {
    status: 'delivered',
    limit: MAX_MESSAGES,
  })
  for (const { event_type, payload } of messages.data) {
    const used = events.get(event_type) ?? newUsed()
    events.set(event_type, used)
    collect(used, payload)
  }
}

async function* recordedCalls(petri: Client): AsyncGenerator<CallInFull> {
  let cursor: string | undefined
  do {
    const page = await petri.call<{ data: Call[]; next_cursor: string | null }>('GET /_petri/requests', {
      limit: 500,
      cursor,
    })
    for (const { id, from } of page.data) {
      // What the page in the browser reads is not the program's.
      if (from !== 'page')
        yield await petri.call<CallInFull>('GET /_petri/requests/{request_id}', { request_id: id })
    }
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}

const newUsed = (): Used => ({ count: 0, values: new Set(), fields: new Map() })

function fieldOf({ fields }: Used, name: string): Used {
  const field = fields.get(name) ?? newUsed()
  fields.set(name, field)
  return field
}

function collectCall(used: Used, { path, headers, body, response, status }: CallInFull): void {
  used.count++
  const query = new URLSearchParams(path.split('?')[1] ?? '')
  for (const [name, value] of query) collect(fieldOf(fieldOf(used, 'query'), name), value)
  for (const [name, value] of Object.entries(headers)) collect(fieldOf(fieldOf(used, 'header'), name), value)
  if (body !== null) collect(fieldOf(used, 'request'), body)
  if (status < 300 && response !== null) collect(fieldOf(used, 'answer'), response)
}

function collect(used: Used, value: unknown): void {
  // A null tells nothing of what a program does with a value.
  if (value === null || value === undefined) return
  used.count++
  if (Array.isArray(value)) for (const item of value) collect(fieldOf(used, '[]'), item)
  else if (isObject(value))
    for (const [name, field] of Object.entries(value)) collect(fieldOf(used, name), field)
  else used.values.add(String(value))
}

/** The values that occurred at a path such as `answer.orders[].status`; `*` stands for any field. */
export function findUsed(used: Used, path: string): Used | undefined {
  let found: Used | undefined = used
  for (const name of path.match(/\[\]|[^.[\]]+/g) ?? [])
    found = name === '*' ? [...(found?.fields.values() ?? [])][0] : found?.fields.get(name)
  return found
}
