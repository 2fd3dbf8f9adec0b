import type { World } from '../world/world.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { pageAddress } from './page-address.ts'
import { settings } from './settings.ts'

/** Prints the address, the credentials and three lines to copy. */
export function greet(log: Log, { identity }: World, config: Config, url: string): void {
  const { apiKey, webhookSecret } = identity
  const { data } = config
  const curl = `curl -H 'x-service-api-key: ${apiKey}' ${url}/v2/user`
  const client = `new VitalClient({ apiKey: '${apiKey}', environment: '${url}' })`
  const page = pageAddress(url, { apiKey, controlToken: config.controlToken })
  const webhooks = config.webhookUrl ?? 'PETRI_WEBHOOK_URL=http://127.0.0.1:3000/webhooks petri start'
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
    '',
  ]
  log.info(lines.join('\n'))
}

/** A stored world keeps its first settings; warns if the command line asks for others. */
export function warnIfBornOtherwise(log: Log, { options, identity }: World, config: Config): void {
  const born = { ...options, webhookSecret: identity.webhookSecret }
  const names = ['seed', 'frozen', 'pace', 'scenario', 'webhookSecret'] as const
  const different = names.filter((name) => born[name] !== config[name])
  if (different.length === 0) return
  const kept = different.map((name) => `${settings[name].variable}=${born[name] ?? ''}`).join(', ')
  log.warn(`The world kept in ${config.data} was born with ${kept} and stays so.`)
}
