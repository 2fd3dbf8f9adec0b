import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Source: docs/contract/webhooks.md#signatures. */
export const SECRET_PATTERN = /^(whsec_)?[a-zA-Z0-9+/=]{32,100}$/

/** The signature `v1,<base64>` of a delivery; `timestamp` in seconds. Source: docs/contract/webhooks.md#signatures. */
export function sign(secret: string, id: string, timestamp: number, body: string): string {
  // Node 24 takes four times as long for a key that is a buffer.
  const key = createSecretKey(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** The `svix-signature` header: one signature for each secret, newest first. */
export const signatures = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets.map((secret) => sign(secret, id, timestamp, body)).join(' ')

/**
 * The maximum difference between a delivery's timestamp and a verifier's clock, in seconds. Source:
 * docs/contract/webhooks.md#signatures.
 */
const TOLERANCE_SECONDS = 300

/** A received delivery; header names in lower case. */
export interface Delivered {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** Why a receiver should reject a delivery; undefined if it is genuine. `nowSeconds` counts from 1970. */
export function verificationError(
  secrets: readonly string[],
  { headers, body }: Delivered,
  nowSeconds: number,
): string | undefined {
  const [id, timestamp, given] = ['svix-id', 'svix-timestamp', 'svix-signature'].map((name) => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  })
  if (id === undefined || timestamp === undefined || given === undefined) {
    return 'the svix-id, svix-timestamp or svix-signature header is missing'
  }
  if (!/^\d+$/.test(timestamp)) return 'svix-timestamp is not a number'
  const age = nowSeconds - Number(timestamp)
  if (age > TOLERANCE_SECONDS) return `svix-timestamp is ${age} s old, more than ${TOLERANCE_SECONDS}`
  if (-age > TOLERANCE_SECONDS) return `svix-timestamp is ${-age} s in the future`
  const expected = secrets.map((secret) => sign(secret, id, Number(timestamp), body))
  const isGenuine = given.split(' ').some((one) => expected.some((other) => isSame(one, other)))
  return isGenuine ? undefined : 'no signature matches; the secret is another, or the body was changed'
}

const isSame = (one: string, other: string) =>
  Buffer.byteLength(one) === Buffer.byteLength(other) && timingSafeEqual(Buffer.from(one), Buffer.from(other))
