import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { ofUser, type RowOf, table } from '../../storage/table.ts'
import { failureReasons, ParsedReport, ParsingJob } from './schema.ts'

/** The outcome of parsing a report. */
const ParsingOutcome = unnamed(() =>
  z.union([z.object({ data: ParsedReport() }), z.object({ failure_reason: z.enum(failureReasons) })]),
)
export type Outcome = Parsed<typeof ParsingOutcome>

export const parsingJobs = table(
  'parsing_jobs',
  () =>
    ParsingJob().extend({
      user_id: z.string(),
      /** The prepared outcome; null once the job is over. */
      outcome: ParsingOutcome().nullable(),
    }),
  ({ id }) => id,
  ofUser,
)
export type ParsingJobRow = RowOf<typeof parsingJobs>
