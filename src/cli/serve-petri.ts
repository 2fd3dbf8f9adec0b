import { existsSync, statSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { dirname, resolve } from 'node:path'
import { defaults } from '../defaults.ts'
import { urlOf } from '../kernel/http-call.ts'
import { codeOf, messageOf } from '../kernel/reason.ts'
import { listen, listenerForLiveHosts, whyNotListening } from '../listen.ts'
import { createPetri, type Petri, type PetriOptions } from '../petri.ts'
import type { ScenarioChange } from '../scenarios/own-scenarios.ts'
import { settings } from '../settings.ts'
import { CliError, UsageProblem } from '../terminal/errors.ts'
import { probe } from '../terminal/probe.ts'
import type { Config } from './config.ts'
import { callLogger, type Log } from './log.ts'
import { stackOf } from './stack.ts'

/** A Petri in this process that listens. */
export interface ServedPetri {
  readonly petri: Petri
  readonly url: string
  /** Serves the requests for the live hosts. */
  readonly answer: RequestListener
  close(): Promise<void>
}

type ServeOptions = Pick<
  PetriOptions,
  'authority' | 'assertStored' | 'stop' | 'transport' | 'everyKeyOpensFirst'
>

/** Creates a Petri and listens. Throws a CliError for damaged or locked data, and for an address that cannot be listened on. */
export async function servePetri(config: Config, log: Log, options: ServeOptions = {}): Promise<ServedPetri> {
  assertFoldersExist(config, log)
  const { host, port, publicUrl } = config
  let url = urlOf(host, port)
  const petri = await openPetri(config, log, { ...options, baseUrl: () => publicUrl ?? url })
  const server = await explainFailure({ host, port, flag: 'port' }, petri.close, () =>
    listen(petri.app, { host, port, overrideGlobalObjects: true, warn: log.warn }),
  )
  url = server.url
  return {
    petri,
    url,
    answer: listenerForLiveHosts(petri.app),
    async close() {
      await server.close()
      await petri.close()
    },
  }
}

function assertFoldersExist({ scenarios, seeds, scenariosLater }: Config, log: Log): void {
  const isMissing = (folder: string | undefined) => folder !== undefined && !existsSync(folder)
  if (isMissing(seeds)) throw new UsageProblem(`PETRI_SEEDS names a folder that does not exist: ${seeds}`)
  if (!isMissing(scenarios)) return
  const what = `PETRI_SCENARIOS names a folder that does not exist: ${scenarios}`
  if (!scenariosLater)
    throw new UsageProblem(
      `${what}. If it appears later, as after a checkout, start with --scenarios-later (PETRI_SCENARIOS_LATER).`,
    )
  log.warn(`${what}. Its scenarios are read when it appears.`)
}

async function openPetri(
  config: Config,
  log: Log,
  options: ServeOptions & Pick<PetriOptions, 'baseUrl'>,
): Promise<Petri> {
  try {
    const folder = config.data === 'memory' ? undefined : await openFolder(config, log)
    return await createPetri({ ...optionsOf(config, log, options), folder })
  } catch (error) {
    if (error instanceof UsageProblem) throw error
    log.debug('Why Petri cannot start', { error: stackOf(error) })
    throw new CliError(`Petri cannot start. ${explainUnwritable(error, config.data) ?? messageOf(error)}`)
  }
}

/** Why nothing can be stored in the data folder, and what to do; undefined for other errors. */
export function explainUnwritable(error: unknown, data: string): string | undefined {
  const { code, path = '', syscall } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  const folder = resolve(data)
  if (!path.startsWith(existing(folder))) return undefined
  if (code === 'ENOTDIR')
    return `${folder} is not a folder: a part of its path is a file. Set PETRI_DATA to a folder; PETRI_DATA=memory stores nothing.`
  if (code === 'ENOENT' && syscall === 'mkdir')
    return `${folder} cannot be created: ${existing(folder)} takes no folders, like a read-only file system. Set PETRI_DATA to another folder; PETRI_DATA=memory stores nothing.`
  if (code === 'EROFS')
    return `${folder} is on a read-only file system. Mount a writable folder there, or set PETRI_DATA to one; PETRI_DATA=memory stores nothing.`
  if (code !== 'EACCES' && code !== 'EPERM') return undefined
  const own = process.getuid?.()
  if (own === undefined) return undefined
  const { uid, gid } = statSync(existing(folder))
  return (
    `User ${own} may not write to ${folder}, which belongs to user ${uid}. Do one of these: give the folder to user ${own} ` +
    `("chown -R ${own} FOLDER", where FOLDER is the one that is mounted there), run Petri as its owner ` +
    `("--user ${uid}:${gid}" of docker or podman run), or set PETRI_DATA to a folder that this user may write to; ` +
    'PETRI_DATA=memory stores nothing.'
  )
}

/** The folder, or its nearest parent that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))

async function openFolder({ data, durable, fresh }: Config, log: Log) {
  const { fileFolder } = await import('../storage/folder.ts')
  const folder = await fileFolder(data, { warn: (message) => log.warn(message), isDurable: durable })
  if (!fresh) return folder
  for (const team of await folder.list()) await folder.remove(team)
  return folder
}

function optionsOf(config: Config, log: Log, options: ServeOptions): PetriOptions {
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
      like: config.like ?? null,
      ...(config.adoptUsers && { adoptUsers: true }),
      ...(config.history !== 'full' && { history: config.history }),
    },
    ...options,
    authHeaders: config.authHeaders,
    controlToken: config.controlToken,
    managementKey: config.managementKey,
    scenarios: config.scenarios === undefined ? undefined : [config.scenarios],
    scenariosLater: config.scenariosLater,
    onScenarioChange: (change) => logScenarioChange(log, change),
    seeds: config.seeds === undefined ? undefined : [config.seeds],
    publicUrl: config.publicUrl,
    linkOrigins: config.linkOrigins,
    ...(config.openWorlds && {
      openWorlds: {
        ttlMs: config.worldTtl,
        limit: config.worldLimit,
        isAnyKeyOpen: config.openWorlds === 'any',
      },
    }),
    onWorldDropped: ({ identity }, reason) =>
      log.warn(`The world of team ${identity.teamId} was dropped: ${reason}.`),
    logCalls: callLogger(log),
    reportBug: (error) => log.error('A bug in Petri', { error: stackOf(error) }),
    warn: (message, fields) => log.warn(message, fields),
  }
}

function logScenarioChange(log: Log, { what, name, file, issues }: ScenarioChange): void {
  if (what !== 'refused') log.info(`Scenario ${name} was ${what}`, { file })
  else log.warn(`${issues.join('\n')}\nThe file is ignored; the last valid ${name}, if any, stays.`)
}

interface Address {
  readonly host: string
  readonly port: number
  /** The setting that chose the port. */
  readonly flag: 'port' | 'tlsPort'
}

/** Listens, or closes what is open and throws a CliError. */
export async function explainFailure<Result>(
  address: Address,
  close: () => Promise<void>,
  listenThere: () => Promise<Result>,
): Promise<Result> {
  try {
    return await listenThere()
  } catch (error) {
    await close()
    const { flag, variable } = settings[address.flag]
    const reason = whyNotListening(error, { ...address, setting: `${flag} or ${variable}` })
    const url = urlOf(address.host, address.port)
    const isPetri = codeOf(error) === 'EADDRINUSE' && (await probe(url)).kind === 'petri'
    throw new CliError(
      isPetri ? `${reason} A Petri answers there; "npx petri-sandbox stop --url ${url}" stops it.` : reason,
    )
  }
}
