import type { Command } from 'commander'
import type { Parsed } from '../../api/schema.ts'
import type { World } from '../../client/responses.ts'
import type { WorldList } from '../../control/worlds.ts'
import type { Client } from '../../terminal/client.ts'
import { UsageProblem } from '../../terminal/errors.ts'
import { columns, paint } from '../../terminal/output.ts'
import { type Input, type RemoteCommand, readPair, registerRemote } from '../remote.ts'
import { describeClock } from './clock.ts'

export function register(program: Command): void {
  registerRemote(
    program.command('world').description('the worlds of a running Petri, each with its own API key'),
    worldCommands,
  )
  registerRemote(program, [reset])
}

const worldCommands: readonly RemoteCommand[] = [
  {
    usage: 'show',
    summary: 'show the world of this API key',
    isDefault: true,
    route: 'GET /_petri/world',
    print: describeWorld,
  },
  {
    usage: 'list',
    summary: 'list all worlds; needs PETRI_CONTROL_TOKEN, or a call from the same machine',
    route: 'GET /_petri/worlds',
    print({ data }: Parsed<typeof WorldList>) {
      const rows = data.map(({ team_id, name, api_key, counts }) => [
        team_id,
        name,
        api_key,
        describeCounts(counts),
      ])
      return columns(rows, ['team', 'name', 'key', 'contents'])
    },
  },
  {
    usage: 'new',
    summary: 'create a world',
    options: [
      ['--name <name>', 'name of the world'],
      ['--seed <seed>', 'seed of its ids, names and numbers'],
      ['--frozen', 'its clock changes only when it is advanced'],
      ['--now <instant>', 'where its clock starts'],
      ['--scenario <scenario>', 'default scenario of its orders'],
      [
        '--like <team>',
        'sandbox or production: scenario, pace and features of such a team of the live service',
      ],
      ['--webhook-url <url>', 'URL it sends its webhooks to'],
    ],
    examples: ['petri world new --frozen --name "test 7"', 'KEY=$(petri world new --json | jq -r .api_key)'],
    route: 'POST /_petri/worlds',
    print: describeWorld,
  },
  {
    usage: 'key <key>',
    summary: 'replace the API key of this world; the old one stops working',
    examples: ['petri world key sk_us_mine', 'petri world key "$NEW" --api-key "$OLD"'],
    route: 'PATCH /_petri/world',
    fields: { key: 'api_key' },
    print: () => 'This world has a new API key. Set PETRI_API_KEY to it for the next start and for commands.',
  },
  {
    usage: 'drop <world>',
    summary: 'delete a world and all its data; takes its team id',
    async run(petri, { team_id: id }) {
      await petri.call('DELETE /_petri/worlds/{team_id}', { team_id: id })
      return { id }
    },
    fields: { world: 'team_id' },
    print: ({ id }: { id: string }) => `Deleted the world of team ${id}.`,
  },
  {
    usage: 'like <team>',
    summary:
      'give this world the scenario, pace and features of a sandbox or production team of the live service; "none" restores those of Petri',
    examples: ['petri world like sandbox'],
    route: 'PATCH /_petri/world',
    toInput: ({ team }) => ({ like: team === 'none' ? null : team }),
    print: describeWorld,
  },
  {
    usage: 'features [settings...]',
    summary: 'show the features of this world, or set some; "default" restores one',
    examples: ['petri world features', 'petri world features redraws=true parity=production'],
    run: setFeatures,
    print(features: World['features']) {
      const rows = Object.entries(features).map(([name, value]) => [name, String(value)])
      return columns(rows, ['feature', 'value'])
    },
  },
]

const reset: RemoteCommand = {
  usage: 'reset',
  summary: 'reset a world to its initial state',
  options: [
    ['--seed <seed>', 'reset with another seed'],
    ['--keep-endpoints', 'keep added webhook endpoints'],
    ['--new-ids', 'give users, orders and messages new ids (default in a live world)'],
    ['--same-ids', 'give the same ids again (default in a frozen world)'],
  ],
  route: 'POST /_petri/reset',
  toInput({ seed, new_ids, same_ids, keep_endpoints }) {
    if (new_ids && same_ids) throw new UsageProblem('Give only one of --new-ids and --same-ids.')
    return { seed, new_ids: same_ids ? false : new_ids, keep_endpoints }
  },
  print(world: World & { readonly removed_endpoints: readonly string[] }, { seed, new_ids, same_ids }) {
    const isSame = same_ids || (world.clock.frozen && seed === undefined && !new_ids)
    const lines = [describeWorld(world)]
    for (const url of world.removed_endpoints)
      lines.push(`Removed the webhook endpoint ${url}; --keep-endpoints keeps those that were added.`)
    if (isSame)
      lines.push(
        'Ids are the same as before the reset. If your receiver ignores ids it knows, use --new-ids.',
      )
    return lines.join('\n')
  },
}

async function setFeatures(petri: Client, { settings }: Input): Promise<World['features']> {
  const given = Array.isArray(settings) ? settings.map(readFeature) : []
  const world =
    given.length === 0
      ? petri.call<World>('GET /_petri/world')
      : petri.call<World>('PATCH /_petri/world', { features: Object.fromEntries(given) })
  return (await world).features
}

function readFeature(text: string): [name: string, value: string | null] {
  const [name, value] = readPair(text, 'feature', 'redraws=true')
  return [name, value === 'default' ? null : value]
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
    ['like', world.like === null ? '' : `a ${world.like} team of the live service`],
    ['contents', describeCounts(world.counts)],
  ]
  return `${columns(rows)}\n${describeClock(world.clock)}`
}
