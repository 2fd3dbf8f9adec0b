import type { Command } from 'commander'
import type {
  Appointment,
  Board,
  CheckoutSession,
  CheckoutSessions,
  Order,
  OrderLife,
  OrderScenario,
  PlacedOrder,
  ResultsSet,
} from '../../client/responses.ts'
import { compact } from '../../kernel/list.ts'
import { plural, readableInstant } from '../../kernel/readable.ts'
import { whyUnreadable } from '../../kernel/reason.ts'
import { MAX_PDF_BYTES, readUserFile } from '../../kernel/user-file.ts'
import { CliError } from '../../terminal/errors.ts'
import { columns, paint } from '../../terminal/output.ts'
import { type Input, type RemoteCommand, readPair, registerRemote } from '../remote.ts'

export function register(program: Command): void {
  registerRemote(program, [explain])
  const order = program.command('order').description('place, show and move an order')
  registerRemote(order, [list, ...orderCommands])
  registerRemote(program.command('checkout').description('list and pay checkout sessions'), [sessions, pay])
}

const METHODS = 'testkit, walk_in_test, at_home_phlebotomy or on_site_collection'

const explain: RemoteCommand = {
  usage: 'explain <order>',
  summary: 'explain the status of an order, what it waits for, and what moves it',
  route: 'GET /_petri/orders/{order_id}',
  print: ({ explanation }: Pick<OrderLife, 'explanation'>) => explanation.lines.join('\n'),
}

const list: RemoteCommand = {
  usage: 'list',
  summary: 'list the orders, newest first, with their next steps',
  options: [
    ['--status <status>', 'a status, or the first part of one, such as failed'],
    ['--method <method>', METHODS],
    ['--search <text>', 'part of an id, a sample or a name'],
    ['--limit <number>', 'maximum number; 100 by default'],
    ['--cursor <cursor>', 'cursor of the next page, from an earlier list'],
  ],
  examples: ['petri order list --status with_customer', 'petri order list --search Ada --json | jq .counts'],
  route: 'GET /_petri/orders',
  print({ data, total, next_cursor }: Board) {
    const rows = data.map(({ id, patient, recipient, status, scenario, ...progress }) => [
      id,
      patient ?? `-> ${recipient ?? ''}`,
      status,
      scenario ?? '',
      nextStep(progress),
    ])
    const heads = ['order', 'for', 'status', 'scenario', 'next step']
    return pageText(rows, heads, plural(total, 'order'), next_cursor)
  },
}

/** A page of a list as a table, with a count and the cursor of the next page below. */
function pageText(
  rows: readonly (readonly string[])[],
  heads: readonly string[],
  count: string,
  nextCursor: string | null,
): string {
  const more = nextCursor === null ? '' : `; --cursor ${nextCursor} for more`
  const foot = paint(`${count}${more}`, 'dim')
  return rows.length === 0 ? foot : `${columns(rows, heads)}\n${foot}`
}

type NextStep = Pick<OrderScenario, 'next' | 'next_due' | 'waits_for'>

function nextStep({ next, next_due, waits_for }: NextStep): string {
  if (waits_for) return `waits for ${waits_for}`
  return next_due ? `${next ?? 'next step'} at ${readableInstant(next_due)}` : ''
}

const orderCommands: readonly RemoteCommand[] = [
  {
    usage: 'place',
    summary: 'place an order for a fictitious patient',
    options: [
      ['--scenario <scenario>', 'the scenario it follows; "npx petri-sandbox scenario list" lists them'],
      ['--method <method>', METHODS],
      ['--registrable', 'a test kit that the patient registers later'],
      ['--redraw', 'the redraw of a walk-in order whose results are missing; needs the feature redraws'],
      ['--user <user>', 'the user it is for; a new user by default'],
      ['--lab-test <id>', 'the lab test; the first of the method by default'],
      ['--zip <zip>', 'ZIP code of the patient; 00100 to 00499 choose a scenario'],
      ['--status <status>', 'its first status, such as completed; it then follows no scenario'],
      ['--silent', 'send no events about it until its next status'],
      ['--id <id>', 'the id of the order, for fixtures; a new one by default'],
    ],
    examples: [
      'petri order place --scenario problem-in-transit-customer',
      'petri order place --zip 00112',
      'petri order place --method walk_in_test --status completed --silent',
    ],
    route: 'POST /_petri/orders',
    fields: { 'lab-test': 'lab_test_id' },
    toInput: ({ silent, ...input }) => (silent === true ? { ...input, announce: false } : input),
    print: ({ scenario, warning, ...order }: PlacedOrder) =>
      compact([
        describeOrder(order),
        scenario !== null && `scenario ${paint(scenario, 'bold')}`,
        warning !== null && `${paint('warning:', 'yellow')} ${warning}`,
      ]).join('\n'),
  },
  {
    usage: 'show <order>',
    summary: 'show the status history of an order, and the next step of its scenario',
    run: async (petri, input) => ({
      order: await petri.call<Order>('GET /v3/order/{order_id}', input),
      scenario: await petri.call<OrderScenario>('GET /_petri/orders/{order_id}/scenario', input),
    }),
    print: ({ order, scenario }: { order: Order; scenario: OrderScenario }) =>
      `${describeOrder(order)}\n${describeScenario(scenario)}`,
  },
  {
    usage: 'register <order>',
    summary: 'register a kit as its recipient',
    examples: ['petri order register 5f3a…'],
    route: 'POST /_petri/orders/{order_id}/register',
    print: describeOrder,
  },
  {
    usage: 'book <order>',
    summary: 'book the first free appointment as the patient',
    examples: ['petri order book 5f3a…'],
    route: 'POST /_petri/orders/{order_id}/book',
    print: ({ status, start_at }: Appointment) =>
      `appointment ${paint(status, 'bold')}${start_at === null ? '' : `, ${readableInstant(start_at)}`}`,
  },
  {
    usage: 'move <order> <status>',
    summary: 'set the status of an order manually; it leaves its scenario',
    options: [
      ['--detail <detail>', 'the status detail'],
      ['--force', 'allow a move that the lifecycle does not have'],
    ],
    examples: [
      'petri order move 5f3a… lost',
      'petri order move 5f3a… failed.testkit.sample_error --detail sample_hemolyzed',
      'petri order move 5f3a… completed --force',
    ],
    route: 'POST /_petri/orders/{order_id}/move',
    fields: { detail: 'status_detail' },
    print: describeOrder,
  },
  {
    usage: 'results <order> [values...]',
    summary: 'set exact results by slug, LOINC or provider code; a completed order is corrected',
    options: [
      ['--comment <comment>', 'a comment of the laboratory on these results'],
      ['--pdf <file>', 'the PDF to serve instead of the generated one'],
    ],
    examples: [
      'petri order results 5f3a… ferritin=7 2093-3=245',
      'petri order results 5f3a… ferritin=7 --comment "Repeat in four weeks." --pdf report.pdf',
    ],
    route: 'PUT /_petri/orders/{order_id}/results',
    toInput: readResults,
    print: ({ status, applied }: ResultsSet) =>
      applied
        ? `The order is ${paint(status, 'bold')}.`
        : 'They come with the next report of the laboratory.',
  },
  {
    usage: 'scenario <order> <scenario>',
    summary:
      'give an order another scenario, from its current status; "npx petri-sandbox scenario list" lists them',
    options: [['--from <status>', 'the step of the scenario that comes next']],
    examples: ['petri order scenario 5f3a… problem-in-transit-customer'],
    route: 'PUT /_petri/orders/{order_id}/scenario',
    print: describeScenario,
  },
]

