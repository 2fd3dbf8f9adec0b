import type { Command } from 'commander'
import type { Parsed } from '../../api/schema.ts'
import type { Call, CallInFull, Coverage, Fault } from '../../client/responses.ts'
import type { Faults } from '../../control/faults.ts'
import type { RefusedCall, RefusedCallList } from '../../control/refused-calls.ts'
import type { RequestList } from '../../control/requests.ts'
import type { Found } from '../../control/wait.ts'
import { parseJson } from '../../kernel/json.ts'
import { readableInstant } from '../../kernel/readable.ts'
import { UsageProblem } from '../../terminal/errors.ts'
import { columns, paint, printable } from '../../terminal/output.ts'
import { type RemoteCommand, registerRemote } from '../remote.ts'
import { adviceOn, moreAfter, rowOfMessage } from './webhooks.ts'

export function register(program: Command): void {
  registerRemote(
    program.command('requests').description('the requests of the program under test'),
    requestCommands,
  )
  registerRemote(
    program.command('faults').description('make requests fail, respond late or lose the connection'),
    faultCommands,
  )
  registerRemote(program, [coverage])
  registerRemote(
    program.command('wait').description('wait for a condition; exits 1 on timeout'),
    waitCommands,
  )
}

const requestCommands: readonly RemoteCommand[] = [
  {
    usage: 'list',
    summary: 'list the last requests, newest last',
    isDefault: true,
    options: [
      ['--operation <operation>', 'only of this operation: an id or a route'],
      ['--status <status>', 'only with this status, such as 404 or 4xx'],
      ['--ignored', 'only with ignored fields: those that the service does not know'],
      ['--limit <number>', 'maximum number'],
      ['--cursor <id>', 'cursor of the next page, from an earlier list'],
    ],
    examples: [
      'petri requests --status 4xx',
      'petri requests --ignored',
      'petri requests --operation "GET /v3/order/{order_id}" --json',
    ],
    route: 'GET /_petri/requests',
    print: ({ data, next_cursor }: Parsed<typeof RequestList>) =>
      data.length === 0
        ? 'No requests. Calls without a valid key: npx petri-sandbox requests refused'
        : columns(data.map(rowOfRequest), ['at', 'request', 'status', 'took', 'call']) +
          moreAfter(next_cursor),
  },
  {
    usage: 'show <request>',
    summary: 'show a request by its x-request-id: its body, its response, and what it caused',
    examples: ['petri requests show REQUEST_ID'],
    route: 'GET /_petri/requests/{request_id}',
    print: describeRequest,
  },
  {
    usage: 'refused',
    summary: 'list the last calls without a valid API key (401), newest last',
    examples: ['petri requests refused'],
    route: 'GET /_petri/requests/refused',
    print: ({ data }: Parsed<typeof RefusedCallList>) =>
      data.length === 0
        ? 'No calls without a valid key.'
        : columns(data.map(rowOfRefused), ['wall clock', 'status', 'reason', 'call']),
  },
  {
    usage: 'clear',
    summary: 'delete all recorded requests',
    examples: ['petri requests clear'],
    route: 'DELETE /_petri/requests',
    print: () => 'Deleted all recorded requests.',
  },
]

const rowOfRequest = ({ id, at, method, path, status, duration_ms }: Call): string[] => [
  readableInstant(at),
  id,
  String(status),
  `${duration_ms} ms`,
  `${method} ${path}`,
]

const rowOfRefused = ({ at, status, detail, method, path }: RefusedCall): string[] => [
  readableInstant(at),
  String(status),
  printable(detail),
  `${method} ${path}`,
]

