import type { Arbitrary } from 'fast-check'
import type { Route } from '../../src/api/operation.ts'
import type { LazySchema } from '../../src/api/schema.ts'
import { resources } from '../../src/resources/index.ts'
import { inputRules, type WalkCall, walkCalls } from './calls.ts'
import { type FastCheck, inputsOf } from './inputs.ts'
import { MAX_PICK } from './objects.ts'
import type { Inputs, PlannedCall } from './sequence.ts'

/** The calls that a walk may plan. */
export function createPlans(fc: FastCheck) {
  const ways = walkCalls.filter(({ isSupplied }) => !isSupplied).flatMap((call) => waysOf(fc, call))
  // The first call of a route is the one without fixed fields.
  const minimal = new Map<WalkCall | Route, PlannedCall>(
    walkCalls.toReversed().flatMap((call) => {
      const planned = minimalCall(fc, call)
      return [[call, planned] as const, [call.route, planned] as const]
    }),
  )
  return {
    /** Generates a planned call; the weight tells how likely each way is. */
    next: (weightOf: (way: object) => number): Arbitrary<PlannedCall> =>
      fc.oneof(...ways.map(({ way, planned }) => ({ arbitrary: planned, weight: weightOf(way) }))),
    /** A call with only the fields that it must have. */
    minimal(call: WalkCall | Route): PlannedCall {
      const known = minimal.get(call)
      if (known) return known
      throw new Error(`${typeof call === 'string' ? call : call.route} is not a call of the walk.`)
    },
  }
}

/** A call with each of its sequences of following calls; alone, if there are none. */
function waysOf(fc: FastCheck, call: WalkCall): { way: object; planned: Arbitrary<PlannedCall> }[] {
  const inputs = inputsOfCall(fc, call, false)
  return (call.followUps ?? [[]]).map((routes) => {
    const way = {}
    // The first is what the call is shrunk to.
    const followUp = fc.oneof(
      { withCrossShrink: true },
      { arbitrary: fc.constant<readonly Route[]>([]), weight: 1 },
      { arbitrary: fc.constant(routes), weight: 8 },
    )
    const pick = fc.nat(MAX_PICK)
    return { way, planned: fc.record({ followUp, inputs, pick }).map((drawn) => ({ ...drawn, call, way })) }
  })
}

function minimalCall(fc: FastCheck, call: WalkCall): PlannedCall {
  const [inputs] = fc.sample(inputsOfCall(fc, call, true), { seed: 1, numRuns: 1 })
  if (!inputs) throw new Error(`There is no input of ${call.route}.`)
  return { call, inputs, pick: 0, followUp: [], way: call }
}

function inputsOfCall(fc: FastCheck, { route }: WalkCall, isMinimal: boolean): Arbitrary<Inputs> {
  const operation = resources.flatMap(({ operations }) => operations).find((each) => each.route === route)
  if (!operation) throw new Error(`There is no operation ${route}.`)
  const fieldsOf = (schema: LazySchema | undefined, absences = 1) =>
    schema === undefined ? fc.constant({}) : inputsOf(fc, schema(), { ...inputRules, absences, isMinimal })
  return fc.record({
    params: fieldsOf(operation.params),
    // Several filters at once seldom leave a row to compare.
    query: fieldsOf(operation.query, 4),
    body: operation.body ? fieldsOf(operation.body) : fc.constant(undefined),
  })
}
