/** How statuses, ids, times and numbers are shown. */

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const lowOf = (status: string): string =>
  (status.split('.').at(-1) ?? status).replace('testkit_registered', 'registered')

export const phaseOf = (status: string): string => status.split('.')[0] ?? status

export const inWords = (status: string): string => lowOf(status).replaceAll('_', ' ')

/** The beginning of an id, without the prefix of its kind. */
export const shortId = (id: string): string => id.replace(/^(msg|req|ep|fault)_0*/, '').slice(0, 8)

const ATTENTION = /problem|blocked|redraw|appointment_cancelled/

/** The phase of a status, or `attention` for a problem that can still be solved. */
export const toneOf = (status: string): string =>
  ATTENTION.test(lowOf(status)) && phaseOf(status) !== 'failed' ? 'attention' : phaseOf(status)

const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: string, name: string, options: Intl.DateTimeFormatOptions): string {
  const known = formats.get(name) ?? new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })
  formats.set(name, known)
  return known.format(new Date(at))
}

export const dayOf = (at: string): string =>
  format(at, 'day', { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '')
export const timeOf = (at: string): string =>
  format(at, 'time', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
export const stampOf = (at: string): string => `${dayOf(at)} ${timeOf(at)}`

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** A duration in its two largest units, such as `2d 4h` or `3m 20s`. */
export function spanOf(ms: number): string {
  let seconds = Math.round(Math.abs(ms) / 1000)
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size)
    if (parts.length > 0 || count > 0) parts.push(count > 0 ? `${count}${unit}` : '')
    seconds -= count * size
  }
  return parts.slice(0, 2).join(' ').trim() || '0s'
}

/** `in 2d`, `3h ago` or `now`. */
export function relativeTo(at: string, now: string): string {
  const ms = Date.parse(at) - Date.parse(now)
  if (Math.abs(ms) < 1000) return 'now'
  return ms > 0 ? `in ${spanOf(ms)}` : `${spanOf(ms)} ago`
}

export const numberOf = (count: number): string => count.toLocaleString('en')

export const dollarsOf = (cents: number): string => `$${(cents / 100).toFixed(2)}`

/** `1 order`, `2 orders`. */
export const countOf = (count: number, noun: string, nouns?: string): string =>
  `${numberOf(count)} ${nounOf(count, noun, nouns)}`

export const nounOf = (count: number, noun: string, nouns = `${noun}s`): string =>
  count === 1 ? noun : nouns

export const methodNames: Readonly<Record<string, string>> = {
  testkit: 'kit',
  walk_in_test: 'walk-in',
  at_home_phlebotomy: 'at home',
  on_site_collection: 'on site',
}

export const phaseNames: Readonly<Record<string, string>> = {
  received: 'Received',
  collecting_sample: 'Collecting sample',
  sample_with_lab: 'With the laboratory',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

/** The message of an error response. */
export function detailOf(body: unknown): string {
  const detail = (body as { detail?: unknown } | null)?.detail ?? body
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return JSON.stringify(detail)
  return detail
    .map(({ loc = [], msg = '' }: { loc?: unknown[]; msg?: string }) =>
      `${loc.slice(1).join('.')} ${msg}`.trim(),
    )
    .join('; ')
}
