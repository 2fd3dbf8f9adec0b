import type { Command } from 'commander'
import type { Parsed } from '../../api/schema.ts'
import type { Snapshot, World } from '../../client/responses.ts'
import type { Snapshots } from '../../control/snapshots.ts'
import { plural, readableInstant } from '../../kernel/readable.ts'
import { columns } from '../../terminal/output.ts'
import { type RemoteCommand, registerRemote } from '../remote.ts'
import { describeClock } from './clock.ts'

export function register(program: Command): void {
  registerRemote(
    program.command('snapshot').description('save the state of a world, and restore it'),
    snapshotCommands,
  )
}

const snapshotCommands: readonly RemoteCommand[] = [
  {
    usage: 'list',
    summary: 'list the snapshots of this world; a reset keeps them',
    isDefault: true,
    examples: ['petri snapshot list --json'],
    route: 'GET /_petri/snapshots',
    print: printSnapshots,
  },
  {
    usage: 'save <name>',
    summary: 'save the state of this world under a name; replaces a snapshot of the same name',
    examples: ['petri snapshot save two-orders'],
    route: 'PUT /_petri/snapshots/{name}',
    print: (snapshot: Snapshot) => rowOfSnapshot(snapshot).join('  '),
  },
  {
    usage: 'restore <snapshot>',
    summary: 'restore a snapshot, including the clock',
    examples: ['petri snapshot restore two-orders'],
    route: 'POST /_petri/snapshots/{name}/restore',
    fields: { snapshot: 'name' },
    print: ({ clock }: World, { name }) => `Restored snapshot "${name}".\n${describeClock(clock)}`,
  },
  {
    usage: 'drop <snapshot>',
    summary: 'delete a snapshot',
    examples: ['petri snapshot drop two-orders'],
    route: 'DELETE /_petri/snapshots/{name}',
    fields: { snapshot: 'name' },
    print: (_, { name }) => `Deleted snapshot "${name}".`,
  },
]

function printSnapshots({ data, unreadable }: Parsed<typeof Snapshots>): string {
  if (data.length + unreadable.length === 0)
    return 'No snapshots; "npx petri-sandbox snapshot save NAME" creates one.'
  const left = unreadable.map(({ name, reason }) => `${name} cannot be read: ${reason}`)
  return [columns(data.map(rowOfSnapshot), ['snapshot', 'at', 'clock', 'contents']), ...left].join('\n')
}

const rowOfSnapshot = ({ name, at, frozen, rows }: Snapshot): string[] => [
  name,
  readableInstant(at),
  frozen ? 'frozen' : 'running',
  plural(rows, 'row'),
]
