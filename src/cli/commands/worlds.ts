import { createReadStream } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { Parsed } from '../../api/schema.ts'
import type { Advanced, Agenda, Clock, Effect, Snapshot, World } from '../../client/responses.ts'
import type { Snapshots } from '../../control/snapshots/schema.ts'
import type { WorldList } from '../../control/worlds.ts'
import { readableInstant } from '../../kernel/readable.ts'
import { codeOf, reasonOf, whyUnreadable } from '../../kernel/reason.ts'
import { statFile } from '../../kernel/user-file.ts'
import type { Client } from '../client.ts'
import { CliError, UsageProblem } from '../config.ts'
import { idsThatBegin } from '../ids.ts'
import { columns, paint, plural, showProgress } from '../output.ts'
import { type Input, type RemoteCommand, registerRemote } from '../remote.ts'

export function register(program: Command): void {
  const clock = program.command('clock').description('show and move the clock of a world')
  registerRemote(clock, clockCommands)
  registerRemote(program, [agenda])
  const world = program
    .command('world')
    .description('the worlds of a running Petri, each with its own API key')
  registerRemote(world, worldCommands)
  registerRemote(program, [reset])
  const snapshot = program.command('snapshot').description('save the state of a world, and restore it')
  registerRemote(snapshot, snapshotCommands)
  const state = program.command('state').description('a whole world as one JSON document')
  registerRemote(state, stateCommands)
  const organisation = program
    .command('organisation')
    .description(
      'what happens outside of the management API; needs PETRI_CONTROL_TOKEN, or a call from the same machine',
    )
  registerRemote(organisation, organisationCommands)
}

const clockCommands: readonly RemoteCommand[] = [
  {
    usage: 'show',
    summary: 'show the clock, and when the next job is due',
    isDefault: true,
    route: 'GET /_petri/clock',
    print: describeClock,
  },
  {
    usage: 'advance [duration]',
    summary: 'advance the clock, run everything that becomes due, and list the effects',
    options: [
      ['--to <instant>', 'where to stop, such as 2026-01-05T09:00:00Z'],
      ['--until <idle>', '"idle": until no job is pending'],
    ],
    examples: [
      'petri clock advance 3d          returns after all deliveries of three days',
      'petri clock advance 1d12h --json',
      'petri clock advance --until idle',
    ],
    route: 'POST /_petri/clock/advance',
    fields: { duration: 'by' },
    toInput(given) {
      if (Object.values(given).filter((value) => value !== undefined).length === 1) return given
      throw new UsageProblem('Give exactly one of a duration such as 3d, --to and --until idle.')
    },
    print: describeAdvance,
  },
  {
    usage: 'freeze',
    summary: 'freeze the clock; it changes only when it is advanced',
    route: 'PATCH /_petri/clock',
    toInput: () => ({ frozen: true }),
    print: describeClock,
  },
  {
    usage: 'run',
    summary: 'unfreeze the clock',
    route: 'PATCH /_petri/clock',
    toInput: () => ({ frozen: false }),
    print: describeClock,
  },
  {
    usage: 'pace <factor>',
    summary:
      'set how fast scenarios run in a live world; with 8640 a day of a scenario takes 10 s, 1 is real time',
    route: 'PATCH /_petri/clock',
    fields: { factor: 'pace' },
    print: describeClock,
  },
  {
    usage: 'set <instant>',
    summary: 'set the clock to a later time',
    examples: ['petri clock set 2026-01-05T09:00:00Z'],
    route: 'PATCH /_petri/clock',
    fields: { instant: 'now' },
    print: describeClock,
  },
]

function describeClock({ now, frozen, scenario_day, ...jobs }: Clock): string {
  const state = frozen ? 'frozen' : `live: a day of a scenario takes ${scenario_day}`
  return `${paint(readableInstant(now), 'bold')}  ${state}\n${describeJobs(jobs)}`
}

function describeJobs({ pending, next_due }: Pick<Clock, 'pending' | 'next_due'>): string {
  if (next_due === null) return paint('no pending jobs', 'dim')
  return paint(`${plural(pending, 'pending job')}, the next at ${readableInstant(next_due)}`, 'dim')
}

/** An effect; that of a delivery names the faults that were applied. */
type ListedEffect = Effect & { readonly marks?: readonly string[] }

function describeAdvance({ now, effects, effects_dropped = 0, summary, ...jobs }: Advanced): string {
  const rows = effects.map(({ at, kind, event_type, order_id, status, detail, marks }: ListedEffect) => [
    readableInstant(at),
    kind,
    event_type ?? '',
    order_id?.slice(0, 8) ?? '',
    [status, detail, marks && `(${marks.join(', ')})`].filter(Boolean).join(' '),
  ])
  const lines = rows.length > 0 ? [columns(rows, ['at', 'kind', 'event', 'order', 'detail'])] : []
  if (effects_dropped > 0) lines.push(`\u2026 and ${effects_dropped} more`)
  lines.push(`${paint(readableInstant(now), 'bold')}  ${describeJobs(jobs)}`)
  if (summary.length > 0) lines.push(`${summary.join('; ')}.`)
  return lines.join('\n')
}

