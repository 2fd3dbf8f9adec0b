/** The signature of a webhook, verified in the browser as a receiver should. */

export type Verdict = 'valid' | 'stale' | 'invalid' | 'unknown'

const TOLERANCE_S = 300

export interface Signed {
  readonly id: string
  readonly timestamp: string
  /** The value of the header, such as `v1,… v1,…`. */
  readonly signatures: string
  readonly body: string
}

/** The expected `svix-signature`. */
export async function signatureOf(secret: string, { id, timestamp, body }: Signed): Promise<string> {
  const raw = atob(secret.replace(/^whsec_/, ''))
  const bytes = Uint8Array.from(raw, (letter) => letter.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const text = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', key, text))
  return `v1,${btoa(String.fromCharCode(...signed))}`
}

/** `deliveredAt` is the wall-clock time of the delivery, in milliseconds since 1970. */
export async function verify(secret: string, signed: Signed, deliveredAt: number): Promise<Verdict> {
  if (!globalThis.crypto?.subtle) return 'unknown'
  try {
    const expected = await signatureOf(secret, signed)
    if (!signed.signatures.split(' ').includes(expected)) return 'invalid'
  } catch {
    return 'invalid'
  }
  return Math.abs(deliveredAt / 1000 - Number(signed.timestamp)) > TOLERANCE_S ? 'stale' : 'valid'
}

export const verdictTexts: Readonly<Record<Verdict, string>> = {
  valid: '✓ verifies with this secret',
  stale: '✗ timestamp more than 5 minutes off: refuse it',
  invalid: '✗ does not verify with this secret: refuse it',
  unknown: 'not checked: browsers offer no cryptography at this address',
}
