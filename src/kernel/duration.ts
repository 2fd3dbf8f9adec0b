import { byName } from './fields.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './instant.ts'

const units = byName<number>({
  ms: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  min: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
})
/** The maximum length of a duration, which limits the work of parsing. */
const MAX_LETTERS = 64
const PART = /(\d+(?:\.\d+)?)(ms|min|[smhdw])/g

/** Parses `"1d12h"`, `"90s"` or `"200ms"` to milliseconds; undefined for other text. */
export function parseDuration(text: string): number | undefined {
  if (text.length > MAX_LETTERS) return undefined
  const compact = text.replace(/\s+/g, '')
  const parts = [...compact.matchAll(PART)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== compact) return undefined
  return parts.reduce((total, [, amount, unit]) => total + Number(amount) * (units[unit ?? ''] ?? 0), 0)
}

/** Formats milliseconds for `parseDuration`: `"1d12h"`. */
export const writeDuration = (durationMs: number): string => partsOf(durationMs).join('') || '0s'

function partsOf(durationMs: number): string[] {
  let rest = durationMs
  return ['d', 'h', 'm', 's', 'ms'].flatMap((unit) => {
    const size = units[unit] ?? 1
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? [`${count}${unit}`] : []
  })
}
