import type { Command } from 'commander'
import type { Advanced, Agenda, Clock, Effect } from '../../client/responses.ts'
import { compact } from '../../kernel/list.ts'
import { plural, readableInstant } from '../../kernel/readable.ts'
import { CliError, UsageProblem } from '../../terminal/errors.ts'
import { columns, paint } from '../../terminal/output.ts'
import { idsThatBegin } from '../ids.ts'
import { type RemoteCommand, registerRemote } from '../remote.ts'
import { adviceOn } from './webhooks.ts'

export function register(program: Command): void {
  registerRemote(program.command('clock').description('show and move the clock of a world'), clockCommands)
  registerRemote(program, [agenda])
}

const clockCommands: readonly RemoteCommand[] = [
  {
    usage: 'show',
    summary: 'show the clock, and when the next job is due',
    isDefault: true,
    route: 'GET /_petri/clock',
    print: describeClock,
  },
  {
    usage: 'advance [duration]',
    summary: 'advance the clock, run everything that becomes due, and list the effects',
    options: [
      ['--to <instant>', 'where to stop, such as 2026-01-05T09:00:00Z'],
      ['--until <word>', '"idle": until no job is pending; "next": until the next job is done'],
      ['--order <order>', 'until this order has reached --status'],
      ['--status <status>', 'low-level or dotted'],
    ],
    examples: [
      'petri clock advance 3d          returns after all deliveries of three days',
      'petri clock advance 1d12h --json',
      'petri clock advance --until idle',
      'petri clock advance --order 3f6a --status completed',
    ],
    route: 'POST /_petri/clock/advance',
    fields: { duration: 'by' },
    toInput(given) {
      const { status, ...others } = given
      if (given.by === 'idle' || given.by === 'next')
        throw new UsageProblem(`Write it as an option: petri clock advance --until ${given.by}`)
      const isOne = Object.values(others).filter((value) => value !== undefined).length === 1
      if (isOne && (status === undefined) === (given.order_id === undefined)) return given
      throw new UsageProblem(
        'Give exactly one of a duration such as 3d, --to, --until, and --order with --status.',
      )
    },
    print: describeAdvance,
  },
  {
    usage: 'freeze',
    summary: 'freeze the clock; it changes only when it is advanced',
    route: 'PATCH /_petri/clock',
    toInput: () => ({ frozen: true }),
    print: describeClock,
  },
  {
    usage: 'run',
    summary: 'unfreeze the clock',
    route: 'PATCH /_petri/clock',
    toInput: () => ({ frozen: false }),
    print: describeClock,
  },
  {
    usage: 'pace <number>',
    summary:
      'set how fast scenarios run in a live world; with 8640 a day of a scenario takes 10 s, 1 is real time',
    route: 'PATCH /_petri/clock',
    fields: { number: 'pace' },
    print: describeClock,
  },
  {
    usage: 'set <instant>',
    summary: 'set the clock to a later time',
    examples: ['petri clock set 2026-01-05T09:00:00Z'],
    route: 'PATCH /_petri/clock',
    fields: { instant: 'now' },
    print: describeClock,
  },
]

export function describeClock({ now, frozen, scenario_day, standing, ...jobs }: Clock): string {
  const state = frozen ? 'frozen' : `live: a day of a scenario takes ${scenario_day}`
  const lines = [`${paint(readableInstant(now), 'bold')}  ${state}`, standing, describeJobs(jobs)]
  return compact(lines).join('\n')
}

function describeJobs({ pending, next_due }: Pick<Clock, 'pending' | 'next_due'>): string {
  if (next_due === null) return paint('no pending jobs', 'dim')
  return paint(`${plural(pending, 'pending job')}, the next at ${readableInstant(next_due)}`, 'dim')
}

/** An effect; that of a delivery names the faults that were applied. */
type ListedEffect = Effect & { readonly marks?: readonly string[] }

function describeAdvance({ now, effects, effects_dropped = 0, summary, ...jobs }: Advanced): string {
  const rows = effects.map(({ at, kind, event_type, order_id, status, detail, marks }: ListedEffect) => [
    readableInstant(at),
    kind,
    event_type ?? '',
    order_id?.slice(0, 8) ?? '',
    [status, detail, marks && `(${marks.join(', ')})`].filter(Boolean).join(' '),
  ])
  const lines =
    rows.length > 0
      ? [
          columns(rows, ['at', 'kind', 'event', 'order', 'detail']) +
            adviceOn(effects.map(({ advice }) => advice)),
        ]
      : []
  if (effects_dropped > 0) lines.push(`\u2026 and ${effects_dropped} more`)
  lines.push(`${paint(readableInstant(now), 'bold')}  ${describeJobs(jobs)}`)
  if (summary.length > 0) lines.push(`${summary.join('; ')}.`)
  return lines.join('\n')
}

const agenda: RemoteCommand = {
  usage: 'agenda [subject]',
  summary: 'list the pending jobs; only those of an order, message or user if its id is given',
  options: [['--limit <number>', 'maximum number; 100 by default']],
  examples: ['petri agenda', 'petri agenda 5f3a…', 'petri agenda --json | jq .data[0].due'],
  async run(petri, { subject: given, limit }) {
    const beginning = typeof given === 'string' ? given.replace(/(\u2026|\.\.\.)$/, '') : undefined
    const { ids = [] } = beginning ? await idsThatBegin(petri, undefined, beginning) : {}
    const subject = ids.length === 1 ? ids[0] : beginning
    const found = await petri.call<Agenda>('GET /_petri/agenda', { subject, limit })
    if (beginning && ids.length === 0 && found.total === 0)
      throw new CliError(
        `No id begins with "${given}". List all pending jobs with \`npx petri-sandbox agenda\`.`,
      )
    return found
  },
  print({ data, total }: Agenda) {
    const rows = data.map(({ due, subject, does, recurring }) => [
      readableInstant(due),
      recurring ? `${does} (recurring)` : does,
      subject,
    ])
    const head = paint(plural(total, 'pending job'), 'dim')
    return rows.length === 0 ? head : `${columns(rows, ['due', 'what', 'about'])}\n${head}`
  },
}
