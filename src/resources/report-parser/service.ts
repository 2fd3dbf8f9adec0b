import { feature } from '../../api/features.ts'
import type { EventType, JobKinds } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { badRequest, orNotFound } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { eventSubject, getUser } from '../users/service.ts'
import { fixtureOf, makeReport } from './made-up-report.ts'
import { type NewParsingJob, ParsingJob } from './schema.ts'
import { type Outcome, type ParsingJobRow, parsingJobs } from './table.ts'
import { limits, readUploads, type Uploads } from './upload.ts'

export const parserEvents: readonly EventType[] = [
  { name: 'lab_report.parsing_job.created', data: ParsingJob },
  { name: 'lab_report.parsing_job.updated', data: ParsingJob },
]

function announceJob(world: World, row: ParsingJobRow, what: 'created' | 'updated'): void {
  world.emit(`lab_report.parsing_job.${what}`, eventSubject(world, row.user_id), presentJob(row))
}

/** A job as the wire shows it. */
export const presentJob = (row: ParsingJobRow) => omit(row, 'user_id', 'outcome')

/** The outcome of a report: by its file name, from its text, or made up for images and for a PDF without a table of results. */
export function outcomeOf(world: World, { files, hash }: Uploads): Outcome {
  const [{ pdf, report }] = files
  const fixture = files.map(({ name }) => fixtureOf(name)).find((found) => found !== undefined)
  if (typeof fixture === 'string') return { failure_reason: fixture }
  if (fixture) return { data: makeReport(world, hash, fixture) }
  if (pdf && 'failure' in pdf) {
    return { failure_reason: pdf.failure === 'encrypted' ? 'invalid_input' : 'processing_error' }
  }
  if (pdf?.lines.length === 0) return { failure_reason: 'low_quality' }
  return { data: report && report.results.length > 0 ? report : makeReport(world, hash) }
}

/** The maximum number of jobs in a sandbox, without failed ones. Source: docs/contract/report-parser.md. */
const SANDBOX_JOBS = 300
const STAGE = 'report-parser.stage'
const FINISH = 'report-parser.finish'
const REVIEW = 'report-parser.review'
const PARSING_MS = 30 * SECOND_MS
const REVIEW_MS = 30 * MINUTE_MS

/** Accepts a report; it is parsed and, if requested, reviewed later. Source: docs/contract/report-parser.md. */
export async function createJob(world: World, body: Parsed<typeof NewParsingJob>): Promise<ParsingJobRow> {
  const { user_id, needs_human_review } = body
  getUser(world, user_id)
  if (needs_human_review && !feature(world, 'human_review')) {
    throw badRequest('Human review is not supported yet for your team please contact support')
  }
  assertWithinQuota(world)
  const uploads = await readUploads(body.file, limits[feature(world, 'report_parser_limits')], world)
  return storeJob(world, body, uploads)
}

function storeJob(
  world: World,
  { user_id, needs_human_review }: Parsed<typeof NewParsingJob>,
  uploads: Uploads,
): ParsingJobRow {
  const outcome = outcomeOf(world, uploads)
  const id = world.newId('parsing_job')
  world.agenda.schedule({ due: world.clock.now(), kind: STAGE, subject: id })
  return world.db.put(parsingJobs, {
    id,
    job_id: id,
    status: 'upload_pending',
    failure_reason: null,
    data: null,
    needs_human_review,
    is_reviewed: false,
    user_id,
    outcome,
  })
}

function assertWithinQuota(world: World): void {
  if (!feature(world, 'sandbox_limits') || feature(world, 'parity') === 'production') return
  if (world.db.count(parsingJobs) < SANDBOX_JOBS) return
  const counted = [...world.db.all(parsingJobs)].filter(({ status }) => status !== 'failed')
  if (counted.length < SANDBOX_JOBS) return
  throw badRequest(
    `Sandbox lab report parsing is limited to ${SANDBOX_JOBS} reports. Please upgrade your contract to continue.`,
  )
}

/** The job, or the 404. */
export function getJob(world: World, id: string): ParsingJobRow {
  return orNotFound(world.db.find(parsingJobs, id), 'Parsing job not found')
}

function later(world: World, kind: string, subject: string, waitMs: number): void {
  world.agenda.schedule({ afterScenarioMs: waitMs, kind, subject })
}

function update(world: World, row: ParsingJobRow, change: Partial<ParsingJobRow>): ParsingJobRow {
  const updated = world.db.put(parsingJobs, { ...row, ...change })
  world.agenda.record('parsing_job', { job_id: row.id, user_id: row.user_id, status: updated.status })
  return updated
}

export const parserJobs: JobKinds = {
  [STAGE]: {
    does: 'the lab report moves to its next stage',
    run(world, { subject }) {
      const row = world.db.find(parsingJobs, subject)
      if (!row) return
      announceJob(world, update(world, row, { status: 'started' }), 'created')
      later(world, FINISH, subject, PARSING_MS)
    },
  },
  [FINISH]: {
    does: 'the lab report is finished',
    run(world, { subject }) {
      const row = world.db.find(parsingJobs, subject)
      if (!row?.outcome) return
      if (!row.needs_human_review || !canBeReviewed(row.outcome)) {
        announceJob(world, update(world, row, { ...changeOf(row.outcome), outcome: null }), 'updated')
        return
      }
      later(world, REVIEW, subject, REVIEW_MS)
      if (feature(world, 'contract_form') === 'live') return
      const { data = null } = changeOf(row.outcome)
      announceJob(world, update(world, row, { status: 'pending_review', data }), 'updated')
    },
  },
  [REVIEW]: {
    does: 'a person has reviewed the lab report',
    run(world, { subject }) {
      const row = world.db.find(parsingJobs, subject)
      if (!row?.outcome) return
      const change = { ...changeOf(row.outcome), outcome: null, is_reviewed: true }
      announceJob(world, update(world, row, change), 'updated')
    },
  },
}

/** Whether a report was parsed, or can only be read by a person. */
const canBeReviewed = (outcome: Outcome): boolean =>
  'data' in outcome || outcome.failure_reason === 'low_quality'

/** The job after parsing. */
const changeOf = (outcome: Outcome): Partial<ParsingJobRow> =>
  'data' in outcome
    ? { status: 'completed', data: outcome.data }
    : { status: 'failed', failure_reason: outcome.failure_reason }
