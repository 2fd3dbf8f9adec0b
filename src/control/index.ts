import type { AnyOperation } from '../api/operation.ts'
import type { AnyTable } from '../storage/table.ts'
import { agendaOperations } from './agenda/operations.ts'
import { clockOperations } from './clock/operations.ts'
import { continuousQueryOperations } from './continuous-queries/operations.ts'
import { coverageOperations } from './coverage/operations.ts'
import { etlOperations } from './etl/operations.ts'
import { eventStreamOperations } from './events-stream/operations.ts'
import { faultOperations } from './faults/operations.ts'
import { healthOperations } from './health/operations.ts'
import { idOperations } from './ids/operations.ts'
import { lifecycleOperations } from './lifecycle/operations.ts'
import { requestOperations } from './requests/operations.ts'
import { snapshotOperations } from './snapshots/operations.ts'
import { stateOperations } from './state/operations.ts'
import { triggerOperations } from './trigger/operations.ts'
import { waitOperations } from './wait/operations.ts'
import { worldOperations, worldsOperations } from './worlds/operations.ts'
import type { WorldsParts } from './worlds/service.ts'

/** The dependencies of the control API besides the world of the call. */
export interface ControlParts extends WorldsParts {
  /** The wall clock. */
  readonly wall: () => number
  /** The operations of the service, including those that answer 501. */
  mirrored(): readonly AnyOperation[]
  /** All tables of a world. */
  readonly tables: readonly AnyTable[]
}

/** All operations under `/_petri`. */
export const controlOperations = (parts: ControlParts): readonly AnyOperation[] => [
  ...healthOperations(parts.worlds),
  ...worldsOperations(parts),
  ...worldOperations(parts),
  ...clockOperations,
  ...agendaOperations,
  ...idOperations,
  ...lifecycleOperations,
  ...faultOperations(parts.mirrored),
  ...requestOperations(parts.mirrored),
  ...waitOperations(parts.mirrored),
  ...snapshotOperations(parts.worlds),
  ...stateOperations(parts.worlds, parts.tables),
  ...triggerOperations,
  ...eventStreamOperations(parts.wall),
  ...coverageOperations(parts.mirrored),
  ...continuousQueryOperations,
  ...etlOperations,
]
