import { headerNames } from '../kernel/headers.ts'
import { valueAt } from '../kernel/json.ts'
import { asInstant, asReceiver, asSetting, assertOptions, type OptionChecks } from './arguments.ts'
import { type Address, createCaller } from './caller.ts'
import type { PetriWorld, RunningPetri, WorldOptions } from './kit.ts'
import { type Receivers, receiversOfWorld } from './receivers.ts'
import type { World } from './responses.ts'
import { createWorld } from './world.ts'

/** How to reach a Petri, and the default options of its worlds. */
export interface PetriAccess extends Omit<Address, 'credentials'> {
  readonly url: () => string
  readonly receivers: Receivers
  readonly controlToken: string | undefined
  readonly worldDefaults: WorldOptions
  /** Runs when the kit is closed. */
  close(): Promise<void>
}

export const worldOptions: OptionChecks<WorldOptions> = {
  name: asSetting('seed'),
  seed: asSetting('seed'),
  frozen: asSetting('frozen', 'boolean'),
  now: asInstant,
  pace: asSetting('pace', 'number'),
  scenario: asSetting('scenario'),
  like: true,
  history: asSetting('history'),
  webhookUrl: asReceiver,
}

const worldCaller = (access: PetriAccess, apiKey: string) =>
  createCaller({ ...access, credentials: { [headerNames.apiKey]: apiKey } })

/** The world of a key, and how to create others. */
export async function openPetri(access: PetriAccess, apiKey: string): Promise<RunningPetri> {
  const caller = worldCaller(access, apiKey)
  const { team_id, webhook_secret } = await caller.call<World>('GET', '/_petri/world')
  const created = new Set<PetriWorld>()
  const first = createWorld({
    ...access,
    receivers: receiversOfWorld(access.receivers),
    apiKey,
    webhookSecret: webhook_secret,
    teamId: team_id,
    caller,
    noun: 'Petri',
  })
  const { close } = first
  return Object.assign(first, {
    async world(options: WorldOptions = {}) {
      assertOptions('petri.world', options, worldOptions)
      const world = await openNewWorld(access, { ...access.worldDefaults, ...options }, () =>
        created.delete(world),
      )
      created.add(world)
      return world
    },
    async close() {
      const closed = await Promise.allSettled([...created].map((world) => world.close()))
      await close()
      for (const each of closed) if (each.status === 'rejected') throw each.reason
    },
  })
}

async function openNewWorld(
  access: PetriAccess,
  { webhookUrl, ...options }: WorldOptions,
  onClose: () => void,
): Promise<PetriWorld> {
  const { controlToken } = access
  const receivers = receiversOfWorld(access.receivers)
  const control = createCaller({
    ...access,
    credentials: controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` },
  })
  const receiver = typeof webhookUrl === 'function' ? await receivers.open(webhookUrl) : undefined
  const { api_key, webhook_secret, team_id } = await control.call<World>('POST', '/_petri/worlds', {
    ...options,
    frozen: options.frozen ?? true,
    webhook_url: receiver?.url ?? webhookUrl,
  })
  return createWorld({
    ...access,
    receivers,
    apiKey: api_key,
    webhookSecret: webhook_secret,
    teamId: team_id,
    caller: worldCaller(access, api_key),
    noun: 'world',
    async close() {
      onClose()
      await control.call('DELETE', `/_petri/worlds/${team_id}`).catch((error: unknown) => {
        // Somebody else has deleted it.
        if (valueAt(error, ['status']) !== 404) throw error
      })
    },
  })
}
