import { type AnyOperation, operation } from '../../api/operation.ts'
import { OrderPath } from '../../resources/orders/requests.ts'
import { UserPath } from '../../resources/users/schema.ts'
import { getUser } from '../../resources/users/service.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import { userScenarios } from '../../scenarios/table.ts'
import { checkScenario, readScenarioSchema } from './check.ts'
import {
  OrderScenario,
  OrderScenarioInput,
  ScenarioCheck,
  ScenarioJsonSchema,
  ScenarioList,
  ScenarioPath,
  ScenarioUpload,
  ScenarioView,
  UserScenario,
  UserScenarioInput,
} from './schema.ts'
import { assignScenario, describeOrderScenario, summarise, view } from './service.ts'
import { removeScenario, uploadScenario } from './upload.ts'

export const scenarioOperations = (engine: ScenarioEngine): AnyOperation[] => [
  ...repositoryOperations(engine),
  ...uploadOperations(engine),
  ...checkOperations(engine),
  ...assignedScenarioOperations(engine),
]

const repositoryOperations = (engine: ScenarioEngine) => [
  operation({
    id: 'petri_scenarios_list',
    route: 'GET /_petri/scenarios',
    summary: 'List the scenarios with their magic ZIP codes',
    tool: { name: 'list_scenarios' },
    returns: ScenarioList,
    needs: 'scenarios',
    async run(world) {
      const scenarios = await engine.all(world)
      return { data: scenarios.map((scenario) => summarise(world, engine, scenario)) }
    },
  }),
  operation({
    id: 'petri_scenarios_get',
    route: 'GET /_petri/scenarios/{name}',
    summary: 'Show one scenario: its statuses and its source',
    tool: { name: 'get_scenario' },
    params: ScenarioPath,
    returns: ScenarioView,
    needs: 'scenarios',
    run: (world, { params }) => view(world, engine, engine.get(world, params.name, 'not_found')),
  }),
]

const uploadOperations = (engine: ScenarioEngine) => [
  operation({
    id: 'petri_scenarios_put',
    route: 'PUT /_petri/scenarios/{name}',
    summary: 'Add a scenario to this world, as YAML or JSON; it replaces a bundled one of the same name',
    tool: { name: 'upload_scenario', bodyArgument: 'scenario' },
    params: ScenarioPath,
    body: ScenarioUpload,
    keepsBodyText: true,
    maxBodyBytes: 256 * 1024,
    returns: ScenarioView,
    needs: 'scenarios',
    run: async (world, { params, body }) =>
      view(world, engine, await uploadScenario(world, engine, params.name, body)),
  }),
  operation({
    id: 'petri_scenarios_delete',
    route: 'DELETE /_petri/scenarios/{name}',
    summary: 'Remove an uploaded scenario; a bundled one of the same name is restored',
    params: ScenarioPath,
    needs: 'scenarios',
    run: (world, { params }) => removeScenario(world, engine, params.name),
  }),
]

const checkOperations = (engine: ScenarioEngine) => [
  operation({
    id: 'petri_scenarios_check',
    route: 'POST /_petri/scenarios/check',
    summary: 'What a scenario would do, or why it is refused, line by line; nothing is kept',
    tool: { name: 'check_scenario', bodyArgument: 'scenario' },
    body: ScenarioUpload,
    keepsBodyText: true,
    maxBodyBytes: 256 * 1024,
    returns: ScenarioCheck,
    needs: 'scenarios',
    run: (world, { body }) => checkScenario(world, engine, body),
  }),
  operation({
    id: 'petri_scenarios_schema',
    route: 'GET /_petri/scenarios/schema',
    summary: 'The JSON schema of scenario files, for editors',
    returns: ScenarioJsonSchema,
    run: () => readScenarioSchema(),
  }),
]

const assignedScenarioOperations = (engine: ScenarioEngine) => [
  operation({
    id: 'petri_orders_scenario_get',
    route: 'GET /_petri/orders/{order_id}/scenario',
    summary: 'Show the progress of an order in its scenario',
    params: OrderPath,
    returns: OrderScenario,
    needs: 'scenarios',
    run: (world, { params }) => describeOrderScenario(world, engine, params.order_id),
  }),
  operation({
    id: 'petri_orders_scenario_put',
    route: 'PUT /_petri/orders/{order_id}/scenario',
    summary: 'Give an order another scenario, from its current status or from a status of the scenario',
    tool: { name: 'set_order_scenario' },
    params: OrderPath,
    body: OrderScenarioInput,
    returns: OrderScenario,
    needs: 'scenarios',
    run(world, { params, body }) {
      assignScenario(world, engine, params.order_id, body)
      return describeOrderScenario(world, engine, params.order_id)
    },
  }),
  operation({
    id: 'petri_users_scenario_put',
    route: 'PUT /_petri/users/{user_id}/scenario',
    summary: "Set the scenario of a user's orders; null for the world's",
    params: UserPath,
    body: UserScenarioInput,
    returns: UserScenario,
    needs: 'scenarios',
    run(world, { params, body }) {
      const { user_id } = getUser(world, params.user_id)
      const scenario = body.scenario === null ? null : engine.get(world, body.scenario).name
      if (scenario === null) world.db.delete(userScenarios, user_id)
      else world.db.put(userScenarios, { user_id, scenario })
      return { user_id, scenario }
    },
  }),
]
