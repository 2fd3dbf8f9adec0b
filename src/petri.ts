import { existsSync } from 'node:fs'
import type { Hono } from 'hono'
import type { AnsweredCall } from './api/answered-call.ts'
import type { AnyOperation } from './api/operation.ts'
import type { JobKinds } from './api/resource.ts'
import { createCallLog, type LoggedCall } from './control/call-log.ts'
import { createCallCounts } from './control/metrics.ts'
import { explainMissingId } from './control/missing-ids.ts'
import { publish } from './control/publish.ts'
import { createRefusedCalls } from './control/refused-calls.ts'
import { loadSharedScenarios } from './control/scenario-files.ts'
import { defaults } from './defaults.ts'
import { orderHooks } from './hooks.ts'
import { createApp } from './http/app.ts'
import { createCredentials } from './http/authentication.ts'
import { wallClock } from './kernel/clock.ts'
import { heapUse } from './kernel/heap.ts'
import { orNotFound } from './kernel/problem.ts'
import { teamTables } from './management/index.ts'
import { managerOf } from './management/keys.ts'
import { openWorld, type Warn, type WorldDependencies } from './open-world.ts'
import { declareOperations } from './operations.ts'
import { type Catalogue, createCatalogue } from './resources/catalogue/service.ts'
import { resources } from './resources/index.ts'
import { howToConnect } from './resources/link/schema.ts'
import { hasLinkCode } from './resources/link/service.ts'
import { linkCodes } from './resources/link/table.ts'
import { widgetScripts } from './resources/link/widget.ts'
import { PdfReader } from './resources/report-parser/pdf-reader.ts'
import { resultsByName } from './resources/results/service.ts'
import { assertNulls } from './resources/summaries/storing.ts'
import { createScenarioEngines } from './scenarios/engines.ts'
import { listOwnFiles } from './scenarios/folders.ts'
import type { ScenarioChange } from './scenarios/own-scenarios.ts'
import { scenarioJobs } from './scenarios/run.ts'
import { orderScenarios } from './scenarios/table.ts'
import { Ticker } from './scheduler/ticker.ts'
import { memoryFolder, type WorldFolder } from './storage/store.ts'
import { etlSender } from './webhooks/etl-sender.ts'
import { assertReceiver } from './webhooks/fields.ts'
import { setFirstEndpoint, webhookJobs } from './webhooks/index.ts'
import { OutgoingCalls } from './webhooks/outgoing.ts'
import { countMessages } from './webhooks/state.ts'
import { createTransport, type Transport } from './webhooks/transport.ts'
import { firstTeamOf, type NewWorld } from './world/new-world.ts'
import { OpenWorlds, type OpenWorldsOptions } from './world/open-worlds.ts'
import type { KnownWorld } from './world/resting-world.ts'
import type { Services } from './world/services.ts'
import type { WorldOutline } from './world/world.ts'
import { Worlds } from './world/worlds.ts'

/** The interval of maintenance in milliseconds. */
const MAINTAIN_MS = 3000

export interface PetriOptions {
  readonly firstWorld: NewWorld & { readonly seed: string }
  readonly folder?: WorldFolder | undefined
  readonly wall?: () => number
  /** How much of the heap's limit is in use, as a part of 1. */
  readonly heapUse?: () => number
  /** Called with each instant at which the clock of a frozen world comes to stand, before what happens then. */
  readonly onClock?: ((now: number) => void) | undefined
  readonly baseUrl?: () => string
  /** The certificate authority of a server of the live hosts, in PEM. */
  readonly authority?: string | undefined
  /** The URL of a reverse proxy in front of Petri. */
  readonly publicUrl?: string | undefined
  /** Creates a world like the first one for each unknown key; off by default. */
  readonly openWorlds?: Pick<OpenWorldsOptions, 'ttlMs' | 'limit' | 'isAnyKeyOpen'> | undefined
  /** Whether every key opens the first world. */
  readonly everyKeyOpensFirst?: boolean
  /** Called with a world and the reason before the world is deleted. */
  readonly onWorldDropped?: (world: WorldOutline, reason: string) => void
  readonly authHeaders?: readonly string[]
  readonly controlToken?: string | undefined
  /** The key of the management API; a publicly known one by default, or none if there is a control token. */
  readonly managementKey?: string | undefined
  readonly reportBug?: (error: unknown) => void
  /** Called with what the people who run Petri should know, such as a message that was given up. */
  readonly warn?: Warn
  /** Called with all calls except those by Petri's page and health checks, some milliseconds after their responses. */
  readonly logCalls?: ((calls: readonly LoggedCall[]) => void) | undefined
  /** Sends deliveries to their receivers; the network by default. */
  readonly transport?: Transport
  /** Folders of seed files, added to the bundled ones. */
  readonly seeds?: readonly string[] | undefined
  /** A catalogue that several Petris of a process share; read from the seed files by default. */
  readonly catalogue?: Catalogue
  /** Folders of scenario files, added to the bundled ones. */
  readonly scenarios?: readonly string[] | undefined
  /** Whether those of these folders that do not exist may appear later. */
  readonly scenariosLater?: boolean
  /** Origins whose web pages may use link tokens; none by default. */
  readonly linkOrigins?: readonly string[] | undefined
  /** Called with changes in these folders, which are watched if it is given. */
  readonly onScenarioChange?: (change: ScenarioChange) => void
  /** Ends the process that serves this Petri; it is called by `POST /_petri/stop`, which is refused without it. */
  readonly stop?: (() => void) | undefined
  /** Called with the stored first world, which may have another key; throws if it cannot be continued with these options. It is unchanged then. */
  readonly assertStored?: (world: WorldOutline) => void
}

