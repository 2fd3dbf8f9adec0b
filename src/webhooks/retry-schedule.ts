import { type Parsed, unnamed } from '../api/schema.ts'
import { clamp } from '../kernel/compare.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../kernel/instant.ts'
import { instantMs } from '../storage/table.ts'

/**
 * Seconds to wait after the first, second, … failure; there is no attempt after the last. Source:
 * docs/contract/webhooks.md#delivery.
 */
export const WAITS_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const

/** The timeout of a delivery. Source: docs/contract/webhooks.md#delivery. */
export const TIMEOUT_MS = 15 * SECOND_MS

/** The statuses whose `Retry-After` is honoured. */
const BUSY = new Set<number | null>([429, 503])

export interface FailedReply {
  readonly status: number | null
  readonly retryAfter: string | undefined
}

/** Milliseconds until the next attempt after this number of failures; undefined after the last attempt. */
export function waitAfter(failures: number, reply: FailedReply, wallNow: number): number | undefined {
  const seconds = WAITS_SECONDS[failures - 1]
  if (seconds === undefined) return undefined
  const waitMs = seconds * SECOND_MS
  const askedMs = BUSY.has(reply.status) ? readRetryAfter(reply.retryAfter, wallNow) : undefined
  return askedMs === undefined ? waitMs : clamp(askedMs, waitMs, 2 * waitMs)
}

/** Parses seconds or a date to milliseconds from now. */
function readRetryAfter(header: string | undefined, wallNow: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * SECOND_MS
  const instant = Date.parse(header)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - wallNow)
}

/** The failures of an endpoint since its last success. */
export const Failing = unnamed(() => ({
  first_at: instantMs(),
  last_at: instantMs(),
  /** The start of the five days; null if they have not started. */
  counting_since: instantMs().nullable(),
}))
export type Failing = Parsed<typeof Failing>

const MIN_SPAN_MS = 12 * HOUR_MS
const MAX_SPAN_MS = DAY_MS
const DISABLE_AFTER_MS = 5 * DAY_MS

/** The five days start with a failure at least 12 and at most 24 hours after another. Source: docs/contract/webhooks.md#delivery. */
export function afterFailure(failing: Failing | null, at: number): Failing {
  if (failing === null) return { first_at: at, last_at: at, counting_since: null }
  if (failing.counting_since !== null) return { ...failing, last_at: at }
  const inSpan = [failing.first_at, failing.last_at].find((earlier) => at - earlier <= MAX_SPAN_MS) ?? at
  return { first_at: inSpan, last_at: at, counting_since: at - inSpan >= MIN_SPAN_MS ? at : null }
}

/** Whether an endpoint with these failures is disabled. */
export const shouldDisable = ({ last_at, counting_since }: Failing): boolean =>
  counting_since !== null && last_at - counting_since >= DISABLE_AFTER_MS
