import type { Hono } from 'hono'
import type { AnyOperation } from './contract/operation.ts'
import { createApp } from './http/app.ts'
import { createCredentials } from './http/credentials.ts'
import { wallClock } from './kernel/clock.ts'
import { resources } from './resources/index.ts'
import type { JobHandler } from './world/agenda.ts'
import { memoryFolder } from './world/persistence.ts'
import { Ticker } from './world/ticker.ts'
import type { World, WorldParts } from './world/world.ts'
import { type NewWorld, type WorldFolder, Worlds } from './world/worlds.ts'

export interface PetriOptions {
  readonly firstWorld: NewWorld
  readonly folder?: WorldFolder
  readonly wall?: () => number
  readonly baseUrl?: () => string
  readonly authHeaders?: readonly string[]
  readonly controlToken?: string | undefined
  readonly reportBug?: (error: unknown) => void
}

export interface Petri {
  readonly app: Hono
  readonly worlds: Worlds
  readonly operations: readonly AnyOperation[]
  close(): Promise<void>
}

export const defaultAuthHeaders = ['x-service-api-key', 'x-petri-api-key', 'x-vital-api-key'] as const

/** Puts Petri together. Everything that is chosen is chosen here; nothing below it makes a choice. */
export async function createPetri(options: PetriOptions): Promise<Petri> {
  const { wall = wallClock, reportBug = console.error, baseUrl = () => 'http://127.0.0.1:4080' } = options
  const ticker = new Ticker(reportBug)
  const worlds = new Worlds(options.folder ?? memoryFolder(), {
    wall,
    baseUrl,
    handlers: collectHandlers(),
    onEvent: () => undefined,
    newborn: () => undefined,
    wake: (world) => ticker.wake(world),
    forget: (world) => ticker.forget(world),
    parts: {} as WorldParts,
  })
  await worlds.load()
  if (!options.firstWorld.apiKey || !worlds.byKey(options.firstWorld.apiKey))
    await worlds.make(options.firstWorld)
  const operations = resources.flatMap((resource) => resource.operations)
  const credentials = createCredentials({
    headers: options.authHeaders ?? defaultAuthHeaders,
    controlToken: options.controlToken,
    worldByKey: (key) => worlds.byKey(key),
  })
  return {
    app: createApp({ operations, credentials, reportBug }) as unknown as Hono,
    worlds,
    operations,
    async close() {
      ticker.stop()
      await worlds.close()
    },
  }
}

function collectHandlers(): Map<string, (world: World) => JobHandler> {
  const handlers = new Map<string, (world: World) => JobHandler>()
  for (const { jobs = {} } of resources) {
    for (const [kind, run] of Object.entries(jobs)) handlers.set(kind, (world) => (job) => run(world, job))
  }
  return handlers
}
