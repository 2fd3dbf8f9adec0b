import { type Address, createCaller } from './caller.ts'
import type { PetriWorld, RunningPetri, WorldOptions } from './kit.ts'
import type { Receivers } from './receivers.ts'
import type { World } from './responses.ts'
import { createWorld, type WorldAccess } from './world.ts'

/** Where a Petri runs, and the default options of its worlds. */
export interface KitAddress extends Omit<Address, 'credentials'> {
  readonly url: () => string | undefined
  readonly receivers: Receivers
  readonly controlToken: string | undefined
  readonly worldDefaults: WorldOptions
  /** Runs when the kit is closed. */
  close(): Promise<void>
}

/** The world of a key, and how to create others. */
export async function openPetri(place: KitAddress, apiKey: string): Promise<RunningPetri> {
  const caller = createCaller({ ...place, credentials: { 'x-service-api-key': apiKey } })
  const { team_id, webhook_secret } = await caller.call<World>('GET', '/_petri/world')
  const made = new Set<PetriWorld>()
  const first = createWorld({
    ...place,
    apiKey,
    webhookSecret: webhook_secret,
    teamId: team_id,
    caller,
    close: () => place.close(),
  })
  return Object.assign(first, {
    async world(options: WorldOptions = {}) {
      const world = await makeWorld(place, { ...place.worldDefaults, ...options }, (gone) =>
        made.delete(gone),
      )
      made.add(world)
      return world
    },
    close: beforeClosing(first, () => Promise.all([...made].map((world) => world.close()))),
  })
}

const beforeClosing =
  ({ close }: PetriWorld, before: () => Promise<unknown>) =>
  async () => {
    await before()
    await close()
  }

async function makeWorld(
  place: KitAddress,
  { webhookUrl, ...options }: WorldOptions,
  closed: (world: PetriWorld) => void,
): Promise<PetriWorld> {
  const { controlToken } = place
  const control = createCaller({
    ...place,
    credentials: controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` },
  })
  const receiver = typeof webhookUrl === 'function' ? await place.receivers.open(webhookUrl) : undefined
  const { api_key, webhook_secret, team_id } = await control.call<World>('POST', '/_petri/worlds', {
    ...options,
    frozen: options.frozen ?? true,
    webhook_url: receiver?.url ?? webhookUrl,
  })
  const access: WorldAccess = {
    url: place.url,
    apiKey: api_key,
    webhookSecret: webhook_secret,
    teamId: team_id,
    caller: createCaller({ ...place, credentials: { 'x-service-api-key': api_key } }),
    receivers: place.receivers,
    async close() {
      await control.call('DELETE', `/_petri/worlds/${team_id}`)
      await receiver?.close()
      closed(world)
    },
  }
  const world: PetriWorld = createWorld(access)
  return world
}
