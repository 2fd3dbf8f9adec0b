import { defaults } from '../defaults.ts'
import { toIso } from '../kernel/instant.ts'
import type { World } from '../world/world.ts'
import { type Config, commandName, type givenSettings, UsageProblem } from './config.ts'
import type { Log } from './log.ts'
import { pageAddress } from './page-address.ts'

/** Prints the address, the credentials and three lines to copy. */
export function logReady(log: Log, { identity }: World, config: Config, url: string): void {
  const { apiKey, webhookSecret } = identity
  const { data } = config
  const curl = `curl -H 'x-service-api-key: ${apiKey}' ${url}/v2/user`
  const client = `new VitalClient({ apiKey: '${apiKey}', environment: '${url}' })`
  const page = pageAddress(url, { apiKey, controlToken: config.controlToken })
  const command = commandName()
  const where = config.port === defaults.port ? '' : ` --url ${url}`
  const whose = apiKey === defaults.apiKey ? '' : ` --api-key ${apiKey}`
  const webhooks =
    config.webhookUrl ?? `${command} webhook add http://127.0.0.1:3000/webhooks${where}${whose}`
  if (!log.pretty) {
    const keys = { url, api_key: apiKey, webhook_secret: webhookSecret, data }
    log.info('Petri is ready', { ...keys, page: `${url}/_petri/`, curl, client, webhooks })
    return
  }
  const lines = [
    `Petri is ready at ${url}`,
    '',
    `  Page             ${page}`,
    `  API key          ${apiKey}`,
    `  Webhook secret   ${webhookSecret}`,
    `  Data             ${data === 'memory' ? 'kept in memory only' : data}`,
    '',
    `  curl             ${curl}`,
    `  Official client  ${client}`,
    `  Webhooks         ${webhooks}`,
    `  More             ${command} help`,
    '',
  ]
  log.info(lines.join('\n'))
}

/** Settings that apply only when a world is created. */
const creationSettings = ['seed', 'frozen', 'now', 'pace', 'scenario', 'webhookSecret'] as const

/** Throws if flags or variables contradict the options of the stored world. Settings that are not given are not checked. */
export function assertCreatedWith(
  { options, identity }: World,
  config: Config,
  given: ReturnType<typeof givenSettings>,
): void {
  const stored = { ...options, webhookSecret: identity.webhookSecret }
  const wrong = creationSettings.filter((name) => given[name] && stored[name] !== (config[name] ?? null))
  if (wrong.length === 0) return
  const expected = wrong.map((name) => {
    const value = stored[name]
    const text =
      name === 'now' && typeof value === 'number' ? toIso(value) : (value ?? 'the time of the start')
    return `${given[name]} (it was ${text})`
  })
  throw new UsageProblem(
    `${config.data} has a world that was created with other settings: ${expected.join(', ')}. Start without ${wrong.length > 1 ? 'these' : 'this'} ` +
      'to continue it, with --fresh to delete it and start empty, or with --data DIR to use another folder.',
  )
}
