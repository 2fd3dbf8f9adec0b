import type { Command } from 'commander'
import type { Call, Message, Order } from '../../client/responses.ts'
import { CliError } from '../config.ts'
import { wholeId, wholeIdOf } from '../ids.ts'
import { columns, paint, readable } from '../output.ts'
import { numberOf, registerRemote, remote, textOf } from '../remote.ts'
import { rowOfRequest } from './requests.ts'
import { rowOfMessage } from './webhook-views.ts'

interface Found {
  readonly order?: Order
  readonly messages?: readonly Message[]
  readonly requests?: readonly Call[]
}

/** The body of the 408 after the timeout. */
interface Missed {
  readonly status: number
  readonly detail: string
  readonly nearest: string | null
  readonly next_due: string | null
}

export function registerWait(program: Command): void {
  registerRemote(
    program.command('wait').description('wait until something is so; exit status 1 when it is not in time'),
    commands,
  )
}

const timeoutOption = ['--timeout <duration>', 'how long in true time, up to 10m (default: 10s)'] as const
const timesOption = ['--times <count>', 'until there are so many (default: 1)'] as const

const commands = [
  remote({
    usage: 'order <order> <status>',
    summary: 'wait until an order has a low-level or dotted status',
    options: [timeoutOption],
    examples: ['petri wait order ORDER_ID completed --timeout 30s'],
    run: async (petri, [order_id, status], { timeout }) =>
      petri
        .post<Found>('/_petri/wait', {
          order_id: await wholeId(petri, 'order', order_id),
          status,
          timeout: textOf(timeout),
        })
        .catch(explainMiss),
    print: describe,
  }),
  remote({
    usage: 'message',
    summary: 'wait until a webhook message is delivered',
    options: [
      ['--event <event>', 'of this event type'],
      ['--order <order>', 'about this order'],
      ['--user <user>', 'about this user'],
      ['--status <status>', 'pending, delivered or failed (default: delivered)'],
      timesOption,
      timeoutOption,
    ],
    examples: ['petri wait message --event labtest.order.updated --order ORDER_ID --times 3'],
    run: async (petri, _, { event, order, user, status, times, timeout }) =>
      petri
        .post<Found>('/_petri/wait', {
          message: {
            event_type: textOf(event),
            order_id: await wholeIdOf(petri, 'order', textOf(order)),
            user_id: await wholeIdOf(petri, 'user', textOf(user)),
            status: textOf(status),
          },
          times: numberOf('--times', times),
          timeout: textOf(timeout),
        })
        .catch(explainMiss),
    print: describe,
  }),
  remote({
    usage: 'request <operation...>',
    summary: 'wait until the program under test has called an operation, named by id or route',
    options: [['--status <status>', 'answered so, such as 200 or 4xx'], timesOption, timeoutOption],
    examples: ['petri wait request "POST /v3/order" --status 200 --timeout 1m'],
    run: async (petri, operation, { status, times, timeout }) =>
      petri
        .post<Found>('/_petri/wait', {
          request: { operation: operation.join(' '), status: textOf(status) },
          times: numberOf('--times', times),
          timeout: textOf(timeout),
        })
        .catch(explainMiss),
    print: describe,
  }),
]

/** Adds the nearest match and the next due time to the error of a wait. */
function explainMiss(error: unknown): never {
  if (!(error instanceof CliError)) throw error
  const { status, nearest, next_due } = error.answer as Partial<Missed>
  if (status !== 408) throw error
  const due = next_due ? readable(next_due) : 'nothing'
  throw new CliError(
    `${error.message}\nNearest: ${nearest ?? 'nothing like it'}\nNext due: ${due}`,
    error.answer,
  )
}

function describe({ order, messages = [], requests = [] }: Found): string {
  if (order) return `order ${order.id}  ${paint(order.last_event.status, 'bold')}`
  return columns([...messages.map(rowOfMessage), ...requests.map(rowOfRequest)])
}
