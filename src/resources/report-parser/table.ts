import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import { failureReasons, ParsedReport, ParsingJob } from './schema.ts'

/** The outcome of parsing a report. */
const ParsingOutcome = unnamed(() =>
  z.union([z.object({ data: ParsedReport() }), z.object({ failure_reason: z.enum(failureReasons) })]),
)
export type Outcome = Parsed<typeof ParsingOutcome>

export const ParsingJobRow = unnamed(() =>
  ParsingJob().extend({
    user_id: z.string(),
    /** The prepared outcome; null once it is announced. */
    outcome: ParsingOutcome().nullable(),
  }),
)
export type ParsingJobRow = Parsed<typeof ParsingJobRow>

export const parsingJobs = table<ParsingJobRow>('parsing_jobs', ({ id }) => id)