export interface Petri {
  readonly app: Hono
  readonly worlds: Worlds
  readonly operations: readonly AnyOperation[]
  /** Deletes unused worlds, and compacts files while nothing happens. Called every few seconds. */
  maintain(): Promise<void>
  close(): Promise<void>
}

/** The composition root: all dependencies are chosen here. */
export async function createPetri(options: PetriOptions): Promise<Petri> {
  const {
    wall = wallClock,
    reportBug = console.error,
    warn = () => undefined,
    baseUrl = () => 'http://127.0.0.1:4080',
  } = options
  const ticker = new Ticker(reportBug)
  const outgoing = new OutgoingCalls(options.transport ?? createTransport())
  const catalogue = options.catalogue ?? readCatalogue(options.seeds)
  const { watch, ...engines } = await openScenarioEngines(options, catalogue)
  const pdfReader = new PdfReader()
  const sendEtl = etlSender(outgoing)
  const services: Services = { ...engines, orderHooks, catalogue, outgoing, sendEtl, pdfReader }
  const jobs = collectJobs(engines)
  const { linkOrigins = [], onClock } = options
  const worldDependencies = { wall, baseUrl, linkOrigins, jobs, reportBug, warn, services, onClock }
  const worlds = createWorlds(options, ticker, worldDependencies)
  const firstTeam = await openStoredWorlds(worlds, options, engines)
  const openWorlds = createOpenWorlds(worlds, { ...options, wall, reportBug })
  const maintain = async () => {
    await worlds.organisation.maintain()
    await openWorlds?.maintain()
    await worlds.maintain()
  }
  if (options.folder || openWorlds) ticker.every(MAINTAIN_MS, maintain)
  const stopWatching = watch((act) => worlds.each(worlds.all().filter(hasScenarios), act), reportBug)
  const firstKey = options.managementKey ?? (options.controlToken ? undefined : defaults.managementKey)
  const refusedCalls = createRefusedCalls(() => worlds.inMemory)
  const callCounts = createCallCounts()
  const operations = declareOperations({
    ...options,
    wall,
    firstTeam,
    worlds,
    refusedCalls,
    callCounts,
    ...engines,
    firstKey,
    fetch: (request: Request) => petri.app.fetch(request),
  })
  const publicUrl = options.publicUrl === undefined ? undefined : new URL(options.publicUrl)
  const callLog = options.logCalls && createCallLog(options.logCalls)
  const onAnswered = (call: AnsweredCall) => {
    callCounts.add(call)
    refusedCalls.add(call)
    callLog?.add(call)
  }
  const credentials = createCredentials({
    headers: options.authHeaders ?? defaults.authHeaders,
    controlToken: options.controlToken,
    publicUrl,
    wellKnownKey: defaults.apiKey,
    openWorlds: options.everyKeyOpensFirst ? firstWorldOnly(worlds, firstTeam) : openWorlds,
    worlds,
    worldOfCode: (code) => worldOfCode(worlds, code),
    managerOf: (key) =>
      managerOf({ worlds, firstKey }, key, {
        isWellKnown: firstKey === defaults.managementKey,
        isAnyKeyOpen: options.openWorlds?.isAnyKeyOpen,
      }),
  })
  const petri: Petri = {
    app: createApp({
      hints: { ofMissingId: explainMissingId(worlds), ofRefusal: howToConnect },
      operations,
      credentials,
      worlds,
      publicUrl,
      authority: options.authority,
      link: options.linkOrigins && { origins: options.linkOrigins, scripts: widgetScripts },
      reportBug,
      wall,
      onAnswered,
    }),
    worlds,
    operations,
    maintain,
    async close() {
      stopWatching()
      refusedCalls.close()
      callLog?.flush()
      ticker.stop()
      await openWorlds?.save().catch(reportBug)
      await worlds.close()
      await outgoing.close()
      await pdfReader.close()
    },
  }
  return petri
}

/** Only the seeds of folders are checked: the check builds the schemas of all summaries. */
function readCatalogue(folders: readonly string[] = []): Catalogue {
  const catalogue = createCatalogue(folders)
  if (folders.length > 0) assertNulls(catalogue.providerTraits().values())
  return catalogue
}

