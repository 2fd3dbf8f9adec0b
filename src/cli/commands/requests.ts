import type { Command } from 'commander'
import type { Call, CallInFull } from '../../client/responses.ts'
import { wholeId } from '../ids.ts'
import { columns, paint, readable } from '../output.ts'
import { registerRemote, remote, segment, textOf } from '../remote.ts'

export function registerRequests(program: Command): void {
  registerRemote(
    program.command('requests').description('the calls the program under test has made'),
    commands,
  )
}

const path = '/_petri/requests'

const commands = [
  remote({
    usage: 'list',
    summary: 'list the last calls, newest last',
    isDefault: true,
    options: [
      ['--operation <operation>', 'only of this operation: an id or a route'],
      ['--status <status>', 'only answered so, such as 404 or 4xx'],
      ['--limit <count>', 'at most so many'],
      ['--cursor <id>', 'those after this one'],
    ],
    examples: ['petri requests --status 4xx', 'petri requests --operation "GET /v3/order/{order_id}" --json'],
    run: (petri, _, { operation, status, limit, cursor }) =>
      petri.get<{ data: readonly Call[]; next_cursor: string | null }>(path, {
        operation: textOf(operation),
        status: textOf(status),
        limit: textOf(limit),
        cursor: textOf(cursor),
      }),
    print: ({ data, next_cursor }) => {
      if (data.length === 0) return 'No calls.'
      const more = next_cursor === null ? '' : `\n${paint(`more with --cursor ${next_cursor}`, 'dim')}`
      return `${columns(data.map(rowOfRequest), requestHeads)}${more}`
    },
  }),
  remote({
    usage: 'show <request>',
    summary: 'show one call by its x-request-id: request, response, and what it caused',
    examples: ['petri requests show REQUEST_ID'],
    run: async (petri, [id]) =>
      petri.get<CallInFull>(`${path}/${segment(await wholeId(petri, 'request', id))}`),
    print: describeRequest,
  }),
  remote({
    usage: 'clear',
    summary: 'delete all recorded calls',
    examples: ['petri requests clear'],
    run: (petri) => petri.delete(path),
    print: () => 'All calls are forgotten.',
  }),
]

const requestHeads = ['at', 'request', 'status', 'took', 'call']

export const rowOfRequest = ({ id, at, method, path, status, duration_ms }: Call): string[] => [
  readable(at),
  id,
  String(status),
  `${duration_ms} ms`,
  `${method} ${path}`,
]

function describeRequest(request: CallInFull): string {
  const { headers, body, response, unread, nearest_fields, caused, nearest, operation, fault_id } = request
  const unreadNames = unread.map((path) =>
    nearest_fields[path] ? `${path} (near it: ${nearest_fields[path]})` : path,
  )
  return [
    paint(rowOfRequest(request).join('  '), 'bold'),
    operation === null ? 'no operation has this path' : `operation ${operation}`,
    ...(nearest.length > 0 ? [`nearest: ${nearest.join(', ')}`] : []),
    ...(unread.length > 0 ? [paint(`nothing reads ${unreadNames.join(', ')}`, 'yellow')] : []),
    ...(fault_id ? [paint(`struck by the fault ${fault_id}`, 'yellow')] : []),
    ...Object.entries(headers).map(([name, value]) => paint(`${name}: ${value}`, 'dim')),
    ...(body === null ? [] : [`sent ${JSON.stringify(body, null, 2)}`]),
    ...(response === null ? [] : [`answered ${JSON.stringify(response, null, 2)}`]),
    ...caused.map(
      ({ at, event_type, messages }) =>
        `caused ${event_type} at ${readable(at)}${messages.map(({ id, status }) => `, ${id} ${status}`).join('')}`,
    ),
  ].join('\n')
}
