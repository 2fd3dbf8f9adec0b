/** How statuses, ids, times and numbers are shown. */

import { detailLines } from '../kernel/detail-text.ts'
import { SECOND_MS } from '../kernel/instant.ts'
import { roughly } from '../kernel/readable.ts'

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

/** `in 2 d 4 h`, `3 h ago` or `now`. */
export function relativeTo(at: string, now: string): string {
  const ms = Date.parse(at) - Date.parse(now)
  const span = roughly(Math.abs(ms))
  if (Math.abs(ms) < SECOND_MS) return 'now'
  return ms > 0 ? `in ${span}` : `${span} ago`
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

/** The message of an error response in a line. */
export const detailOf = (body: unknown): string =>
  detailLines((body as { detail?: unknown } | null)?.detail ?? body).join('; ')