function createWorlds(options: PetriOptions, ticker: Ticker, dependencies: WorldDependencies): Worlds {
  const { wall, warn, reportBug } = dependencies
  return new Worlds(options.folder ?? memoryFolder(), {
    wall,
    warn: (message) => warn(message, {}),
    open: (world) => openWorld(world, dependencies),
    wake: (world) => ticker.wake(world),
    forget: (world) => ticker.forget(world),
    reportBug,
    firstSeed: options.firstWorld.seed,
    teamTables,
    countMessages,
    heapUse: options.heapUse ?? heapUse,
  })
}

/** The world that has issued a link code. */
async function worldOfCode(worlds: Worlds, code: string): Promise<KnownWorld | undefined> {
  const issuers = worlds.all().filter((world) => world.count(linkCodes) > 0)
  for (const world of issuers) if (await worlds.use(world, (each) => hasLinkCode(each, code))) return world
  return undefined
}

async function openScenarioEngines(options: PetriOptions, catalogue: Catalogue) {
  const { scenarios: folders = [], scenariosLater: foldersMayAppear, onScenarioChange: onChange } = options
  const resultNames = () => resultsByName(catalogue)
  const engines = createScenarioEngines({
    folders,
    foldersMayAppear,
    resultNames,
    onChange,
  })
  // The user's files are validated at once, the bundled ones when they are first used.
  if (folders.length > 0) await engines.scenarios.ready()
  for (const folder of folders.filter((each) => existsSync(each) && listOwnFiles(each).length === 0))
    options.warn?.(`${folder} has no scenario file (.yaml or .yml). Files are read when they appear.`, {})
  return engines
}

/** Opens the stored worlds and the first one. Returns the team id of the first. */
async function openStoredWorlds(
  worlds: Worlds,
  options: PetriOptions,
  { scenarios, sharedScenarios }: Engines,
): Promise<string | undefined> {
  try {
    scenarios.assertKnown(undefined, options.firstWorld.scenario)
    if (options.firstWorld.webhookUrl) assertReceiver(options.firstWorld.webhookUrl)
    await worlds.load(() => loadSharedScenarios(worlds.organisation, sharedScenarios))
    // Orders in progress need their scenarios; without orders, the first one loads them.
    if (worlds.all().some(hasScenarios)) await scenarios.ready()
    return (await openFirstWorld(worlds, options))?.identity.teamId
  } catch (error) {
    await worlds.close()
    throw error
  }
}

function createOpenWorlds(
  worlds: Worlds,
  options: PetriOptions & { readonly wall: () => number; readonly reportBug: (error: unknown) => void },
): OpenWorlds | undefined {
  const { openWorlds, firstWorld, wall, reportBug, onWorldDropped } = options
  if (!openWorlds) return undefined
  const open = new OpenWorlds(worlds, {
    ...openWorlds,
    template: firstWorld,
    wall,
    reportBug,
    onDrop(world, reason) {
      publish(world, 'world', { change: 'dropped' })
      onWorldDropped?.(world, reason)
    },
  })
  open.load()
  return open
}

const firstWorldOnly = (worlds: Worlds, teamId = ''): Pick<OpenWorlds, 'mayOpen' | 'open' | 'used'> => ({
  mayOpen: () => true,
  open: async () => orNotFound(worlds.byTeam(teamId), 'The first world has been deleted.'),
  used: () => undefined,
})

/** Creates the first world, or finds the stored one; adds the receiver in both cases. */
async function openFirstWorld(worlds: Worlds, options: PetriOptions): Promise<KnownWorld | undefined> {
  const { firstWorld: input, assertStored } = options
  if (worlds.isSetAside(input)) return undefined
  const { apiKey = '', webhookUrl } = input
  const kept = worlds.byKey(apiKey)
  if (!kept) {
    const other = worlds.byTeam(firstTeamOf(input.seed)) ?? worlds.all().find(isFirst)
    if (other) assertStored?.(other)
    return worlds.make({ ...input, isFirst: true })
  }
  assertStored?.(kept)
  if (webhookUrl) await worlds.use(kept, (world) => setFirstEndpoint(world, webhookUrl))
  return kept
}

/** Whether orders of a world are in scenarios. */
const hasScenarios = (world: WorldOutline): boolean => world.count(orderScenarios) > 0

/** Whether a start has created a world. */
const isFirst = ({ identity, options: { seed, behaviourSeed = seed } }: WorldOutline): boolean =>
  identity.isFirst === true || identity.teamId === firstTeamOf(behaviourSeed)

type Engines = Pick<
  ReturnType<typeof createScenarioEngines>,
  'scenarios' | 'feedScenarios' | 'sharedScenarios'
>

/** All kinds of jobs, by name. */
function collectJobs({ scenarios, feedScenarios }: Engines): ReadonlyMap<string, JobKinds[string]> {
  const ofResources = resources.map(({ jobs = {} }) => jobs)
  const all = [webhookJobs, scenarioJobs(scenarios), feedScenarios.jobs, ...ofResources]
  return new Map(all.flatMap((jobs) => Object.entries(jobs)))
}
