import * as z from 'zod'
import { parseDuration } from '../kernel/duration.ts'

/** A duration: `90m`, `2d`, `1d12h`. */
export const duration = () =>
  z
    .string()
    .refine((text) => parseDuration(text) !== undefined, {
      error: 'is no duration; write 30m, 4h, 2d or 1d12h',
    })
    .meta({ pattern: '^(\\d+(\\.\\d+)?(ms|[smhdw])\\s*)+$', examples: ['4h', '2d', '1d12h'] })

export const scenarioName = () =>
  z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is no scenario name; write small-letters-and-hyphens')
