import type { AnyOperation } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import { addFault, clearFaults, type Fault, faults } from '../../faults/model.ts'
import {
  type FaultFieldsInput,
  findOperation,
  MAX_FAULTS,
  nearestOperation,
  toFaultInput,
  whyInvalidFault,
} from '../../faults/schema.ts'
import { writeDuration } from '../../kernel/duration.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { Faults } from './schema.ts'

/** Replaces all faults; throws if one of them is invalid. */
export function setFaults(
  world: World,
  written: readonly FaultFieldsInput[],
  operations: readonly AnyOperation[],
): void {
  const inputs = readFaults(written, operations)
  clearFaults(world)
  for (const input of inputs) addFault(world, input)
}

/** Adds faults to those that are armed. Throws if one of them is invalid, and then adds none. */
export function addFaults(
  world: World,
  written: readonly FaultFieldsInput[],
  operations: readonly AnyOperation[],
): void {
  const inputs = readFaults(written, operations)
  if (world.db.count(faults) + inputs.length > MAX_FAULTS) {
    throw new Problem('conflict', `At most ${MAX_FAULTS} faults can be armed at once.`)
  }
  for (const input of inputs) addFault(world, input)
}

export function removeFault(world: World, id: string): void {
  if (!world.db.has(faults, id)) throw new Problem('not_found', `There is no fault ${id}.`)
  world.db.delete(faults, id)
}

function readFaults(written: readonly FaultFieldsInput[], operations: readonly AnyOperation[]) {
  const entries: unknown[] = []
  const fail = (at: number, field: string | undefined, msg: string, input: unknown) =>
    entries.push({
      type: 'value_error',
      loc: ['body', 'faults', at, ...(field ? [field] : [])],
      msg: `Value error, ${msg}`,
      input,
      ctx: { error: {} },
    })
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

export const unknownOperation = (name: string, operations: readonly AnyOperation[]): string =>
  `there is no operation "${name}" of the service.${nearestOperation(name, operations)}`

export const describeFaults = (world: World): Parsed<typeof Faults> => ({
  faults: [...world.db.all(faults)].map(present),
})

const present = ({ respond, latency, ...fault }: Fault): Parsed<typeof Faults>['faults'][number] => ({
  ...fault,
  respond: respond && ({ ...respond, ...(respond.headers && { headers: { ...respond.headers } }) } as never),
  latency: latency && { min: inWords(latency.min), max: inWords(latency.max) },
})

const inWords = (ms: number) => (ms === 0 ? '0ms' : writeDuration(ms))
