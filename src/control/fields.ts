import { field } from '../api/fields.ts'
import { valueError } from '../api/issue.ts'
import { parseDuration } from '../kernel/duration.ts'
import { fromIso, LATEST, toIso } from '../kernel/instant.ts'

/** The earliest time of a world's clock, in milliseconds since 1970. */
export const EARLIEST = 0

/** A duration such as `90s`, `3d` or `1d12h`, parsed to whole milliseconds. */
export const duration = () =>
  field<number, string>({ type: 'string', examples: ['90s', '3d', '1d12h'] }, (input) => {
    const wait = typeof input === 'string' ? parseDuration(input) : undefined
    return wait === undefined
      ? valueError('a duration is a text such as "200ms", "90s", "3d" or "1d12h"')
      : Math.round(wait)
  })

/** An instant such as `2026-01-05T09:00:00Z`, parsed to milliseconds since 1970. Without an offset it is UTC. */
export const instant = () =>
  field<number, string>({ type: 'string', format: 'date-time' }, (input) => {
    const at = typeof input === 'string' && input.length < 64 ? fromIso(input) : undefined
    if (at === undefined) return valueError('an instant is a text such as "2026-01-05T09:00:00Z"')
    return at < EARLIEST || at > LATEST
      ? valueError(`an instant lies between ${toIso(EARLIEST)} and ${toIso(LATEST)}`)
      : at
  })

/** A seed: text, or a whole number. */
export const seed = () =>
  field<string, string | number>({ type: ['string', 'integer'] }, (input) => {
    const text = typeof input === 'number' && Number.isSafeInteger(input) ? String(input) : input
    return typeof text === 'string' && text.length > 0 && text.length <= 200
      ? text
      : valueError('a seed is a whole number or a text of 1 to 200 characters')
  })
