import type { Command } from 'commander'
import { UsageProblem } from '../config.ts'
import { wholeId } from '../ids.ts'
import { columns, paint } from '../output.ts'
import { registerRemote, remote, segment, textOf } from '../remote.ts'
import { type ClockView, describeClock } from './clock.ts'

interface WorldView {
  readonly team_id: string
  readonly name: string
  readonly api_key: string
  readonly webhook_secret: string
  readonly seed: string
  readonly scenario: string
  readonly clock: ClockView
  readonly features: Readonly<Record<string, boolean | string>>
  readonly counts: Readonly<Record<string, number>>
}

export function registerWorld(program: Command): void {
  registerRemote(
    program.command('world').description('the sandboxes of a running Petri, each with a key of its own'),
    commands,
  )
}

const commands = [
  remote({
    usage: 'show',
    summary: 'show the world of this key',
    isDefault: true,
    run: (petri) => petri.get<WorldView>('/_petri/world'),
    print: describeWorld,
  }),
  remote({
    usage: 'list',
    summary: 'list all worlds; needs PETRI_CONTROL_TOKEN, or a call from the same machine',
    run: (petri) => petri.get<{ data: readonly WorldView[] }>('/_petri/worlds'),
    print: ({ data }) =>
      columns(
        data.map(({ team_id, name, api_key, counts }) => [team_id, name, api_key, describeCounts(counts)]),
        ['team', 'name', 'key', 'what it holds'],
      ),
  }),
  remote({
    usage: 'new',
    summary: 'create a world',
    options: [
      ['--name <name>', 'what it is called'],
      ['--seed <seed>', 'what its ids, names and numbers follow from'],
      ['--frozen', 'its clock does not move until it is advanced'],
      ['--now <instant>', 'where its clock starts'],
      ['--scenario <scenario>', 'the scenario its orders follow by default'],
      ['--webhook-url <url>', 'where its webhooks go'],
    ],
    examples: ['petri world new --frozen --name "test 7"', 'KEY=$(petri world new --json | jq -r .api_key)'],
    run: (petri, _, { name, seed, frozen, now, scenario, webhookUrl }) =>
      petri.post<WorldView>('/_petri/worlds', {
        name: textOf(name),
        seed: textOf(seed),
        ...(frozen === true && { frozen }),
        now: textOf(now),
        scenario: textOf(scenario),
        webhook_url: textOf(webhookUrl),
      }),
    print: describeWorld,
  }),
  remote({
    usage: 'drop <world>',
    summary: 'delete a world and all its data; takes its team id',
    run: async (petri, [team]) => {
      const id = await wholeId(petri, 'world', team)
      await petri.delete(`/_petri/worlds/${segment(id)}`)
      return { id }
    },
    print: ({ id }) => `The world of team ${id} was deleted.`,
  }),
  remote({
    usage: 'features [settings...]',
    summary: 'show the features of this world, or set some; "default" restores one',
    examples: ['petri world features', 'petri world features redraws=true parity=production'],
    run: async (petri, settings) => {
      const features = Object.fromEntries(settings.map(readSetting))
      const { features: all } =
        settings.length > 0
          ? await petri.patch<WorldView>('/_petri/world', { features })
          : await petri.get<WorldView>('/_petri/world')
      return all
    },
    print: (features) =>
      columns(
        Object.entries(features).map(([name, value]) => [name, String(value)]),
        ['feature', 'value'],
      ),
  }),
]

export function registerReset(program: Command): void {
  registerRemote(program, [
    remote({
      usage: 'reset',
      summary: 'put a world back to its first state',
      options: [['--seed <seed>', 'start again with another seed']],
      run: (petri, _, { seed }) => petri.post<WorldView>('/_petri/reset', { seed: textOf(seed) }),
      print: describeWorld,
    }),
  ])
}

function readSetting(text: string): [name: string, value: string | null] {
  const mark = text.indexOf('=')
  if (mark < 1) throw new UsageProblem(`Set a feature like redraws=true; "${text}" is not.`)
  const value = text.slice(mark + 1)
  return [text.slice(0, mark), value === 'default' ? null : value]
}

const describeCounts = (counts: WorldView['counts']) =>
  Object.entries(counts)
    .map(([noun, count]) => `${noun} ${count}`)
    .join(', ')

function describeWorld(world: WorldView): string {
  const rows = [
    ['name', paint(world.name, 'bold')],
    ['team id', world.team_id],
    ['API key', world.api_key],
    ['webhook secret', world.webhook_secret],
    ['seed', world.seed],
    ['scenario', world.scenario],
    ['holds', describeCounts(world.counts)],
  ]
  return `${columns(rows)}\n${describeClock(world.clock)}`
}
