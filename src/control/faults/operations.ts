import { type AnyOperation, operation } from '../../api/operation.ts'
import { clearFaults } from '../../faults/model.ts'
import { Faults, FaultsInput } from './schema.ts'
import { describeFaults, setFaults } from './service.ts'

const tag = 'petri'

/** `mirrored` tells the operations that can be made to fail. */
export const faultOperations = (mirrored: () => readonly AnyOperation[]) => [
  operation({
    id: 'petri_faults_get',
    route: 'GET /_petri/faults',
    tag,
    summary: 'What is made to go wrong, and how often it has',
    returns: Faults,
    run: (world) => describeFaults(world),
  }),
  operation({
    id: 'petri_faults_put',
    route: 'PUT /_petri/faults',
    tag,
    summary: 'Make calls fail, come late or break off, in place of all that was said before',
    body: FaultsInput,
    returns: Faults,
    run(world, { body }) {
      setFaults(world, body.faults, mirrored())
      return describeFaults(world)
    },
  }),
  operation({
    id: 'petri_faults_delete',
    route: 'DELETE /_petri/faults',
    tag,
    summary: 'Let everything work again',
    status: 204,
    run: (world) => void clearFaults(world),
  }),
]
