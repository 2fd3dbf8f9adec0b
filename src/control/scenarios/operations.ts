import { type AnyOperation, operation } from '../../api/operation.ts'
import { OrderPath } from '../../resources/orders/requests.ts'
import { getUser } from '../../resources/users/service.ts'
import type { ScenarioTeller } from '../../scenarios/engine.ts'
import { userStories } from '../../scenarios/table.ts'
import {
  OrderScenario,
  OrderScenarioWish,
  ScenarioList,
  ScenarioPath,
  ScenarioUpload,
  ScenarioView,
  UserPath,
  UserScenario,
  UserScenarioWish,
} from './schema.ts'
import { describeOrderScenario, putIntoStory, summarise, view } from './service.ts'
import { removeStory, uploadStory } from './upload.ts'

const tag = 'petri'

export const scenarioOperations = (teller: ScenarioTeller): AnyOperation[] => [
  ...galleryOperations(teller),
  ...uploadOperations(teller),
  ...chosenStoryOperations(teller),
]

const galleryOperations = (teller: ScenarioTeller) => [
  operation({
    id: 'petri_scenarios_list',
    route: 'GET /_petri/scenarios',
    tag,
    summary: 'The stories orders can follow, with their magic ZIP codes',
    returns: ScenarioList,
    async run(world) {
      await teller.ready()
      return { data: teller.all(world).map((story) => summarise(world, teller, story)) }
    },
  }),
  operation({
    id: 'petri_scenarios_get',
    route: 'GET /_petri/scenarios/{name}',
    tag,
    summary: 'One story: its trails and its source',
    params: ScenarioPath,
    returns: ScenarioView,
    async run(world, { params }) {
      await teller.ready()
      return view(world, teller, teller.get(world, params.name))
    },
  }),
]

const uploadOperations = (teller: ScenarioTeller) => [
  operation({
    id: 'petri_scenarios_put',
    route: 'PUT /_petri/scenarios/{name}',
    tag,
    summary: 'Give this world a story, as YAML or JSON; it goes before a bundled one of its name',
    params: ScenarioPath,
    body: ScenarioUpload,
    maxBodyBytes: 256 * 1024,
    returns: ScenarioView,
    async run(world, { params, body }) {
      await teller.ready()
      return view(world, teller, await uploadStory(world, teller, params.name, body))
    },
  }),
  operation({
    id: 'petri_scenarios_delete',
    route: 'DELETE /_petri/scenarios/{name}',
    tag,
    summary: 'Take an uploaded story away; a bundled one of its name is there again',
    params: ScenarioPath,
    status: 204,
    async run(world, { params }) {
      await teller.ready()
      removeStory(world, teller, params.name)
      return undefined
    },
  }),
]

const chosenStoryOperations = (teller: ScenarioTeller) => [
  operation({
    id: 'petri_orders_scenario_get',
    route: 'GET /_petri/orders/{order_id}/scenario',
    tag,
    summary: 'How far an order has come in its story',
    params: OrderPath,
    returns: OrderScenario,
    async run(world, { params }) {
      await teller.ready()
      return describeOrderScenario(world, teller, params.order_id)
    },
  }),
  operation({
    id: 'petri_orders_scenario_put',
    route: 'PUT /_petri/orders/{order_id}/scenario',
    tag,
    summary: 'Put an order into a story from where it stands, or from a status of it',
    params: OrderPath,
    body: OrderScenarioWish,
    returns: OrderScenario,
    async run(world, { params, body }) {
      await teller.ready()
      putIntoStory(world, teller, params.order_id, body)
      return describeOrderScenario(world, teller, params.order_id)
    },
  }),
  operation({
    id: 'petri_users_scenario_put',
    route: 'PUT /_petri/users/{user_id}/scenario',
    tag,
    summary: "The story a user's orders follow unless something nearer chooses; null for the world's",
    params: UserPath,
    body: UserScenarioWish,
    returns: UserScenario,
    async run(world, { params, body }) {
      await teller.ready()
      const { user_id } = getUser(world, params.user_id)
      const scenario = body.scenario === null ? null : teller.get(world, body.scenario).name
      if (scenario === null) world.db.delete(userStories, user_id)
      else world.db.put(userStories, { user_id, story: scenario })
      return { user_id, scenario }
    },
  }),
]
