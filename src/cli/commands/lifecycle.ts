import type { Command } from 'commander'
import type { Lifecycle, Workflow } from '../../client/responses.ts'
import { columns, paint } from '../output.ts'
import { registerRemote, remote } from '../remote.ts'

export function registerLifecycle(program: Command): void {
  registerRemote(program, [
    remote({
      usage: 'lifecycle [workflow]',
      summary: 'the statuses of an order by workflow, and where each leads',
      examples: ['petri lifecycle', 'petri lifecycle registrable_kit'],
      run: (petri) => petri.get<Lifecycle>('/_petri/lifecycle'),
      print: ({ workflows }, [wanted]) =>
        workflows
          .filter(({ name }) => wanted === undefined || name === wanted)
          .map(describe)
          .join('\n\n'),
    }),
  ])
}

function describe({ name, happy_path, statuses }: Workflow): string {
  const rows = statuses.map((status) => [`  ${status.name}`, status.leads_to.join(', ') || 'final'])
  return `${paint(name, 'bold')}: ${happy_path.join(' > ')}\n${columns(rows, ['  status', 'leads to'])}`
}
