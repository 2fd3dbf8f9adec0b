import type { Command } from 'commander'
import type { World } from '../../client/responses.ts'
import { UsageProblem } from '../config.ts'
import { wholeId } from '../ids.ts'
import { columns, paint } from '../output.ts'
import { registerRemote, remote, segment, textOf } from '../remote.ts'
import { describeClock } from './clock.ts'

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
    run: (petri) => petri.get<World>('/_petri/world'),
    print: describeWorld,
  }),
  remote({
    usage: 'list',
    summary: 'list all worlds; needs PETRI_CONTROL_TOKEN, or a call from the same machine',
    run: (petri) => petri.get<{ data: readonly World[] }>('/_petri/worlds'),
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
      petri.post<World>('/_petri/worlds', {
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
          ? await petri.patch<World>('/_petri/world', { features })
          : await petri.get<World>('/_petri/world')
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
      run: (petri, _, { seed }) => petri.post<World>('/_petri/reset', { seed: textOf(seed) }),
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

const describeCounts = (counts: World['counts']) =>
  Object.entries(counts)
    .map(([noun, count]) => `${noun} ${count}`)
    .join(', ')

function describeWorld(world: World): string {
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
