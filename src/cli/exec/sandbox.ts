import { type RequestListener, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { World } from '../../client/responses.ts'
import { defaults } from '../../defaults.ts'
import { relay } from '../../intercept/live-server.ts'
import { keysOf } from '../../kernel/fields.ts'
import { toIso } from '../../kernel/instant.ts'
import { type SettingName, settings } from '../../settings.ts'
import { type Client, createClient } from '../../terminal/client.ts'
import { currentContext } from '../../terminal/context.ts'
import { UsageProblem } from '../../terminal/errors.ts'
import { type Config, type Flags, givenSettings, readClientConfig } from '../config.ts'
import { listWorlds } from '../ids.ts'
import { createLog } from '../log.ts'
import { servePetri } from '../serve-petri.ts'

/** The Petri that a program runs against. */
export interface Sandbox {
  /** Its first world, or the one created for the run. */
  readonly client: Client
  readonly webhookSecret: string
  /** Serves the requests for the live hosts. */
  readonly answer: RequestListener
  /** All worlds that the program may have used. */
  worlds(): Promise<readonly World[]>
  close(hasFailed: boolean): Promise<void>
}

/** Starts a Petri in this process. */
export async function startSandbox(config: Config): Promise<Sandbox> {
  const log = createLog({ level: config.log, format: config.logFormat }, currentContext().stderr)
  const { url, answer, close } = await servePetri(config, log)
  const client = createClient({
    ...readClientConfig({ url, apiKey: config.apiKey }),
    controlToken: config.controlToken,
  })
  return {
    client,
    webhookSecret: config.webhookSecret,
    answer,
    worlds: () => listWorlds(client),
    close,
  }
}

/** The settings of a world that is created in a running Petri, and those that say how to reach it. */
const worldSettings: readonly SettingName[] = [
  'seed',
  'frozen',
  'now',
  'pace',
  'scenario',
  'like',
  'webhookUrl',
]
const clientSettings: readonly SettingName[] = ['apiKey', 'controlToken', 'managementKey']

/** Creates a world in a running Petri. It stays there if the program fails. */
export async function joinSandbox(url: string, config: Config, flags: Flags): Promise<Sandbox> {
  const useless = keysOf(flags).filter(
    (name) => flags[name] !== undefined && ![...worldSettings, ...clientSettings].includes(name),
  )
  if (useless.length > 0)
    throw new UsageProblem(
      `${useless.map((name) => settings[name].flag).join(', ')} cannot be combined with --url: the Petri at ${url} is running already.`,
    )
  const access = { ...readClientConfig({ url }), controlToken: config.controlToken }
  const given = givenSettings(flags)
  const created = await createClient(access).call<World>('POST /_petri/worlds', {
    name: 'petri exec',
    seed: given.seed && config.seed,
    frozen: given.frozen && config.frozen,
    now: given.now && config.now !== undefined ? toIso(config.now) : undefined,
    pace: given.pace && config.pace,
    scenario: given.scenario && config.scenario,
    like: config.like,
    webhook_url: config.webhookUrl,
    webhook_secret: config.webhookSecret === defaults.webhookSecret ? undefined : config.webhookSecret,
  })
  const client = createClient({ ...access, apiKey: created.api_key })
  return {
    client,
    webhookSecret: created.webhook_secret,
    answer: forwardTo(new URL(url), created.api_key),
    worlds: async () => [await client.call<World>('GET /_petri/world')],
    async close(hasFailed) {
      if (!hasFailed) await client.call('DELETE /_petri/worlds/{team_id}', { team_id: created.team_id })
    },
  }
}

/** Forwards requests to a Petri, all of them to the world of one key. */
function forwardTo(url: URL, apiKey: string): RequestListener {
  const send = url.protocol === 'https:' ? requestTls : request
  return (incoming, outgoing) => {
    const headers: NodeJS.Dict<string | string[]> = { ...incoming.headers, host: url.host }
    for (const name of defaults.authHeaders) if (headers[name] !== undefined) headers[name] = apiKey
    if (/^Bearer [sp]k_/i.test(incoming.headers.authorization ?? ''))
      headers.authorization = `Bearer ${apiKey}`
    // Joined, because a path such as `//example.com` would be resolved to another host.
    const forwarded = send({ ...urlToHttpOptions(url), path: incoming.url, method: incoming.method, headers })
    relay(incoming, outgoing, forwarded, `The Petri at ${url.origin}`)
  }
}
