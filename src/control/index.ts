import type { AnyOperation } from '../contract/operation.ts'
import { clockOperations } from './clock/operations.ts'
import { faultOperations } from './faults/operations.ts'
import { healthOperations } from './health/operations.ts'
import { requestOperations } from './requests/operations.ts'
import { waitOperations } from './wait/operations.ts'
import { worldOperations, worldsOperations } from './worlds/operations.ts'
import type { WorldsParts } from './worlds/service.ts'

/** What the control API works with beside the world a call is for. */
export interface ControlParts extends WorldsParts {
  /** The operations of the service itself, those included that are not there yet. */
  mirrored(): readonly AnyOperation[]
}

/** Everything under `/_petri`. */
export const controlOperations = (parts: ControlParts): readonly AnyOperation[] => [
  ...healthOperations,
  ...worldsOperations(parts),
  ...worldOperations(parts),
  ...clockOperations,
  ...faultOperations(parts.mirrored),
  ...requestOperations(parts.mirrored),
  ...waitOperations(parts.mirrored),
]
