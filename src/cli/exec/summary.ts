import type { Parsed } from '../../api/schema.ts'
import type { Board, Call, CallInFull, Message, World } from '../../client/responses.ts'
import type { RefusedCallList } from '../../control/refused-calls.ts'
import type { HookReport } from '../../intercept/node-hook.ts'
import { detailLines } from '../../kernel/detail-text.ts'
import { append, compact, countsOf } from '../../kernel/list.ts'
import { plural } from '../../kernel/readable.ts'
import { type Client, createClient } from '../../terminal/client.ts'
import { printable } from '../../terminal/output.ts'
import type { Sandbox } from './sandbox.ts'

/** The maximum number of entries of a kind. */
const MAX_ENTRIES = 10

/** The failures at Petri, in lines. */
export async function summarize(sandbox: Sandbox, reports: readonly HookReport[]): Promise<string[]> {
  const { client, worlds } = sandbox
  const failed = (await refusedCalls(client)).map(
    ({ status, method, path, detail }) => `${status}  ${method} ${path}: ${printable(detail)}`,
  )
  const deliveries: Message[] = []
  const orders: string[] = []
  let unreceived = 0
  for (const world of await worlds()) {
    const inWorld = createClient({ ...client.config, apiKey: world.api_key })
    append(failed, await failedCalls(inWorld))
    append(deliveries, await failedDeliveries(inWorld))
    append(orders, await waitingOrders(inWorld, world))
    unreceived += await eventsWithoutReceiver(inWorld, world)
  }
  return compact([
    (await countCalls(sandbox)) === 0 && '  No call reached Petri.',
    ...section('Failed calls', failed),
    ...section(
      'Failed deliveries',
      deliveries.map(
        ({ event_type, last_error }) => `${event_type}: ${printable(last_error ?? 'no answer')}`,
      ),
    ),
    ...new Set(compact(deliveries.map(({ last_advice }) => last_advice && `    ${printable(last_advice)}`))),
    ...section('Orders that wait', orders),
    unreceived > 0 && `  ${plural(unreceived, 'event')} had no receiver: --webhook URL names one.`,
    ...linesInAnyCase(reports),
    ...untrustedHosts(reports),
  ])
}

const refusedCalls = async (client: Client) =>
  (await client.call<Parsed<typeof RefusedCallList>>('GET /_petri/requests/refused')).data

/** How many calls reached Petri: exact for 0 only. */
export async function countCalls({ client, worlds }: Sandbox): Promise<number> {
  let calls = (await refusedCalls(client)).length
  for (const { api_key } of await worlds()) {
    const inWorld = createClient({ ...client.config, apiKey: api_key })
    calls += (await inWorld.call<{ data: Call[] }>('GET /_petri/requests', { limit: 1 })).data.length
  }
  return calls
}

const hostsOf = (reports: readonly HookReport[], kind: HookReport['what']) =>
  reports.filter(({ what }) => what === kind).map(({ host }) => host)

/** What is reported of a command that succeeds, too: the hosts that `--offline` refused, and lost reports. */
export const linesInAnyCase = (reports: readonly HookReport[]): string[] =>
  compact([
    ...section('Hosts refused by --offline', hostsOf(reports, 'refused')),
    reports.some(({ what }) => what === 'unreadable') &&
      '  The programs have damaged the file of reports, so some of them are missing.',
  ])

/** The hosts that a program did not trust, in lines. */
const untrustedHosts = (reports: readonly HookReport[]): string[] =>
  section(
    'The program does not trust the certificate of this run for these hosts: it pins certificates, or ignores the variables (docs/exec.md)',
    hostsOf(reports, 'untrusted'),
  )

/** A titled list of different entries, with how often each occurs. */
function section(title: string, entries: readonly string[]): string[] {
  const counts = countsOf(entries)
  if (counts.size === 0) return []
  const lines = [...counts].map(([entry, count]) => `    ${entry}${count > 1 ? ` (${count} times)` : ''}`)
  const hidden = lines.length - MAX_ENTRIES
  return compact([`  ${title}:`, ...lines.slice(0, MAX_ENTRIES), hidden > 0 && `    and ${hidden} more`])
}

async function failedCalls(world: Client): Promise<string[]> {
  const entries: string[] = []
  for (const status of ['4xx', '5xx']) {
    const { data } = await world.call<{ data: Call[] }>('GET /_petri/requests', { status })
    for (const { id } of data) {
      const call = await world.call<CallInFull>('GET /_petri/requests/{request_id}', { request_id: id })
      const { detail = call.response } = (call.response ?? {}) as { readonly detail?: unknown }
      const reason = call.fault_id === null ? detailLines(detail).join('; ') : 'an injected fault'
      entries.push(`${call.status}  ${call.method} ${printable(call.path)}: ${printable(reason)}`)
    }
  }
  return entries
}

async function failedDeliveries(world: Client): Promise<Message[]> {
  const filter = { status: 'failing', fields: 'summary' }
  return (await world.call<{ data: Message[] }>('GET /_petri/webhooks/messages', filter)).data
}

async function eventsWithoutReceiver(world: Client, { counts }: World): Promise<number> {
  const { data } = await world.call<{ data: object[] }>('GET /_petri/webhooks/endpoints')
  return data.length === 0 ? (counts.events ?? 0) : 0
}

async function waitingOrders(world: Client, { clock }: World): Promise<string[]> {
  const { data } = await world.call<Board>('GET /_petri/orders')
  return data.flatMap(({ id, status, next, next_due, waits_for }) => {
    if (waits_for !== null) return [`${id}, ${status}: waits for ${waits_for}`]
    if (!clock.frozen || next === null) return []
    return [`${id}, ${status}: the clock is frozen; next is ${next} at ${next_due}`]
  })
}
