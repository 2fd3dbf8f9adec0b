import type { Database } from '../storage/database.ts'
import { table } from '../storage/table.ts'

interface Sequence {
  readonly name: string
  readonly last: number
}

const sequences = table<Sequence>('sequences', ({ name }) => name)

/** Counts up, by name; how far, is put down once for all that is stored together. */
export function countIn(db: Database): (sequence: string) => number {
  const last = new Map<string, number>()
  const moved = new Set<string>()
  db.beforeStoring(() => {
    for (const name of moved) db.put(sequences, { name, last: last.get(name) ?? 0 })
    moved.clear()
  })
  return (name) => {
    const value = (last.get(name) ?? db.find(sequences, name)?.last ?? 0) + 1
    last.set(name, value)
    moved.add(name)
    db.store()
    return value
  }
}
