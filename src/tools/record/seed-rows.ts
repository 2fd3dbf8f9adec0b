import type * as z from 'zod'
import type { LazySchema } from '../../api/schema.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Catalogue } from '../../resources/catalogue/service.ts'
import type { SeedFileName } from '../../resources/catalogue/tables.ts'
import type { Replies } from './replies.ts'

/** A seed file to be written. */
export interface SeedFile {
  readonly name: SeedFileName
  readonly rows: readonly object[]
  /** Whether no bundled rows are used apart from these. */
  readonly complete: boolean
}

export const completeFile = (name: SeedFileName, rows: readonly object[]): SeedFile => {
  return { name, rows, complete: true }
}

/** The rows that a recording leaves out, in sentences. */
export type LeftOut = string[]

/** Records a part of what a service answers; it adds what it cannot record to `leftOut`. */
export type Recorder = (replies: Replies, bundled: Catalogue, leftOut: LeftOut) => Promise<SeedFile[]>

// biome-ignore lint/suspicious/noExplicitAny: a reply of another service may have any shape.
export type Wire = any

/** The rows of a reply; none if it is not a list. */
export const listOf = (value: unknown): Wire[] => (Array.isArray(value) ? value : [])

/** Fields of an object of the wire; empty if it is none. */
export const pick = (wire: Wire, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, wire?.[name]]))

/** The row if it is a valid seed; otherwise nothing, and it is reported as left out. */
export function validRow<Schema extends z.ZodType>(
  leftOut: LeftOut,
  what: string,
  schema: LazySchema<Schema>,
  row: unknown,
): z.output<Schema>[] {
  const { success, data, error } = schema().safeParse(row)
  if (success) return [data]
  const [issue] = error.issues
  leftOut.push(`${what}: ${(issue?.path ?? []).map(String).join('.')}: ${issue?.message ?? 'malformed'}`)
  return []
}
