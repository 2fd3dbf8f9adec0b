import * as z from 'zod'
import type { Database } from '../../src/storage/database.ts'
import { table } from '../../src/storage/table.ts'

export const numbered = table(
  'numbered',
  () => z.object({ id: z.string(), step: z.number(), text: z.string() }),
  ({ id }) => id,
)

const LONGEST = 24_000

/** What step `step` changes: one turn's worth, which must be there as a whole or not at all. */
export function takeStep(db: Database, step: number): void {
  db.delete(numbered, `row ${(step * 7) % 40}`)
  const text = 'é"\\'.repeat(((step * 7919) % LONGEST) / 3)
  db.put(numbered, { id: `row ${(step * 11 + 3) % 40}`, step, text })
  db.put(numbered, { id: 'last', step, text: '' })
}
