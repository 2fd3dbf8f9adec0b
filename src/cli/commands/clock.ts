import type { Command } from 'commander'
import type { Advanced, Clock, Effect } from '../../client/responses.ts'
import { UsageProblem } from '../config.ts'
import { columns, paint, plural, readable } from '../output.ts'
import { registerRemote, remote, textOf } from '../remote.ts'

/** An effect; a delivery has the faults that were applied to it. */
type Marked = Effect & { readonly marks?: readonly string[] }

export function registerClock(program: Command): void {
  registerRemote(program.command('clock').description('see and move the clock of a world'), commands)
}

const commands = [
  remote({
    usage: 'show',
    summary: 'show the clock, and when the next work is due',
    isDefault: true,
    run: (petri) => petri.get<Clock>('/_petri/clock'),
    print: describeClock,
  }),
  remote({
    usage: 'advance [duration]',
    summary: 'advance the clock, run everything that becomes due, and list what happened',
    options: [
      ['--to <instant>', 'where to stop, such as 2026-01-05T09:00:00Z'],
      ['--until <idle>', '"idle": go on until nothing is left to do'],
    ],
    examples: [
      'petri clock advance 3d          all deliveries of three days are made when this returns',
      'petri clock advance 1d12h --json',
      'petri clock advance --until idle',
    ],
    run: (petri, [by], { to, until }) => {
      if ([by, to, until].filter((input) => input !== undefined).length !== 1) {
        throw new UsageProblem('Give exactly one of a duration such as 3d, --to and --until idle.')
      }
      return petri.post<Advanced>('/_petri/clock/advance', { by, to: textOf(to), until: textOf(until) })
    },
    print: describeAdvance,
  }),
  remote({
    usage: 'freeze',
    summary: 'freeze the clock; it changes only when it is advanced',
    run: (petri) => petri.patch<Clock>('/_petri/clock', { frozen: true }),
    print: describeClock,
  }),
  remote({
    usage: 'run',
    summary: 'unfreeze the clock',
    run: (petri) => petri.patch<Clock>('/_petri/clock', { frozen: false }),
    print: describeClock,
  }),
  remote({
    usage: 'pace <factor>',
    summary:
      'set the factor by which simulated waits are shortened; 1 is real time, with 8640 a day takes ten seconds',
    run: (petri, [factor]) => petri.patch<Clock>('/_petri/clock', { pace: numberOf(factor) }),
    print: describeClock,
  }),
  remote({
    usage: 'set <instant>',
    summary: 'set the clock to a later time',
    examples: ['petri clock set 2026-01-05T09:00:00Z'],
    run: (petri, [now]) => petri.patch<Clock>('/_petri/clock', { now }),
    print: describeClock,
  }),
]

function numberOf(text = ''): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new UsageProblem(`"${text}" is not a number.`)
  return number
}

export function describeClock({ now, frozen, pace, ...agenda }: Clock): string {
  const speed = frozen ? 'frozen' : pace === 1 ? 'running' : `running, simulated waits ${pace} times faster`
  return `${paint(readable(now), 'bold')}  ${speed}\n${describeAgenda(agenda)}`
}

const describeAgenda = ({ pending, next_due }: Pick<Clock, 'pending' | 'next_due'>): string =>
  next_due === null
    ? paint('nothing is left to do', 'dim')
    : paint(`${plural(pending, 'job')} to do, the next at ${readable(next_due)}`, 'dim')

function describeAdvance({ now, effects, effects_dropped = 0, ...agenda }: Advanced): string {
  const lines =
    effects.length > 0 ? [columns(effects.map(cellsOf), ['at', 'kind', 'event', 'order', 'what'])] : []
  if (effects_dropped > 0) lines.push(`… and ${effects_dropped} more`)
  return [...lines, `${paint(readable(now), 'bold')}  ${describeAgenda(agenda)}`].join('\n')
}

const cellsOf = ({ at, kind, event_type, order_id, status, detail, marks }: Marked): string[] => [
  readable(at),
  kind,
  event_type ?? '',
  order_id?.slice(0, 8) ?? '',
  [status, detail, marks && `(${marks.join(', ')})`].filter(Boolean).join(' '),
]