function describeRequest(request: CallInFull): string {
  const { headers, body, response, ignored, nearest_fields, caused, nearest, operation, fault_id } = request
  const lines = [
    paint(rowOfRequest(request).join('  '), 'bold'),
    operation === null ? 'no operation has this path' : `operation ${operation}`,
  ]
  if (nearest.length > 0) lines.push(`nearest: ${nearest.join(', ')}`)
  const ignoredFields = ignored.map((path) => {
    const similar = nearest_fields[path]
    return similar ? `${path} (similar: ${similar})` : path
  })
  if (ignoredFields.length > 0) lines.push(paint(`ignored fields: ${ignoredFields.join(', ')}`, 'yellow'))
  if (fault_id) lines.push(paint(`hit by fault ${fault_id}`, 'yellow'))
  for (const [name, value] of Object.entries(headers)) lines.push(paint(`${name}: ${value}`, 'dim'))
  if (body !== null) lines.push(`request body ${JSON.stringify(body, null, 2)}`)
  if (response !== null) lines.push(`response body ${JSON.stringify(response, null, 2)}`)
  for (const { at, event_type, messages } of caused) {
    const deliveries = messages.map(({ id, status }) => `, ${id} ${status}`).join('')
    lines.push(`caused ${event_type} at ${readableInstant(at)}${deliveries}`)
  }
  return lines.join('\n')
}

const faultCommands: readonly RemoteCommand[] = [
  {
    usage: 'list',
    summary: 'list the injected faults and their hits',
    isDefault: true,
    examples: ['petri faults list --json'],
    route: 'GET /_petri/faults',
    print: describeFaults,
  },
  {
    usage: 'add <operation...>',
    summary: 'inject a fault into the requests of an operation, named by id or route',
    options: [
      ['--status <number>', 'respond with this status, and do nothing else'],
      ['--body <body>', 'the whole body of that response: JSON, or a text as it is'],
      ['--times <number>', 'how many requests it hits (default: all)'],
      ['--rate <number>', 'share of the requests it hits, from 0 to 1 (default: 1)'],
      ['--after <number>', 'how many requests pass first'],
      ['--latency <duration>', 'delay the response, such as 200ms'],
      ['--drop <how>', '"reset": no response, nothing done; "truncate": the response is cut off'],
      ['--replace', 'remove all other faults'],
    ],
    examples: [
      'petri faults add "GET /v3/order/{order_id}" --status 503 --times 2',
      'petri faults add "POST /v2/user" --latency 3s --rate 0.2',
    ],
    async run(petri, { status, body, replace, ...fault }) {
      if (body !== undefined && status === undefined) throw new UsageProblem('--body needs --status.')
      if (status === undefined && fault.latency === undefined && fault.drop === undefined)
        throw new UsageProblem('Give at least one of --status, --latency and --drop.')
      const parsed = parseJson(String(body))
      const respond = { status, body: parsed === undefined ? body : parsed }
      const faults = [{ ...fault, respond: status === undefined ? undefined : respond }]
      return petri.call(replace ? 'PUT /_petri/faults' : 'POST /_petri/faults', { faults })
    },
    print: describeFaults,
  },
  {
    usage: 'remove <fault>',
    summary: 'remove a fault; all others stay',
    examples: ['petri faults remove fault_2'],
    route: 'DELETE /_petri/faults/{fault_id}',
    print: (_, { fault_id }) => `Removed ${fault_id}.`,
  },
  {
    usage: 'clear',
    summary: 'remove all injected faults',
    examples: ['petri faults clear'],
    route: 'DELETE /_petri/faults',
    print: () => 'Removed all faults.',
  },
]

function describeFaults({ faults }: Parsed<typeof Faults>): string {
  if (faults.length === 0) return 'No faults.'
  const rows = faults.map((fault) => [
    fault.id,
    fault.operation,
    describeEffect(fault),
    describeCondition(fault),
    `${fault.hits} of ${fault.seen} requests`,
  ])
  return columns(rows, ['fault', 'operation', 'effect', 'when', 'hits'])
}

function describeEffect({ respond, latency, drop }: Fault): string {
  const effects = []
  if (respond) effects.push(`status ${respond.status}`)
  if (latency) {
    const { min, max } = latency
    effects.push(`delay ${min === max ? min : `${min} to ${max}`}`)
  }
  if (drop) effects.push(`drop ${drop}`)
  return effects.join(', ')
}

