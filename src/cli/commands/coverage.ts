import type { Command } from 'commander'
import type { Coverage } from '../../client/responses.ts'
import { columns, paint } from '../output.ts'
import { registerRemote, remote } from '../remote.ts'

type Tally = Readonly<Record<string, number>>

interface Compared {
  readonly met: Tally
  readonly never: readonly string[]
}

export function registerCoverage(program: Command): void {
  registerRemote(program, [
    remote({
      usage: 'coverage',
      summary: 'which operations, statuses and events the program under test has met, and which not',
      examples: ['petri coverage', 'petri coverage --json | jq .event_types.never'],
      run: (petri) => petri.get<Coverage>('/_petri/coverage'),
      print: describe,
    }),
  ])
}

function describe({ operations, order_statuses, event_types, errors, unknown_paths }: Coverage): string {
  const { met, never } = operations
  const groups: readonly (readonly [string, Compared])[] = [
    ['order statuses', order_statuses],
    ['event types', event_types],
    ['errors', errors],
  ]
  return [
    section('operations', met.length, never.length),
    ...rows(met.map(({ route, statuses }) => [route, inWords(statuses)])),
    ...groups.flatMap(([name, { met, never }]) => [
      section(name, Object.keys(met).length, never.length),
      ...rows(Object.entries(met).map(([what, count]) => [what, `${count}x`])),
    ]),
    ...(Object.keys(unknown_paths).length > 0 ? [`paths nothing has: ${inWords(unknown_paths)}`] : []),
    paint('--json names those that were never met', 'dim'),
  ].join('\n')
}

const section = (name: string, met: number, never: number) =>
  `${paint(name, 'bold')}: ${met} of ${met + never} met`

const rows = (cells: readonly (readonly [string, string])[]): string[] =>
  cells.length === 0 ? [] : [columns(cells.map(([what, count]) => [`  ${what}`, count]))]

const inWords = (tally: Tally) =>
  Object.entries(tally)
    .map(([name, count]) => `${name} ${count}x`)
    .join(', ')