const agenda: RemoteCommand = {
  usage: 'agenda [subject]',
  summary: 'list the pending jobs; only those of an order, message or user if its id is given',
  options: [['--limit <number>', 'maximum number; 100 by default']],
  examples: ['petri agenda', 'petri agenda 5f3a…', 'petri agenda --json | jq .data[0].due'],
  async run(petri, { subject: given, limit }) {
    const beginning = typeof given === 'string' ? given.replace(/(\u2026|\.\.\.)$/, '') : undefined
    const { ids = [] } = beginning ? await idsThatBegin(petri, undefined, beginning) : {}
    const subject = ids.length === 1 ? ids[0] : beginning
    const found = await petri.call<Agenda>('GET /_petri/agenda', { subject, limit })
    if (beginning && ids.length === 0 && found.total === 0)
      throw new CliError(
        `No id begins with "${given}". List all pending jobs with \`npx petri-sandbox agenda\`.`,
      )
    return found
  },
  print({ data, total }: Agenda) {
    const rows = data.map(({ due, subject, does, recurring }) => [
      readableInstant(due),
      recurring ? `${does} (recurring)` : does,
      subject,
    ])
    const head = paint(plural(total, 'pending job'), 'dim')
    return rows.length === 0 ? head : `${columns(rows, ['due', 'what', 'about'])}\n${head}`
  },
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
  options: [['--seed <seed>', 'reset with another seed']],
  route: 'POST /_petri/reset',
  print: describeWorld,
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
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageProblem(`Write a feature as name=value, such as redraws=true; "${text}" has no value.`)
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

const snapshotCommands: readonly RemoteCommand[] = [
  {
    usage: 'list',
    summary: 'list the snapshots of this world; a reset keeps them',
    isDefault: true,
    examples: ['petri snapshot list --json'],
    route: 'GET /_petri/snapshots',
    print: ({ data }: Parsed<typeof Snapshots>) =>
      data.length === 0
        ? 'No snapshots; "npx petri-sandbox snapshot save NAME" creates one.'
        : columns(data.map(rowOfSnapshot), ['snapshot', 'at', 'clock', 'contents']),
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

const rowOfSnapshot = ({ name, at, frozen, rows }: Snapshot): string[] => [
  name,
  readableInstant(at),
  frozen ? 'frozen' : 'running',
  plural(rows, 'row'),
]

const stateCommands: readonly RemoteCommand[] = [
  {
    usage: 'export [file]',
    summary: 'write this world to a file, or print it, without secrets',
    examples: ['petri state export world.json', 'petri state export | jq .clock'],
    run: exportState,
    print: (_, { file }) => `Exported the world to ${file}.`,
  },
  {
    usage: 'import <file>',
    summary: 'replace this world with an exported one; "-" reads standard input. Keeps the team and its keys',
    examples: ['petri state import world.json'],
    async run(petri, { file }) {
      const source =
        file === '-'
          ? createReadStream('', { fd: 0 })
          : (await openFile(String(file), 'r')).createReadStream()
      return petri.call('PUT /_petri/state', Readable.toWeb(source))
    },
    print: ({ clock }: World, { file }) => `Imported the world from ${file}.\n${describeClock(clock)}`,
  },
]

async function exportState(petri: Client, { file }: Input): Promise<unknown> {
  const state = await petri.stream('GET /_petri/state')
  if (typeof file !== 'string') return state
  const out = await openFile(file, 'w').catch(async (error) => {
    await state.cancel()
    throw error
  })
  try {
    await showProgress(writeFile(out, state))
    return { file, bytes: (await out.stat()).size }
  } catch (error) {
    throw new CliError(`${file} is incomplete: ${reasonOf(error)}`)
  } finally {
    await out.close()
  }
}

/** Throws an error that names the file. */
async function openFile(file: string, flags: 'r' | 'w'): Promise<FileHandle> {
  try {
    // Opening a pipe waits for its other end.
    if (flags === 'r') statFile(file)
    return await open(file, flags)
  } catch (error) {
    const code = codeOf(error)
    const folder = dirname(file)
    if (code === 'ENOENT' && flags === 'w')
      throw new CliError(`There is no folder ${folder} to write ${file} to.`)
    throw new CliError(`${whyUnreadable(file, error)}.`)
  }
}

const organisationCommands: readonly RemoteCommand[] = [
  {
    usage: 'accept <invite>',
    summary: 'accept an invitation to the organisation as its recipient',
    options: [['--name <name>', 'name of the new member']],
    examples: ['petri organisation accept INVITE_ID --name "Ada Example"'],
    route: 'POST /_petri/organisation/invites/{invite_id}/accept',
    fields: { invite: 'invite_id' },
  },
  {
    usage: 'publish <domain>',
    summary: 'publish the DNS record of a domain of the organisation, so that it can be verified',
    examples: ['petri organisation publish DOMAIN_ID'],
    route: 'POST /_petri/organisation/domains/{domain_id}/publish',
    fields: { domain: 'domain_id' },
  },
]
