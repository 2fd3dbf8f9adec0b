import { assertSandbox } from '../../api/features.ts'
import { fingerprint, leftBefore } from '../../api/idempotency.ts'
import { invalidValue, valueError } from '../../api/issue.ts'
import type { JobKinds } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { SECOND_MS, toWire } from '../../kernel/instant.ts'
import { orNotFound, Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { centralLabs } from '../catalogue/schema.ts'
import { findLabTest } from '../lab-tests/service.ts'
import { isOfTeam, type LabTestRow, labTests } from '../lab-tests/table.ts'
import { getOrder } from '../orders/service.ts'
import { currentStatusOf, type OrderRow, orders } from '../orders/table.ts'
import { simulateOrder } from '../simulation/service.ts'
import { cases, testCases } from './cases.ts'
import { makePatient, makeReview, newTestUser, placeForPatient } from './patients.ts'
import { type NewTestRun, type TestCaseList, type TestRun, workStages } from './schema.ts'
import { assertEnabled, keepResult } from './service.ts'
import { type TestRunRow, testRuns } from './table.ts'

const STEP = 'unmatched-results.test'
/** The duration of each stage of a run. */
const STAGE_MS = SECOND_MS

/** Test runs are available in sandbox teams only. Source: docs/contract/unmatched-results.md. */
function assertAvailable(world: World): void {
  assertSandbox(world)
  assertEnabled(world)
}

export function listCases(world: World): Parsed<typeof TestCaseList> {
  assertAvailable(world)
  return {
    data: testCases.map((name) => ({
      case: name,
      order_roles: Object.keys(cases.get(name).roles),
      required_statuses: { ...cases.get(name).roles },
      lab_constraints: [...cases.get(name).labConstraints],
    })),
  }
}

/** Starts a run, or answers the one already started with the key. */
export function startRun(world: World, key: string, body: Parsed<typeof NewTestRun>): TestRunRow {
  assertAvailable(world)
  const request = fingerprint(JSON.stringify(body))
  const known = leftBefore(world, world.db.by(testRuns, 'key', key)[0], request)
  if (known) return known
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
  scheduleNextStage(world, row.run_id)
  return row
}

function assertConsistent(world: World, body: Parsed<typeof NewTestRun>): void {
  const { roles, isProvidedOnly } = cases.get(body.case)
  const invalid = (text: string) => invalidValue(valueError(text), ['body'], body)
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
  assertAvailable(world)
  return orNotFound(world.db.find(testRuns, runId), 'Unmatched result test not found')
}

/** The next stage of a running run. */
function nextStage({ stage }: TestRunRow) {
  return stage === 'failed' ? undefined : workStages[workStages.indexOf(stage) + 1]
}

function scheduleNextStage(world: World, runId: string): void {
  world.agenda.schedule({ afterScenarioMs: STAGE_MS, kind: STEP, subject: runId })
}

export const runJobs: JobKinds = {
  [STEP]: {
    does: 'the next stage of a test run of unmatched results',
    run(world, { subject }) {
      const run = () => runStage(world, subject)
      return world.services.scenarios.ready()?.then(run) ?? run()
    },
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
    const run: TestRunRow = isOver ? { ...done, status: 'succeeded', completed_at: now } : done
    world.db.put(testRuns, { ...run, updated_at: now })
    if (!isOver) scheduleNextStage(world, runId)
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
export const presentRun = (row: TestRunRow): Parsed<typeof TestRun> =>
  omit(row, 'idempotency_key', 'request', 'given', 'interpretation', 'lab_test_id', 'wrong_lab_test_id')

/** Why a run cannot be continued. */
class RunFailed extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

type Work = (world: World, run: TestRunRow) => TestRunRow

/** The work of each stage; returns the changed run. */
const stageWork: Partial<Record<(typeof workStages)[number], Work>> = {
  validating: validate,
  selecting_configuration: selectConfiguration,
  creating_orders: createOrders,
  transitioning_orders: moveOrders,
  writing_result: writeResult,
}

function validate(world: World, run: TestRunRow): TestRunRow {
  if (!run.given) return run
  const { roles, isOneUser } = cases.get(run.case)
  const given = Object.entries(run.given).map(([role, id]) => [role, getOrder(world, id)] as const)
  for (const [role, order] of given) {
    if (!isCentral(order.lab_test.lab?.slug)) {
      throw new RunFailed('invalid_lab', `Order ${order.id} is not at a central laboratory.`)
    }
    if (currentStatusOf(order) !== roles[role]) {
      throw new RunFailed(
        'invalid_order_status',
        `Order ${order.id} is ${currentStatusOf(order)}, not ${roles[role]}.`,
      )
    }
  }
  const users = new Set(given.map(([, order]) => order.user_id))
  if (isOneUser && users.size > 1) {
    throw new RunFailed('invalid_orders', 'The orders must be of one user.')
  }
  return { ...run, orders: Object.fromEntries(given.map(([role, order]) => [role, artifactOf(order)])) }
}

const isCentral = (labSlug: string | undefined) => centralLabs.some((lab) => lab === labSlug)

const artifactOf = (order: OrderRow) => ({
  order_id: order.id,
  user_id: order.user_id,
  order_transaction_id: order.order_transaction?.id ?? order.id,
})

/** The lab test of the result, and for a wrong laboratory that of the order. */
function selectConfiguration(world: World, run: TestRunRow): TestRunRow {
  const provided = Object.values(run.orders)[0]
  const ofOrder = provided ? getOrder(world, provided.order_id).lab_test.id : null
  if (run.case !== 'wrong_lab') {
    return { ...run, lab_test_id: named(world, run.lab_test_id ?? ofOrder) ?? onlyPanel(world) }
  }
  const orderTest = named(world, ofOrder ?? run.wrong_lab_test_id)
  const resultTest = named(world, run.lab_test_id) ?? otherPanel(world, orderTest)
  const wrong = orderTest ?? otherPanel(world, resultTest)
  if (findLabTest(world, wrong)?.lab === findLabTest(world, resultTest)?.lab) {
    throw new RunFailed('invalid_lab', 'The two lab tests must be of different laboratories.')
  }
  return { ...run, lab_test_id: resultTest, wrong_lab_test_id: wrong }
}

function named(world: World, id: string | null): string | null {
  if (id === null) return null
  const labTest = findLabTest(world, id)
  if (!labTest) throw new RunFailed('lab_test_not_found', `Lab test ${id} does not exist.`)
  if (!isCentral(labTest.lab)) {
    throw new RunFailed('invalid_lab', `Lab test ${id} is not of a central laboratory.`)
  }
  return id
}

/** The lab tests the team can order at central laboratories, those drawn at a site first. */
function panels(world: World): LabTestRow[] {
  const usable = [...world.db.all(labTests)].filter(
    ({ lab, status, auto_generated, method }) =>
      isCentral(lab) && status === 'active' && !auto_generated && method !== 'testkit',
  )
  const isWalkIn = ({ method }: LabTestRow) => method === 'walk_in_test'
  return [...usable.filter(isWalkIn), ...usable.filter((labTest) => !isWalkIn(labTest))]
}

function onlyPanel(world: World): string {
  const all = panels(world)
  const walkIns = all.filter(({ method }) => method === 'walk_in_test')
  const ofTeam = walkIns.filter((labTest) => isOfTeam(labTest))
  const [only, another] = [ofTeam, walkIns, all].find(({ length }) => length > 0) ?? []
  if (!only) throw new RunFailed('no_lab_test', 'The team has no lab test of a central laboratory.')
  if (another) {
    throw new RunFailed('lab_test_required', 'Several lab tests fit; lab_test_id must be set.')
  }
  return only.id
}

function otherPanel(world: World, other: string | null): string {
  const lab = other === null ? undefined : findLabTest(world, other)?.lab
  const found = panels(world).find((labTest) => labTest.lab !== lab)
  if (!found) throw new RunFailed('no_lab_test', 'The team has no lab test of another central laboratory.')
  return found.id
}

function createOrders(world: World, run: TestRunRow): TestRunRow {
  if (run.order_source === 'provided') return run
  const { roles, isOneUser } = cases.get(run.case)
  const labTestId = run.case === 'wrong_lab' ? run.wrong_lab_test_id : run.lab_test_id
  const names = Object.keys(roles)
  const userOf = new Map<string, string>()
  for (const role of names) {
    const first = userOf.values().next().value
    const user = isOneUser && first ? first : newTestUser(world, `unmatched-${run.run_id}-${role}`)
    userOf.set(role, user)
  }
  const placed = names.map((role) => {
    const order = placeForPatient(
      world,
      userOf.get(role) ?? '',
      labTestId ?? '',
      makePatient(world, world.drawKey('unmatched_result_test', run.run_id)),
    )
    return [role, artifactOf(order)] as const
  })
  return { ...run, orders: Object.fromEntries(placed) }
}

/** Moves managed orders to the statuses of the case. */
function moveOrders(world: World, run: TestRunRow): TestRunRow {
  if (run.order_source === 'provided') return run
  for (const [role, { order_id }] of Object.entries(run.orders)) {
    const low = cases.get(run.case).roles[role]
    if (!low || currentStatusOf(getOrder(world, order_id)) === low) continue
    simulateOrder(world, order_id, { to: { low }, delaySeconds: 0, results: {} })
  }
  return run
}

function writeResult(world: World, run: TestRunRow): TestRunRow {
  const review = makeReview(world, {
    case: run.case,
    labTestId: run.lab_test_id ?? '',
    orders: Object.values(run.orders).map(({ order_id }) => getOrder(world, order_id)),
    interpretation: run.interpretation,
    resultStatus: run.result_status,
  })
  keepResult(world, review)
  return { ...run, raw_result_id: review.id }
}
