import type { AnyOperation } from '../api/operation.ts'
import type { ScenariosByKind, SharedScenarios } from '../scenarios/engines.ts'
import type { AnyTable } from '../storage/table.ts'
import { agendaOperation } from './agenda.ts'
import { checkoutOperations } from './checkout.ts'
import { clockOperations } from './clock.ts'
import { coverageOperation } from './coverage.ts'
import { etlOperations } from './etl/operations.ts'
import { eventStreamOperations } from './events-stream/operations.ts'
import { faultOperations } from './faults.ts'
import { assignedFeedOperations } from './feed-scenarios.ts'
import { healthOperation, stopOperation } from './health.ts'
import { idsOperation } from './ids.ts'
import { createLabTestOperation } from './lab-tests.ts'
import { lifecycleOperation } from './lifecycle.ts'
import { type CallCounts, metricsOperation } from './metrics.ts'
import { mobileOperations } from './mobile.ts'
import { customerOperations } from './orders/as-customer.ts'
import { orderBoardOperation } from './orders/board.ts'
import { orderDetailsOperation } from './orders/details.ts'
import { moveOrderOperation } from './orders/move.ts'
import { placeOrderOperation } from './orders/place.ts'
import { putResultsOperation } from './orders/results.ts'
import { personaOperations } from './personas.ts'
import { type RefusedCalls, refusedCallsOperation } from './refused-calls.ts'
import { requestOperations } from './requests.ts'
import { scenarioOperations } from './scenario-files.ts'
import { assignedScenarioOperations } from './scenarios.ts'
import { snapshotOperations } from './snapshots.ts'
import { stateOperations } from './state/operations.ts'
import { triggerOperations } from './trigger/operations.ts'
import { userDataOperation } from './user-data.ts'
import { createUserOperation, fhirUserOperation, listUsersOperation } from './users.ts'
import { waitOperation } from './wait.ts'
import { webhookControlOperations } from './webhooks/operations.ts'
import { type WorldsDependencies, worldOperations } from './worlds.ts'

/** The dependencies of the control API apart from the world of the call. */
export interface ControlDependencies extends WorldsDependencies {
  /** The wall clock. */
  readonly wall: () => number
  readonly feedScenarios: ScenariosByKind['feed']
  readonly personas: ScenariosByKind['persona']
  readonly sharedScenarios: SharedScenarios
  /** The operations of the service that act on a team. */
  readonly mirrored: readonly AnyOperation[]
  /** The latest calls without a valid key. */
  readonly refusedCalls: Pick<RefusedCalls, 'calls'>
  readonly callCounts: Pick<CallCounts, 'counts'>
  /** Ends the process; undefined inside another program. */
  readonly stop?: (() => void) | undefined
  /** All tables of a world. */
  readonly tables: readonly AnyTable[]
}

/** All operations under `/_petri`. */
export const controlOperations = (dependencies: ControlDependencies): readonly AnyOperation[] => {
  const {
    worlds,
    wall,
    scenarios,
    feedScenarios,
    personas,
    sharedScenarios,
    mirrored,
    refusedCalls,
    tables,
  } = dependencies
  return [
    ...webhookControlOperations,
    healthOperation(worlds),
    stopOperation(dependencies.stop),
    metricsOperation(worlds, dependencies.callCounts),
    ...worldOperations(dependencies),
    ...clockOperations,
    agendaOperation,
    idsOperation,
    lifecycleOperation,
    ...faultOperations(mirrored),
    refusedCallsOperation(refusedCalls),
    ...requestOperations(mirrored),
    waitOperation(mirrored),
    ...snapshotOperations(worlds),
    ...stateOperations(worlds, tables),
    ...triggerOperations,
    ...eventStreamOperations(wall),
    coverageOperation(mirrored),
    ...etlOperations,
    ...scenarioOperations(
      { order: scenarios, feed: feedScenarios, persona: personas },
      worlds,
      sharedScenarios,
    ),
    ...assignedScenarioOperations(scenarios),
    ...assignedFeedOperations(feedScenarios),
    ...personaOperations,
    moveOrderOperation,
    orderBoardOperation(scenarios, mirrored),
    orderDetailsOperation(scenarios),
    placeOrderOperation(scenarios),
    ...customerOperations,
    putResultsOperation,
    ...checkoutOperations,
    createUserOperation,
    listUsersOperation,
    fhirUserOperation,
    createLabTestOperation,
    userDataOperation,
    ...mobileOperations,
  ]
}
