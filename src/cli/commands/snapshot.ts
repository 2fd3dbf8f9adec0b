import type { Command } from 'commander'
import type { Clock, Snapshot } from '../../client/responses.ts'
import { columns, plural, readable } from '../output.ts'
import { registerRemote, remote, segment } from '../remote.ts'
import { describeClock } from './clock.ts'

export function registerSnapshot(program: Command): void {
  registerRemote(
    program.command('snapshot').description('keep a world as it is, and go back to it'),
    commands,
  )
}

const commands = [
  remote({
    usage: 'list',
    summary: 'list the snapshots of this world; a reset keeps them',
    isDefault: true,
    examples: ['petri snapshot list --json'],
    run: (petri) => petri.get<{ data: readonly Snapshot[] }>('/_petri/snapshots'),
    print: ({ data }) =>
      data.length === 0
        ? 'None; "petri snapshot save NAME" makes one.'
        : columns(data.map(cellsOf), ['snapshot', 'at', 'clock', 'holds']),
  }),
  remote({
    usage: 'save <name>',
    summary: 'save the state of this world under a name; replaces a snapshot of the same name',
    examples: ['petri snapshot save two-orders'],
    run: (petri, [name]) => petri.put<Snapshot>(pathOf(name), undefined),
    print: (snapshot) => cellsOf(snapshot).join('  '),
  }),
  remote({
    usage: 'restore <snapshot>',
    summary: 'restore a snapshot, including the clock',
    examples: ['petri snapshot restore two-orders'],
    run: (petri, [name]) => petri.post<{ clock: Clock }>(`${pathOf(name)}/restore`),
    print: ({ clock }, [name]) => `The world is as ${name} has it.\n${describeClock(clock)}`,
  }),
  remote({
    usage: 'drop <snapshot>',
    summary: 'delete a snapshot',
    examples: ['petri snapshot drop two-orders'],
    run: (petri, [name]) => petri.delete(pathOf(name)),
    print: (_, [name]) => `${name} was deleted.`,
  }),
]

const pathOf = (name: string | undefined) => `/_petri/snapshots/${segment(name)}`

const cellsOf = ({ name, at, frozen, rows }: Snapshot): string[] => [
  name,
  readable(at),
  frozen ? 'frozen' : 'running',
  plural(rows, 'row'),
]
