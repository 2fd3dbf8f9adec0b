import * as z from 'zod'
import { text } from '../api/fields.ts'
import { valueError } from '../api/issue.ts'
import { type AnyOperation, operation } from '../api/operation.ts'
import { type Parsed, schema, unnamed } from '../api/schema.ts'
import { addFault, clearFaults, Fault, faults } from '../faults/model.ts'
import {
  FaultFields,
  type FaultFieldsInput,
  findOperation,
  MAX_FAULTS,
  nearestOperation,
  toFaultInput,
  whyInvalidFault,
} from '../faults/schema.ts'
import { writeDuration } from '../kernel/duration.ts'
import { compact } from '../kernel/list.ts'
import { conflict, notFound, Problem } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'
import { publish } from './publish.ts'

const FaultsInput = schema('PetriFaultsInput', () =>
  z.strictObject({ faults: z.array(FaultFields()).max(MAX_FAULTS) }),
)

const FaultView = schema('PetriFault', () =>
  Fault().extend({ latency: z.object({ min: z.string(), max: z.string() }).nullable() }),
)

export const Faults = schema('PetriFaults', () => ({ faults: z.array(FaultView()) }))

/** `mirrored` are the operations that faults can be injected into. */
export const faultOperations = (mirrored: readonly AnyOperation[]) => [
  operation({
    id: 'petri_faults_get',
    route: 'GET /_petri/faults',
    summary: 'List the injected faults and their hits',
    tool: { name: 'list_faults' },
    returns: Faults,
    run: describeFaults,
  }),
  operation({
    id: 'petri_faults_put',
    route: 'PUT /_petri/faults',
    summary: 'Replace the injected faults: errors, delays and cut connections',
    body: FaultsInput,
    returns: Faults,
    run(world, { body }) {
      const inputs = readFaults(body.faults, mirrored)
      clearFaults(world)
      for (const input of inputs) addFault(world, input)
      return publishFaults(world)
    },
  }),
  operation({
    id: 'petri_faults_post',
    route: 'POST /_petri/faults',
    summary: 'Inject further faults: errors, delays and cut connections',
    tool: { name: 'add_faults' },
    body: FaultsInput,
    returns: Faults,
    status: 201,
    run(world, { body }) {
      const inputs = readFaults(body.faults, mirrored)
      if (world.db.count(faults) + inputs.length > MAX_FAULTS) {
        throw conflict(`At most ${MAX_FAULTS} faults can be active at once.`)
      }
      for (const input of inputs) addFault(world, input)
      return publishFaults(world)
    },
  }),
  operation({
    id: 'petri_faults_delete_one',
    route: 'DELETE /_petri/faults/{fault_id}',
    summary: 'Remove one fault; all others stay',
    params: unnamed(() => ({ fault_id: text() })),
    run(world, { params: { fault_id } }) {
      if (!world.db.has(faults, fault_id)) throw notFound(`There is no fault ${fault_id}.`)
      world.db.delete(faults, fault_id)
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

/** Throws if one of the faults is invalid. */
function readFaults(written: readonly FaultFieldsInput[], operations: readonly AnyOperation[]) {
  const entries: unknown[] = []
  const fail = (at: number, field: string | undefined, msg: string, input: unknown) =>
    entries.push({ ...valueError(msg), loc: compact(['body', 'faults', at, field]), input })
  const inputs = written.flatMap((fault, at) => {
    const why = whyInvalidFault(fault)
    if (why) fail(at, undefined, `the fault ${why}`, fault)
    const operation = findOperation(fault.operation, operations)
    if (!operation) fail(at, 'operation', unknownOperation(fault.operation, operations), fault.operation)
    return operation ? [toFaultInput(fault, operation.id)] : []
  })
  if (entries.length > 0) throw new Problem('invalid', entries)
  return inputs
}

const unknownOperation = (name: string, operations: readonly AnyOperation[]): string =>
  `there is no operation "${name}" of the service.${nearestOperation(name, operations)}`

function describeFaults(world: World): Parsed<typeof Faults> {
  return { faults: [...world.db.all(faults)].map(present) }
}

const present = ({ latency, ...fault }: Fault): Parsed<typeof FaultView> => ({
  ...fault,
  latency: latency && { min: inWords(latency.min), max: inWords(latency.max) },
})

const inWords = (ms: number) => (ms === 0 ? '0ms' : writeDuration(ms))
