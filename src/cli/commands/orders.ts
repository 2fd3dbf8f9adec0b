import type { Command } from 'commander'
import type { Board } from '../../client/responses.ts'
import { columns, paint, readable } from '../output.ts'
import { numberOf, registerRemote, remote, textOf } from '../remote.ts'

export const registerOrders = (program: Command): void => registerRemote(program, [listOrders('orders')])

/** `petri orders`, and `petri order list`. */
export const listOrders = (usage: string) =>
  remote({
    usage,
    summary: 'list the orders, newest first, with what comes next',
    options: [
      ['--status <status>', 'a status, or the first part of one, such as failed'],
      ['--method <method>', 'testkit, walk_in_test, at_home_phlebotomy or on_site_collection'],
      ['--search <text>', 'part of an id, a sample or a name'],
      ['--limit <number>', 'how many at most; 100 unless set'],
      ['--cursor <cursor>', 'the next page, as the answer names it'],
    ],
    examples: ['petri orders --status with_customer', 'petri orders --search Ada --json | jq .counts'],
    run: (petri, _, { status, method, search, limit, cursor }) =>
      petri.get<Board>('/_petri/orders', {
        status: textOf(status),
        method: textOf(method),
        search: textOf(search),
        limit: numberOf('--limit', limit),
        cursor: textOf(cursor),
      }),
    print: describe,
  })

function describe({ data, total, next_cursor }: Board): string {
  const rows = data.map(({ id, patient, recipient, status, scenario, next, next_due, waits_for }) => [
    id,
    patient ?? `-> ${recipient ?? ''}`,
    status,
    scenario ?? '',
    waits_for ? `waits for ${waits_for}` : next_due ? `${next ?? 'next step'} at ${readable(next_due)}` : '',
  ])
  const more = next_cursor === null ? '' : `; --cursor ${next_cursor} for more`
  const head = paint(`${total} orders${more}`, 'dim')
  return rows.length === 0
    ? head
    : `${columns(rows, ['order', 'for', 'status', 'scenario', 'what comes next'])}\n${head}`
}
