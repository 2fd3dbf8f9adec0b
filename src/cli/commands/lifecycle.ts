import type { Command } from 'commander'
import { columns, paint } from '../output.ts'
import { registerRemote, remote } from '../remote.ts'

interface LifecycleView {
  readonly workflows: readonly {
    readonly name: string
    readonly happy_path: readonly string[]
    readonly statuses: readonly { readonly name: string; readonly leads_to: readonly string[] }[]
  }[]
}

export function registerLifecycle(program: Command): void {
  registerRemote(program, [
    remote({
      usage: 'lifecycle [workflow]',
      summary: 'the statuses of an order by workflow, and where each leads',
      examples: ['petri lifecycle', 'petri lifecycle registrable_kit'],
      run: (petri) => petri.get<LifecycleView>('/_petri/lifecycle'),
      print: ({ workflows }, [wanted]) =>
        workflows
          .filter(({ name }) => wanted === undefined || name === wanted)
          .map(describe)
          .join('\n\n'),
    }),
  ])
}

function describe({ name, happy_path, statuses }: LifecycleView['workflows'][number]): string {
  const rows = statuses.map((status) => [`  ${status.name}`, status.leads_to.join(', ') || 'final'])
  return `${paint(name, 'bold')}: ${happy_path.join(' > ')}\n${columns(rows, ['  status', 'leads to'])}`
}
