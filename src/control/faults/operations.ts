import { type AnyOperation, operation } from '../../api/operation.ts'
import { clearFaults } from '../../faults/model.ts'
import type { World } from '../../world/world.ts'
import { publish } from '../events-stream/publish.ts'
import { FaultPath, Faults, FaultsInput } from './schema.ts'
import { addFaults, describeFaults, removeFault, setFaults } from './service.ts'

/** `mirrored` returns the operations that faults can be injected into. */
export const faultOperations = (mirrored: () => readonly AnyOperation[]) => [
  operation({
    id: 'petri_faults_get',
    route: 'GET /_petri/faults',
    summary: 'List the injected faults and their hits',
    tool: { name: 'list_faults' },
    returns: Faults,
    run: (world) => describeFaults(world),
  }),
  operation({
    id: 'petri_faults_put',
    route: 'PUT /_petri/faults',
    summary: 'Replace the injected faults: errors, delays and cut connections',
    body: FaultsInput,
    returns: Faults,
    run(world, { body }) {
      setFaults(world, body.faults, mirrored())
      return publishFaults(world)
    },
  }),
  operation({
    id: 'petri_faults_post',
    route: 'POST /_petri/faults',
    summary: 'Make calls fail, come late or break off, beside what was said before',
    tool: { name: 'add_faults' },
    body: FaultsInput,
    returns: Faults,
    status: 201,
    run(world, { body }) {
      addFaults(world, body.faults, mirrored())
      return publishFaults(world)
    },
  }),
  ...removingOperations,
]

const removingOperations = [
  operation({
    id: 'petri_faults_delete_one',
    route: 'DELETE /_petri/faults/{fault_id}',
    summary: 'Take one fault away; all others stay',
    params: FaultPath,
    run(world, { params }) {
      removeFault(world, params.fault_id)
      publishFaults(world)
    },
  }),
  operation({
    id: 'petri_faults_delete',
    route: 'DELETE /_petri/faults',
    summary: 'Remove all injected faults',
    tool: { name: 'remove_faults' },
    run(world) {
      clearFaults(world)
      publishFaults(world)
    },
  }),
]

/** Publishes the changed faults to the stream, and returns them. */
function publishFaults(world: World) {
  const described = describeFaults(world)
  publish(world, 'fault', { armed: described.faults.length })
  return described
}
