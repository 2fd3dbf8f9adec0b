import type { Command } from 'commander'
import { feature, teamProfiles } from '../../api/features.ts'
import { defaults } from '../../defaults.ts'
import { DAY_MS, toIso } from '../../kernel/instant.ts'
import { compact } from '../../kernel/list.ts'
import { readableDuration } from '../../kernel/readable.ts'
import { messageOf } from '../../kernel/reason.ts'
import type { Petri } from '../../petri.ts'
import { addSettings, type KeptSetting, keptSettings, settings } from '../../settings.ts'
import { maxOpenFiles } from '../../storage/file-handles.ts'
import { currentContext, wait } from '../../terminal/context.ts'
import { UsageProblem } from '../../terminal/errors.ts'
import { listEndpoints } from '../../webhooks/endpoints.ts'
import { nameOf } from '../../world/set-aside.ts'
import { apiKeysOf } from '../../world/settings.ts'
import type { World, WorldOutline } from '../../world/world.ts'
import { type Config, type Flags, givenSettings, ignoredVariables, readConfig } from '../config.ts'
import { createLog, type Log } from '../log.ts'
import { announceUrl } from '../running.ts'
import { explainFailure, type ServedPetri, servePetri } from '../serve-petri.ts'
import { prepareTls, tlsPortOf } from '../tls.ts'

export function register(program: Command): void {
  const command = program.command('start').description('run Petri until it is stopped')
  addSettings(command)
  command.action(start)
}

