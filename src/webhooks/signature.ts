import { createHmac } from 'node:crypto'

/** Source: contract/webhooks.md §6. */
export const SECRET_PATTERN = /^(whsec_)?[a-zA-Z0-9+/=]{32,100}$/

/** `v1,<base64>` of a delivery; `timestamp` in seconds. Source: contract/webhooks.md §6. */
export function sign(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** The `svix-signature` header: one signature for each secret, newest first. */
export const signatures = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets.map((secret) => sign(secret, id, timestamp, body)).join(' ')
