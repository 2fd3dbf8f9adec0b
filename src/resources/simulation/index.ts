import { assertSandbox } from '../../api/features.ts'
import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { withoutUndefined } from '../../kernel/fields.ts'
import { SimulationAnswer, SimulationBody, SimulationQuery } from './schema.ts'
import { simulateJobs, simulateOrder } from './service.ts'

const simulationOperations = [
  operation({
    id: 'lab_tests_simulate_order_process',
    route: 'POST /v3/order/{order_id}/test',
    summary: 'Simulate the progress of an order, as the live sandbox does',
    query: SimulationQuery,
    body: SimulationBody,
    bodyOptional: true,
    returns: SimulationAnswer,
    needs: 'scenarios',
    run(world, { params, query, body }) {
      assertSandbox(world)
      const { interpretation, result_types: types, has_missing_results: missing } = body ?? {}
      simulateOrder(world, params.order_id, {
        to: query.final_status ?? undefined,
        delaySeconds: query.delay ?? 0,
        results: withoutUndefined({
          interpretation,
          types: types ?? undefined,
          missing: missing || undefined,
        }),
      })
      return 'Success'
    },
  }),
]

export const simulationResource: Resource = {
  name: 'simulation',
  operations: simulationOperations,
  jobs: simulateJobs,
}