export async function start(flags: Flags): Promise<void> {
  const config = likeTeam(readConfig(flags), flags)
  const log = createLog({ level: config.log, format: config.logFormat }, currentContext().stdout)
  const ignored = ignoredVariables()
  if (ignored.length > 0)
    log.info(
      `Ignored, because Kubernetes or Docker sets them for a service of this name: ${ignored.join(', ')}`,
    )
  warnOfFewFiles(config, log)
  const tls = await prepareTls(config)
  const served = await servePetri(config, log, {
    authority: tls?.authority,
    assertStored: (world) => assertAgrees(world, config, flags),
    stop: () => stop({ reason: 'asked to' }),
  })
  const { petri, url } = served
  const takeBack = announceUrl(config.data, url)
  const closeTls =
    tls &&
    (await explainFailure({ host: config.host, port: tls.port, flag: 'tlsPort' }, served.close, () =>
      tls.listen(petri.app),
    ))
  const stop = stopper(served, log, async () => {
    takeBack()
    await closeTls?.()
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop({ signal }))
  if (config.attached) stopWithInput(stop)
  // The reader of the log may end, as in `petri start | head`; Petri continues.
  process.stdout.removeAllListeners('error').on('error', () => undefined)
  for (const closed of petri.worlds.setAside)
    log.warn(`${nameOf(closed)} could not be opened and is left unchanged: ${closed.reason}`)
  const first = petri.worlds.all().find(({ identity }) => identity.apiKey === config.apiKey)
  if (!first) return log.warn(`Petri answers at ${url}, but no world has the API key of its settings.`)
  await petri.worlds
    .use(first, (world) => logReady(log, world, config, config.publicUrl ?? url))
    .catch((error: unknown) => log.warn(`Petri answers at ${url}. ${messageOf(error)}`))
}

/** The configuration with the scenario and pace of the team that the first world is like, where none are given. */
export function likeTeam(config: Config, flags: Flags): Config {
  const given = givenSettings(flags)
  const { pace = config.pace, scenario = config.scenario } = config.like ? teamProfiles[config.like] : {}
  return {
    ...config,
    pace: given.pace ? config.pace : pace,
    scenario: given.scenario ? config.scenario : scenario,
  }
}

/** Files and connections that a Petri needs in addition to a file for each world that is written. */
const OTHER_FILES = 200

function warnOfFewFiles({ openWorlds, worldLimit, data }: Config, log: Log): void {
  const max = maxOpenFiles() ?? Number.POSITIVE_INFINITY
  const needed = worldLimit + OTHER_FILES
  if (!openWorlds || data === 'memory' || max >= needed) return
  log.warn(
    `This process may open ${max} files and connections, but PETRI_WORLD_LIMIT is ${worldLimit}: if most of the worlds are written ` +
      `at once, calls answer 507. Raise the limit ("ulimit -n ${needed}", or "--ulimit nofile=${needed}" of docker run), or lower PETRI_WORLD_LIMIT.`,
  )
}

/** Throws if flags or variables contradict the stored world. Settings that are not given are not checked. */
function assertAgrees(world: WorldOutline, config: Config, flags: Flags): void {
  const given = givenSettings(flags)
  if (!apiKeysOf(world.identity).some(({ value }) => value === config.apiKey)) {
    throw new UsageProblem(
      `${config.data} has a world with another API key than ${given.apiKey ?? 'the default'}. Start with its key to continue it; ` +
        '"petri world key NEW" then changes it. Or start with --fresh to delete the world, or with --data DIR to use another folder.',
    )
  }
  const present = presentSettings(world)
  const wrong = keptSettings.filter((name) => given[name] && present[name] !== (config[name] ?? null))
  if (wrong.length === 0) return
  const differences = wrong.map((name) => {
    const value = name === 'now' && present.now !== null ? toIso(present.now) : present[name]
    const text = settings[name].isSecret ? 'its value differs' : `it is ${value ?? unset[name]}`
    return `${given[name]} (${text})`
  })
  const commands = compact(wrong.map((name) => commandFor(name, config)))
  const change = commands.length > 0 ? `, which ${commands.join(' and ')} can then change` : ''
  throw new UsageProblem(
    `${config.data} has a world with other settings: ${differences.join(', ')}. Start without ${wrong.length > 1 ? 'these' : 'this'} ` +
      `to continue it${change}, with --fresh to delete it and start empty, or with --data DIR to use another folder.`,
  )
}

/** The settings of a world as they are now; those that nothing changes, as they were at its creation. */
const presentSettings = (world: WorldOutline) => ({
  seed: world.options.seed,
  now: world.options.now,
  frozen: world.clock.frozen,
  pace: world.settings().pace,
  scenario: world.settings().scenario,
  like: world.settings().like ?? null,
  adoptUsers: feature(world, 'adopt_users'),
  history: feature(world, 'history'),
  webhookSecret: world.identity.webhookSecret,
})

/** The value of a setting that a world does not have. */
const unset: Partial<Record<KeptSetting, string>> = { now: 'the time of the start', like: 'none' }

/** The command that gives a world another value of a setting. */
function commandFor(name: KeptSetting, { frozen, pace, like }: Config): string | undefined {
  if (name === 'frozen') return `"petri clock ${frozen ? 'freeze' : 'run'}"`
  if (name === 'pace') return `"petri clock pace ${pace}"`
  return name === 'like' ? `"petri world like ${like}"` : undefined
}

/** Prints the address, the credentials and three lines to copy. Keys and secrets are shown only if they are the public defaults. */
function logReady(log: Log, world: World, config: Config, url: string): void {
  const { apiKey, webhookSecret } = world.identity
  const { like, scenario } = world.settings()
  const { data } = config
  const isOwnKey = apiKey !== defaults.apiKey
  const shownSecret = webhookSecret === defaults.webhookSecret ? webhookSecret : undefined
  const curl = `curl -H ${isOwnKey ? '"x-vital-api-key: $PETRI_API_KEY"' : `'x-vital-api-key: ${apiKey}'`} ${url}/v2/user`
  const client = `new VitalClient({ apiKey: ${isOwnKey ? 'yourKey' : `'${apiKey}'`}, environment: '${url}' })`
  const page = `${url}/_petri/`
  const where = config.port === defaults.port ? '' : ` --url ${url}`
  const whose = isOwnKey ? ' --api-key "$PETRI_API_KEY"' : ''
  const receivers = listEndpoints(world).map((endpoint) => endpoint.url)
  const webhooks =
    receivers.join(', ') || `npx petri-sandbox webhook add http://127.0.0.1:3000/webhooks${where}${whose}`
  const tlsPort = tlsPortOf(config)
  if (!log.pretty) {
    log.info('Petri is ready', {
      url,
      tls_port: tlsPort,
      api_key: isOwnKey ? undefined : apiKey,
      webhook_secret: shownSecret,
      data,
      like,
      page,
      curl,
      client,
      webhooks,
    })
    return
  }
  const lines = compact([
    `Petri is ready at ${url}`,
    '',
    `  Page             ${page}`,
    `  API key          ${isOwnKey ? 'yours, not shown' : apiKey}`,
    `  Webhook secret   ${shownSecret ?? 'yours, not shown'}`,
    `  Data             ${data === 'memory' ? 'kept in memory only' : data}`,
    `  Time             ${timeOf(world)}`,
    tlsPort !== undefined &&
      `  TLS              the hosts of the live service, on port ${tlsPort}; npx petri-sandbox ca prints what to trust`,
    like ? `  Like             a ${like} team of the live service, scenario ${scenario}` : undefined,
    '',
    `  curl             ${curl}`,
    `  Official client  ${client}`,
    `  Webhooks         ${webhooks}`,
    '  More             npx petri-sandbox help',
    '',
  ])
  log.info(lines.join('\n'))
}

/** How time passes in a world. */
function timeOf(world: WorldOutline): string {
  if (world.clock.frozen) return 'frozen; npx petri-sandbox clock advance 3d moves it'
  const day = readableDuration(Math.round(DAY_MS / world.settings().pace))
  return `live: a day of a scenario takes ${day}; npx petri-sandbox clock freeze stops it`
}

/** The first call stops gracefully, the second immediately. */
function stopper({ petri, close }: ServedPetri, log: Log, closeRest: () => Promise<void>) {
  let stopping = false
  const stop = async (why: Readonly<Record<string, string>>) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info('Stopping', why)
    await advancesEnd(petri)
    await closeRest()
    await close()
    process.exit(0)
  }
  return (why: Readonly<Record<string, string>>): void => {
    stop(why).catch((error: unknown) => {
      log.error('Could not stop in order', { error: String(error) })
      process.exit(1)
    })
  }
}

/** How long a running advance may take to end when Petri stops, in milliseconds. */
const ADVANCE_GRACE_MS = 5000

/** Ends running advances after their current jobs, so that their callers get a reply. */
async function advancesEnd(petri: Petri): Promise<void> {
  const agendas = [...petri.worlds.inMemory].map(({ agenda }) => agenda)
  for (const agenda of agendas) agenda.stopAdvance()
  for (let waitedMs = 0; waitedMs < ADVANCE_GRACE_MS; waitedMs += 10) {
    if (!agendas.some(({ advancing }) => advancing)) return
    await wait(10)
  }
}

/** Standard input ends with the process that holds its other end, even if that is killed. */
function stopWithInput(stop: (why: Readonly<Record<string, string>>) => void): void {
  let ended = false
  const end = () => {
    if (!ended) stop({ reason: 'standard input ended' })
    ended = true
  }
  process.stdin.on('end', end).on('error', end).resume()
}
