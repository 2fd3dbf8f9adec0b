import type { Command } from 'commander'
import type { Order, OrderScenario } from '../../client/responses.ts'
import { wholeId } from '../ids.ts'
import { columns, paint, readable } from '../output.ts'
import { registerRemote, remote, segment, textOf } from '../remote.ts'
import { listOrders } from './orders.ts'

export function registerOrder(program: Command): void {
  registerRemote(program.command('order').description('place, see and move an order'), commands)
}

const commands = [
  listOrders('list'),
  remote({
    usage: 'place',
    summary: 'place an order for a made-up patient',
    options: [
      ['--scenario <name>', 'the scenario it follows; "petri scenario list" names them'],
      ['--method <method>', 'testkit, walk_in_test, at_home_phlebotomy or on_site_collection'],
      ['--registrable', 'a test kit that the patient registers later'],
      ['--user <user>', 'whose order it is; a new user unless set'],
      ['--lab-test <id>', 'what is ordered; the first lab test of the method unless set'],
      ['--zip <zip>', 'ZIP code of the patient; 00100 to 00499 choose a scenario'],
    ],
    examples: ['petri order place --scenario problem-in-transit-customer', 'petri order place --zip 00112'],
    run: (petri, _, { scenario, method, registrable, user, labTest, zip }) =>
      petri.post<Order>('/_petri/orders', {
        scenario: textOf(scenario),
        method: textOf(method),
        ...(registrable === true && { registrable }),
        user_id: textOf(user),
        lab_test_id: textOf(labTest),
        zip: textOf(zip),
      }),
    print: describeOrder,
  }),
  remote({
    usage: 'show <order>',
    summary: 'show the status history of an order, and the next step of its scenario',
    run: async (petri, [given]) => {
      const id = await wholeId(petri, 'order', given)
      const order = await petri.get<Order>(`/v3/order/${segment(id)}`)
      return { order, scenario: await petri.get<OrderScenario>(scenarioPath(id)) }
    },
    print: ({ order, scenario }) => `${describeOrder(order)}\n${describeScenario(scenario)}`,
  }),
  remote({
    usage: 'move <order> <status>',
    summary: 'set the status of an order by hand; it leaves its scenario',
    options: [
      ['--detail <detail>', 'why, where the status has details'],
      ['--force', 'even if an order cannot make this move'],
    ],
    examples: [
      'petri order move 5f3a… lost',
      'petri order move 5f3a… failed.testkit.sample_error --detail sample_hemolyzed',
      'petri order move 5f3a… completed --force',
    ],
    run: async (petri, [id, status], { detail, force }) =>
      petri.post<Order>(`/_petri/orders/${segment(await wholeId(petri, 'order', id))}/move`, {
        status,
        status_detail: textOf(detail),
        ...(force === true && { force }),
      }),
    print: describeOrder,
  }),
  remote({
    usage: 'scenario <order> <scenario>',
    summary: 'give an order another scenario, from its current status; "petri scenario list" names them',
    options: [['--from <status>', 'the step of the scenario that comes next']],
    examples: ['petri order scenario 5f3a… problem-in-transit-customer'],
    run: async (petri, [id, scenario], { from }) =>
      petri.put<OrderScenario>(scenarioPath(await wholeId(petri, 'order', id)), {
        scenario,
        from: textOf(from),
      }),
    print: describeScenario,
  }),
]

const scenarioPath = (id: string | undefined) => `/_petri/orders/${segment(id)}/scenario`

function describeOrder({ id, last_event, events }: Order): string {
  const rows = events.map(({ created_at, status, status_detail }) => [
    readable(created_at),
    status,
    status_detail ?? '',
  ])
  return `order ${id}  ${paint(last_event.status, 'bold')}\n${columns(rows)}`
}

function describeScenario({
  scenario,
  next,
  next_due,
  waits_for,
  left_because,
  dropped,
}: OrderScenario): string {
  if (scenario === null) return 'follows no scenario'
  const title = `scenario ${paint(scenario, 'bold')}`
  if (left_because !== null) {
    return `${title}: left, for ${left_because}${dropped.length > 0 ? `; dropped: ${dropped.join(', ')}` : ''}`
  }
  if (waits_for !== null) return `${title}: waits for ${waits_for}`
  if (next === null) return `${title}: nothing is left of it`
  return `${title}: next ${next}${next_due === null ? '' : ` at ${readable(next_due)}`}`
}