function readResults({ values, pdf, ...rest }: Input): object {
  const entries = Array.isArray(values) ? values.map(readResult) : []
  return {
    ...rest,
    ...(entries.length > 0 && { values: Object.fromEntries(entries) }),
    ...(typeof pdf === 'string' && { pdf: readInBase64(pdf) }),
  }
}

/** `ferritin=7`; anything but a number is a result in words. */
function readResult(text: string): [name: string, value: number | string] {
  const [name, value] = readPair(text, 'result', 'ferritin=7')
  const number = Number(value)
  return [name, value.trim() !== '' && Number.isFinite(number) ? number : value]
}

function readInBase64(file: string): string {
  try {
    return readUserFile(file, MAX_PDF_BYTES).toString('base64')
  } catch (error) {
    throw new CliError(`${whyUnreadable(file, error)}.`)
  }
}

const sessions: RemoteCommand = {
  usage: 'list',
  summary: 'list the checkout sessions, newest last',
  options: [
    ['--user <user>', 'only sessions of this user'],
    ['--order <order>', 'only the session that became this order'],
    ['--limit <number>', 'maximum number; 100 by default'],
    ['--cursor <cursor>', 'cursor of the next page, from an earlier list'],
  ],
  route: 'GET /_petri/checkout/sessions',
  print({ data, next_cursor }: CheckoutSessions) {
    const rows = data.map(({ checkout_session_id, status, pay_before, order_id }) => [
      checkout_session_id,
      status,
      readableInstant(pay_before),
      order_id ?? '',
    ])
    const heads = ['session', 'status', 'pay before', 'order']
    return pageText(rows, heads, plural(rows.length, 'session'), next_cursor)
  },
}

const pay: RemoteCommand = {
  usage: 'pay <session>',
  summary: 'pay for a checkout session, which places its order',
  options: [['--outcome <outcome>', 'paid, declined or cancelled; paid by default']],
  examples: ['petri checkout pay 5f3a…', 'petri checkout pay 5f3a… --outcome declined'],
  route: 'POST /_petri/checkout/sessions/{checkout_session_id}/pay',
  fields: { session: 'checkout_session_id' },
  print: ({ checkout_session_id, status, order_id }: CheckoutSession) =>
    `session ${checkout_session_id}  ${paint(status, 'bold')}${order_id ? `\norder ${order_id}` : ''}`,
}

function describeOrder({ id, last_event, events }: Order): string {
  const rows = events.map(({ created_at, status, status_detail }) => [
    readableInstant(created_at),
    status,
    status_detail ?? '',
  ])
  return `order ${id}  ${paint(last_event.status, 'bold')}\n${columns(rows)}`
}

function describeScenario({ scenario, left_because, dropped, warning, ...progress }: OrderScenario): string {
  if (scenario === null) return 'no scenario'
  const title = `scenario ${paint(scenario, 'bold')}`
  if (left_because !== null) {
    const rest = dropped.length > 0 ? `; dropped: ${dropped.join(', ')}` : ''
    return `${title}: left because ${left_because}${rest}`
  }
  if (warning !== null) return `${title}: ${warning}`
  const { next, waits_for } = progress
  if (next === null && waits_for === null) return `${title}: finished`
  return `${title}: ${waits_for === null ? `next ${nextStep(progress) || next}` : nextStep(progress)}`
}