function describeCondition({ times, rate, after, order_id }: Fault): string {
  const conditions = [times === null ? 'always' : `${times}x`]
  if (rate < 1) conditions.push(`at a rate of ${rate}`)
  if (after > 0) conditions.push(`after ${after}`)
  if (order_id !== null) conditions.push(`for order ${order_id}`)
  return conditions.join(' ')
}

const coverage: RemoteCommand = {
  usage: 'coverage',
  summary: 'list the operations, statuses and events that the program under test has met, and the others',
  examples: ['petri coverage', 'petri coverage --json | jq .event_types.never'],
  route: 'GET /_petri/coverage',
  print: describeCoverage,
}

type Tally = Readonly<Record<string, number>>

function describeCoverage({ operations, unknown_paths, ...tallies }: Coverage): string {
  const met = operations.met.map(({ route, statuses }): [string, string] => [route, describeTally(statuses)])
  const lines = [section('operations', met, operations.never.length)]
  for (const name of ['order_statuses', 'event_types', 'errors'] as const) {
    const { met, never } = tallies[name]
    const counts = Object.entries(met).map(([what, count]): [string, string] => [what, `${count}x`])
    lines.push(section(name.replace('_', ' '), counts, never.length))
  }
  if (Object.keys(unknown_paths).length > 0) lines.push(`unknown paths: ${describeTally(unknown_paths)}`)
  lines.push(paint('--json lists those that were never met', 'dim'))
  return lines.join('\n')
}

function section(name: string, met: readonly (readonly [what: string, count: string])[], never: number) {
  const title = `${paint(name, 'bold')}: ${met.length} of ${met.length + never} met`
  return met.length === 0 ? title : `${title}\n${columns(met.map(([what, count]) => [`  ${what}`, count]))}`
}

const describeTally = (tally: Tally) =>
  Object.entries(tally)
    .map(([name, count]) => `${name} ${count}x`)
    .join(', ')

const timeout = ['--timeout <duration>', 'how long in real time, up to 10m (default: 10s)'] as const
const times = ['--times <number>', 'required number (default: 1)'] as const

const waitCommands: readonly RemoteCommand[] = [
  {
    usage: 'order <order> <status>',
    summary: 'wait until an order has a low-level or dotted status',
    options: [timeout],
    examples: ['petri wait order ORDER_ID completed --timeout 30s'],
    route: 'POST /_petri/wait',
    print: describeFound,
  },
  {
    usage: 'message',
    summary: 'wait until a webhook message is delivered',
    options: [
      ['--event <event>', 'of this event type'],
      ['--order <order>', 'about this order'],
      ['--user <user>', 'about this user'],
      ['--status <status>', 'pending, delivered or failed (default: delivered)'],
      times,
      timeout,
    ],
    examples: ['petri wait message --event labtest.order.updated --order ORDER_ID --times 3'],
    route: 'POST /_petri/wait',
    fields: { event: 'event_type' },
    toInput: ({ times, timeout, ...message }) => ({ times, timeout, message }),
    print: describeFound,
  },
  {
    usage: 'request <operation...>',
    summary: 'wait until the program under test has called an operation, named by id or route',
    options: [['--status <status>', 'with this status, such as 200 or 4xx'], times, timeout],
    examples: ['petri wait request "POST /v3/order" --status 200 --timeout 1m'],
    route: 'POST /_petri/wait',
    toInput: ({ times, timeout, ...request }) => ({ times, timeout, request }),
    print: describeFound,
  },
]

function describeFound({ order, messages = [], requests = [] }: Parsed<typeof Found>): string {
  if (order) return `order ${order.id}  ${paint(order.last_event.status, 'bold')}`
  const rows = [...messages.map(rowOfMessage), ...requests.map(rowOfRequest)]
  return columns(rows) + adviceOn(messages.map(({ last_advice }) => last_advice))
}
