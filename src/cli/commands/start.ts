import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { defaults } from '../../defaults.ts'
import { type Listening, listen, urlOf } from '../../listen.ts'
import { createPetri, type Petri, type PetriOptions } from '../../petri.ts'
import type { ScenarioChange } from '../../scenarios/own-scenarios.ts'
import { nameOf } from '../../world/set-aside.ts'
import { callLogger } from '../call-log.ts'
import {
  CliError,
  type Config,
  type Flags,
  givenSettings,
  ignoredVariables,
  readConfig,
  UsageProblem,
} from '../config.ts'
import { currentContext } from '../context.ts'
import { explainUnwritable } from '../data-folder.ts'
import { assertCreatedWith, logReady } from '../greeting.ts'
import { createLog, type Log } from '../log.ts'
import { type Setting, settings } from '../settings.ts'
import { stackOf } from '../stack.ts'

export function registerStart(program: Command): void {
  const command = program.command('start').description('run Petri until it is stopped')
  for (const { flag, takes, help, variable, initially } of Object.values<Setting>(settings)) {
    command.option(`${flag} ${takes}`, `${help} [${variable}${initially ? `: ${initially}` : ''}]`)
  }
  command.option('--json', 'write the log as JSON lines, also on a terminal')
  command.action(({ json, ...flags }: Flags & { json?: boolean }) => start(flags, json))
}

export async function start(flags: Flags, asJson = false): Promise<void> {
  const config = readConfig(flags)
  const logSettings = asJson ? { ...config.log, form: 'json' as const } : config.log
  const { stdout } = currentContext()
  const log = createLog(logSettings, stdout, stdout.isTTY === true)
  const ignored = ignoredVariables()
  if (ignored.length > 0)
    log.info(`Ignored, because Kubernetes sets them for a Service of this name: ${ignored.join(', ')}`)
  assertFoldersExist(config)
  let url = urlOf(config.host, config.port)
  const given = givenSettings(flags)
  const petri = await openPetri(config, log, {
    baseUrl: () => config.publicUrl ?? url,
    assertStored: (world) => assertCreatedWith(world, config, given),
  })
  const server = await listenOrExplain(petri, config)
  url = server.url
  stopOnSignal(petri, server, log)
  // The reader of the log may end, as in `petri start | head`; Petri continues.
  process.stdout.removeAllListeners('error').on('error', () => undefined)
  for (const closed of petri.worlds.setAside)
    log.warn(`${nameOf(closed)} could not be opened and is left as it is: ${closed.reason}`)
  const world = petri.worlds.all().find(({ identity }) => identity.apiKey === config.apiKey)
  if (!world) return log.warn(`Petri answers at ${url}, but not with the key ${config.apiKey}.`)
  logReady(log, world, config, config.publicUrl ?? url)
}

function assertFoldersExist({ scenarios, seeds }: Config): void {
  for (const [variable, folder] of Object.entries({ PETRI_SCENARIOS: scenarios, PETRI_SEEDS: seeds })) {
    if (folder !== undefined && !existsSync(folder)) {
      throw new UsageProblem(`${variable} names a folder that does not exist: ${folder}`)
    }
  }
}

type Ways = Pick<PetriOptions, 'baseUrl' | 'assertStored'>

/** Creates Petri. Throws a CliError for damaged or locked data. */
async function openPetri(config: Config, log: Log, ways: Ways): Promise<Petri> {
  try {
    const folder = config.data === 'memory' ? undefined : await openFolder(config, log)
    return await createPetri({ ...optionsOf(config, log, ways), ...(folder && { folder }) })
  } catch (error) {
    if (error instanceof UsageProblem) throw error
    log.debug('Why Petri cannot start', { error: stackOf(error) })
    throw new CliError(
      `Petri cannot start. ${explainUnwritable(error, config.data) ?? (error as Error).message}`,
    )
  }
}

async function openFolder({ data, fresh }: Config, log: Log) {
  const { fileFolder } = await import('../../storage/folder.ts')
  const folder = await fileFolder(data, { warn: (message) => log.warn(message) })
  if (!fresh) return folder
  for (const team of await folder.list()) {
    await folder.snapshots(team).clear()
    await folder.remove(team)
  }
  return folder
}

function optionsOf(config: Config, log: Log, ways: Ways): PetriOptions {
  return {
    firstWorld: {
      name: defaults.worldName,
      apiKey: config.apiKey,
      webhookSecret: config.webhookSecret,
      webhookUrl: config.webhookUrl ?? null,
      seed: config.seed,
      frozen: config.frozen,
      now: config.now ?? null,
      pace: config.pace,
      scenario: config.scenario,
    },
    ...ways,
    authHeaders: config.authHeaders,
    controlToken: config.controlToken,
    managementKey: config.managementKey,
    ...(config.scenarios !== undefined && { scenarios: [config.scenarios] }),
    onScenarioChange: (change) => logScenarioChange(log, change),
    ...(config.seeds !== undefined && { seeds: [config.seeds] }),
    etlFolder: config.etlFolder,
    publicUrl: config.publicUrl,
    ...(config.openWorlds && { openWorlds: { ttlMs: config.worldTtl, limit: config.worldLimit } }),
    onWorldDropped: ({ identity }, reason) =>
      log.warn(`The world of team ${identity.teamId} was dropped: ${reason}.`, {
        key_begins: identity.apiKey.slice(0, 10),
      }),
    logCalls: callLogger(log),
    reportBug: (error) => log.error('A bug in Petri', { error: stackOf(error) }),
  }
}

/** How a change of a scenario file is logged. */
const changes = { added: 'is new', changed: 'is read again', removed: 'is gone with its file' }

function logScenarioChange(log: Log, { what, name, file, issues }: ScenarioChange): void {
  if (what !== 'refused') log.info(`Scenario ${name} ${changes[what]}`, { file })
  else log.warn(`${issues.join('\n')}\nThe file is not used as it is; the last good ${name}, if any, stays.`)
}

async function listenOrExplain(petri: Petri, { host, port }: Config): Promise<Listening> {
  try {
    return await listen(petri.app, { host, port, overrideGlobalObjects: true })
  } catch (error) {
    await petri.close()
    throw new CliError(explainListenError(error as NodeJS.ErrnoException, host, port))
  }
}

function explainListenError({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken. Choose another with --port or PETRI_PORT; 0 picks a free one.`
    case 'EACCES':
      return `This user may not listen on port ${port}. Choose one above 1023 with --port or PETRI_PORT.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Choose another with --host or PETRI_HOST.`
    default:
      return `Petri cannot listen on ${host}, port ${port}: ${message}`
  }
}

/** The first signal stops gracefully, the second immediately. */
function stopOnSignal(petri: Petri, server: Listening, log: Log): void {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info('Stopping', { signal })
    await server.close()
    await petri.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.error('Could not stop in order', { error: String(error) })
        process.exit(1)
      })
    })
  }
}
