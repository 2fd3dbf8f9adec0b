import type { Command } from 'commander'
import { columns, plural, readable } from '../output.ts'
import { registerRemote, remote, segment } from '../remote.ts'
import { type ClockView, describeClock } from './clock.ts'

interface SnapshotView {
  readonly name: string
  readonly at: string
  readonly frozen: boolean
  readonly rows: number
}

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
    run: (petri) => petri.get<{ data: readonly SnapshotView[] }>('/_petri/snapshots'),
    print: ({ data }) =>
      data.length === 0
        ? 'None; "petri snapshot save NAME" makes one.'
        : columns(data.map(cellsOf), ['snapshot', 'at', 'clock', 'holds']),
  }),
  remote({
    usage: 'save <name>',
    summary: 'save the state of this world under a name; replaces a snapshot of the same name',
    examples: ['petri snapshot save two-orders'],
    run: (petri, [name]) => petri.put<SnapshotView>(pathOf(name), undefined),
    print: (snapshot) => cellsOf(snapshot).join('  '),
  }),
  remote({
    usage: 'restore <snapshot>',
    summary: 'restore a snapshot, including the clock',
    examples: ['petri snapshot restore two-orders'],
    run: (petri, [name]) => petri.post<{ clock: ClockView }>(`${pathOf(name)}/restore`),
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

const cellsOf = ({ name, at, frozen, rows }: SnapshotView): string[] => [
  name,
  readable(at),
  frozen ? 'frozen' : 'running',
  plural(rows, 'row'),
]
