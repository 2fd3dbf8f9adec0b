import type { Command } from 'commander'
import { UsageProblem } from '../config.ts'
import { wholeId } from '../ids.ts'
import { columns } from '../output.ts'
import { numberOf, registerRemote, remote, segment, textOf } from '../remote.ts'

interface FaultInput {
  readonly operation: string
  readonly times?: number | null | undefined
  readonly rate?: number | undefined
  readonly after?: number | undefined
  readonly respond?: { readonly status: number } | null | undefined
  readonly latency?: string | { readonly min: string; readonly max: string } | null | undefined
  readonly drop?: string | null | undefined
}

interface FaultView extends FaultInput {
  readonly id: string
  readonly operation_id: string
  readonly order_id: string | null
  readonly times: number | null
  readonly rate: number
  readonly after: number
  readonly latency: { readonly min: string; readonly max: string } | null
  readonly seen: number
  readonly hits: number
}

interface FaultsView {
  readonly faults: readonly FaultView[]
}

export function registerFaults(program: Command): void {
  registerRemote(program.command('faults').description('make calls fail, come late or break off'), commands)
}

const path = '/_petri/faults'

const commands = [
  remote({
    usage: 'list',
    summary: 'list the injected faults and their hits',
    isDefault: true,
    examples: ['petri faults list --json'],
    run: (petri) => petri.get<FaultsView>(path),
    print: describe,
  }),
  remote({
    usage: 'add <operation...>',
    summary: 'inject a fault into the calls of an operation, named by id or route',
    options: [
      ['--status <code>', 'answer this, and do nothing'],
      ['--times <count>', 'strike so many calls (default: all)'],
      ['--rate <share>', 'strike this share of the calls, from 0 to 1 (default: 1)'],
      ['--after <count>', 'let so many calls pass first'],
      ['--latency <duration>', 'answer so much later, such as 200ms'],
      ['--drop <how>', '"reset": no answer, nothing done; "truncate": the answer breaks off'],
      ['--replace', 'in place of all faults there are'],
    ],
    examples: [
      'petri faults add "GET /v3/order/{order_id}" --status 503 --times 2',
      'petri faults add "POST /v2/user" --latency 3s --rate 0.2',
    ],
    async run(petri, operation, { status, times, rate, after, latency, drop, replace }) {
      const code = numberOf('--status', status)
      const input: FaultInput = {
        operation: operation.join(' '),
        times: numberOf('--times', times),
        rate: numberOf('--rate', rate),
        after: numberOf('--after', after),
        respond: code === undefined ? undefined : { status: code },
        latency: textOf(latency),
        drop: textOf(drop),
      }
      if (input.respond === undefined && input.latency === undefined && input.drop === undefined) {
        throw new UsageProblem('Give at least one of --status, --latency and --drop.')
      }
      const faults = [input]
      return replace === true
        ? petri.put<FaultsView>(path, { faults })
        : petri.post<FaultsView>(path, { faults })
    },
    print: describe,
  }),
  remote({
    usage: 'remove <fault>',
    summary: 'remove one fault; all others stay',
    examples: ['petri faults remove fault_2'],
    run: async (petri, [id]) => petri.delete(`${path}/${segment(await wholeId(petri, 'fault', id))}`),
    print: (_, [id]) => `${id} is removed.`,
  }),
  remote({
    usage: 'clear',
    summary: 'remove all injected faults',
    examples: ['petri faults clear'],
    run: (petri) => petri.delete(path),
    print: () => 'Everything works again.',
  }),
]

function describe({ faults }: FaultsView): string {
  if (faults.length === 0) return 'Everything works.'
  const rows = faults.map((fault) => [
    fault.id,
    fault.operation,
    whatHappens(fault),
    when(fault),
    `${fault.hits} of ${fault.seen} calls`,
  ])
  return columns(rows, ['fault', 'operation', 'what happens', 'when', 'struck'])
}

function whatHappens({ respond, latency, drop }: FaultView): string {
  const late = latency && (latency.min === latency.max ? latency.min : `${latency.min} to ${latency.max}`)
  return [respond && `answers ${respond.status}`, late && `${late} late`, drop && `drop ${drop}`]
    .filter(Boolean)
    .join(', ')
}

const when = ({ times, rate, after, order_id }: FaultView): string =>
  [
    times === null ? 'always' : `${times}x`,
    rate < 1 && `at a rate of ${rate}`,
    after > 0 && `after ${after}`,
    order_id !== null && `for order ${order_id}`,
  ]
    .filter(Boolean)
    .join(' ')
