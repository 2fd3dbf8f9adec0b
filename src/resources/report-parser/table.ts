import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { ParsedReport, ParsingJob } from './schema.ts'

/** The outcome of parsing a report. */
export type Outcome =
  | { readonly data: Parsed<typeof ParsedReport> }
  | { readonly failure_reason: NonNullable<Parsed<typeof ParsingJob>['failure_reason']> }

export interface ParsingJobRow extends Parsed<typeof ParsingJob> {
  readonly user_id: string
  /** The prepared outcome; null once it is announced. */
  readonly outcome: Outcome | null
}

export const parsingJobs = table<ParsingJobRow>('parsing_jobs', ({ id }) => id)
