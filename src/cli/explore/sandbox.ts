import type { RunningPetri } from '../../client/kit.ts'
import { openPetri } from '../../client/petri.ts'
import { createLocalReceivers } from '../../client/receivers.ts'
import { asideHeaders } from '../../kernel/headers.ts'
import { urlOf } from '../../kernel/http-call.ts'
import { currentContext } from '../../terminal/context.ts'
import { CliError } from '../../terminal/errors.ts'
import { probe } from '../../terminal/probe.ts'
import { throughProcess } from '../../webhooks/transport.ts'
import type { Config } from '../config.ts'
import { createLog } from '../log.ts'
import { type ServedPetri, servePetri } from '../serve-petri.ts'

/** The Petri in which histories are played. */
export interface ExploreSandbox extends Omit<ServedPetri, 'petri'> {
  readonly petri: RunningPetri
}

/** Starts a Petri in this process, whose first world is reset for each history, and is the world of every key. */
export async function startExploreSandbox(config: Config, now: number): Promise<ExploreSandbox> {
  const receivers = createLocalReceivers()
  const log = createLog({ level: 'error', format: config.logFormat }, currentContext().stderr)
  const served = await servePetri({ ...config, ...ownSettings, now }, log, {
    transport: throughProcess(receivers.deliver),
    everyKeyOpensFirst: true,
  }).catch((error: unknown) => explainOtherPetri(config, error))
  const { url, petri } = served
  const kit = await openPetri(
    {
      send: async (request) => petri.app.fetch(request),
      base: () => url,
      url: () => url,
      credentialHeaders: [...config.authHeaders, 'authorization'],
      readHeaders: asideHeaders,
      receivers,
      controlToken: config.controlToken,
      worldDefaults: {},
      close: async () => undefined,
    },
    config.apiKey,
  )
  return { ...served, petri: kit }
}

/** The settings that a history does not take from the environment. */
const ownSettings = {
  data: 'memory',
  seed: 'explore',
  frozen: true,
  scenario: 'manual',
  like: undefined,
  adoptUsers: false,
  history: 'full',
  webhookUrl: undefined,
  openWorlds: false,
  scenarios: undefined,
  seeds: undefined,
} satisfies Partial<Config>

/** Says which of two Petris to stop, if another one listens there. */
async function explainOtherPetri({ host, port }: Config, error: unknown): Promise<never> {
  const url = urlOf(host, port)
  if ((await probe(url)).kind !== 'petri') throw error
  throw new CliError(
    `Another Petri listens at ${url}. Stop it, because explore starts its own there for your program to call; or choose another port with --port and let your program call that.`,
  )
}
