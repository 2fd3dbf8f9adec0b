import { createHash } from 'node:crypto'
import { feature } from '../../../api/features.ts'
import type { Parsed } from '../../../api/schema.ts'
import { SECOND_MS, toWire } from '../../../kernel/instant.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Job } from '../../../scheduler/job.ts'
import type { World } from '../../../world/world.ts'
import { orders } from '../../orders/table.ts'
import { cases, testCases } from '../cases.ts'
import { assertEnabled } from '../service.ts'
import { type TestRunRow, testRuns } from '../table.ts'
import { type NewTestRun, type TestCaseList, type TestRun, workStages } from './schema.ts'
import { RunFailed, stageWork } from './stages.ts'

const STEP = 'unmatched-results.test'
/** The duration of each stage of a run. */
const STAGE_MS = SECOND_MS

/** Test runs are available in sandbox teams only. Source: contract/lab-testing.md §18. */
function assertSandbox(world: World): void {
  if (feature(world, 'parity') === 'production') throw new Problem('not_found', 'Not Found')
  assertEnabled(world)
}

export function listCases(world: World): Parsed<typeof TestCaseList> {
  assertSandbox(world)
  return {
    data: testCases.map((name) => ({
      case: name,
      order_roles: Object.keys(cases[name].roles),
      required_statuses: { ...cases[name].roles },
      lab_constraints: [...cases[name].labConstraints],
    })),
  }
}

/** Starts a run, or answers the one already started with the key. */
export function startRun(world: World, key: string, body: Parsed<typeof NewTestRun>): TestRunRow {
  assertSandbox(world)
  const request = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const [known] = world.db.by(testRuns, 'key', key)
  if (known?.request === request) return known
  if (known) {
    throw new Problem('conflict', 'This idempotency key was already used with a different request body.')
  }
  assertConsistent(world, body)
  const now = toWire(world.clock.now())
  const row = world.db.put(testRuns, {
    run_id: world.newId('unmatched_result_test'),
    status: 'queued',
    stage: 'queued',
    case: body.case,
    order_source: body.order_source,
    result_status: body.result_status,
    orders: {},
    raw_result_id: null,
    error: null,
    created_at: now,
    updated_at: now,
    started_at: null,
    completed_at: null,
    idempotency_key: key,
    request,
    given: body.orders ?? null,
    interpretation: body.interpretation,
    lab_test_id: body.lab_test_id,
    wrong_lab_test_id: body.wrong_lab_test_id,
  })
  goOn(world, row.run_id)
  return row
}

function assertConsistent(world: World, body: Parsed<typeof NewTestRun>): void {
  const { roles, isProvidedOnly } = cases[body.case]
  const invalid = (text: string) =>
    new Problem('invalid', [
      { type: 'value_error', loc: ['body'], msg: `Value error, ${text}`, input: body, ctx: { error: {} } },
    ])
  if (body.order_source === 'managed') {
    if (isProvidedOnly) throw invalid(`case ${body.case} needs provided orders`)
    if (body.orders && Object.keys(body.orders).length > 0)
      throw invalid('orders must not be set for managed runs')
    return
  }
  const given = Object.keys(body.orders ?? {}).sort()
  const wanted = Object.keys(roles).sort()
  if (given.join() !== wanted.join())
    throw invalid(`orders must have exactly the roles: ${wanted.join(', ') || 'none'}`)
  const stranger = Object.values(body.orders ?? {}).find((id) => !world.db.has(orders, id))
  if (stranger) throw invalid(`Order ${stranger} does not exist`)
}

/** The run, or the 404. */
export function getRun(world: World, runId: string): TestRunRow {
  assertSandbox(world)
  const row = world.db.find(testRuns, runId)
  if (!row) throw new Problem('not_found', 'Unmatched result test not found')
  return row
}

/** The next stage of a running run. */
function nextStage({ stage }: TestRunRow) {
  return stage === 'failed' ? undefined : workStages[workStages.indexOf(stage) + 1]
}

function goOn(world: World, runId: string): void {
  const due = world.clock.now() + world.paced(STAGE_MS)
  world.agenda.schedule({ due, kind: STEP, subject: runId, paced: true })
}

export const runJobs = {
  [STEP](world: World, { subject }: Job): void | Promise<void> {
    const run = () => runStage(world, subject)
    return world.parts.scenarios.ready()?.then(run) ?? run()
  },
}

function runStage(world: World, runId: string): void {
  const row = world.db.find(testRuns, runId)
  const stage = row && nextStage(row)
  if (!stage) return
  const now = toWire(world.clock.now())
  const begun: TestRunRow = { ...row, stage, status: 'running', started_at: row.started_at ?? now }
  try {
    const done = stageWork[stage]?.(world, begun) ?? begun
    const isOver = stage === 'succeeded'
    world.db.put(testRuns, {
      ...done,
      updated_at: now,
      ...(isOver && { status: 'succeeded', completed_at: now }),
    })
    if (!isOver) goOn(world, runId)
  } catch (error) {
    const failure = failureOf(error)
    const ended = { updated_at: now, completed_at: now }
    world.db.put(testRuns, { ...begun, ...ended, status: 'failed', stage: 'failed', error: failure })
  }
}

/** The outcome of a failed run; other errors are bugs. */
function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof RunFailed) return { code: error.code, message: error.message }
  if (error instanceof Problem) return { code: error.kind, message: error.message }
  throw error
}

/** A run in wire format. */
export function presentRun(row: TestRunRow): Parsed<typeof TestRun> {
  const { idempotency_key: _, request: __, given: ___, ...run } = row
  const { interpretation: ____, lab_test_id: _____, wrong_lab_test_id: ______, ...shown } = run
  return shown
}
