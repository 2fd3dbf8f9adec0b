import type { RequestListener } from 'node:http'
import type { RunningPetri } from '../../client/kit.ts'
import { openPetri as openKit } from '../../client/petri.ts'
import { createLocalReceivers } from '../../client/receivers.ts'
import { defaults } from '../../defaults.ts'
import { urlOf } from '../../kernel/http-call.ts'
import { listenerForLiveHosts } from '../../listen.ts'
import { createPetri } from '../../petri.ts'
import { CliError } from '../../terminal/errors.ts'
import { probe } from '../../terminal/probe.ts'
import { createTransport } from '../../webhooks/transport.ts'
import { listenOrExplain } from '../commands/start.ts'
import type { Config } from '../config.ts'

/** The Petri in which histories are played. */
export interface ExploreSandbox {
  readonly petri: RunningPetri
  readonly url: string
  /** Serves the requests for the live hosts. */
  readonly answer: RequestListener
  close(): Promise<void>
}

/** Starts a Petri in this process, whose first world is reset for each history and has the key of the program. */
export async function startExploreSandbox(config: Config, now: number): Promise<ExploreSandbox> {
  const receivers = createLocalReceivers()
  const network = createTransport()
  let url = ''
  const petri = await createPetri({
    firstWorld: {
      name: 'petri explore',
      apiKey: config.apiKey,
      webhookSecret: config.webhookSecret,
      webhookUrl: null,
      seed: 'explore',
      frozen: true,
      now,
      pace: config.pace,
      scenario: 'manual',
    },
    baseUrl: () => url,
    transport: Object.assign(
      (request: Parameters<typeof network>[0]) => receivers.deliver(request) ?? network(request),
      { close: async () => network.close?.() },
    ),
    controlToken: config.controlToken,
  })
  const server = await listenOrExplain(petri, config).catch((error: unknown) =>
    explainOtherPetri(config, error),
  )
  url = server.url
  const kit = await openKit(
    {
      send: async (request) => petri.app.fetch(request),
      base: () => url,
      url: () => url,
      credentialHeaders: [...defaults.authHeaders, 'authorization'],
      receivers,
      controlToken: config.controlToken,
      worldDefaults: {},
      close: async () => undefined,
    },
    config.apiKey,
  )
  return {
    petri: kit,
    url,
    answer: listenerForLiveHosts(petri.app),
    async close() {
      await server.close()
      await petri.close()
    },
  }
}

/** Says which of two Petris to stop, if another one listens there. */
async function explainOtherPetri({ host, port }: Config, error: unknown): Promise<never> {
  const url = urlOf(host, port)
  if ((await probe(url)).kind !== 'petri') throw error
  throw new CliError(
    `Another Petri listens at ${url}. Stop it, because explore starts its own there for your program to call; or choose another port with --port and let your program call that.`,
  )
}
