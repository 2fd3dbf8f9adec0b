import * as z from 'zod'
import { instantMs, table } from '../storage/table.ts'

/** The state of the clock when it was last stored; one row. */
export const clockRow = table(
  'clock',
  () =>
    z.object({ offsetMs: z.number(), frozenAt: instantMs().nullable(), latestAt: instantMs().optional() }),
  () => 'clock',
)
