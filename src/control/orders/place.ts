import * as z from 'zod'
import { boolean, oneOf, uuid } from '../../api/fields.ts'
import { operation } from '../../api/operation.ts'
import { type Parsed, schema } from '../../api/schema.ts'
import { type Identity, makeStreet } from '../../kernel/people.ts'
import { badRequest, conflict } from '../../kernel/problem.ts'
import { visitArea } from '../../resources/areas/service.ts'
import { type Home, homeAt, homeOf } from '../../resources/catalogue/homes.ts'
import { collectionMethods, type LabSeed } from '../../resources/catalogue/schema.ts'
import { isMinor } from '../../resources/demographics/service.ts'
import { billingIn, DEFAULT_BILLING, defaultLabAccount } from '../../resources/lab-accounts/service.ts'
import { anyLabTest, findLabTest } from '../../resources/lab-tests/service.ts'
import type { LabTestRow } from '../../resources/lab-tests/table.ts'
import { placeKit } from '../../resources/orders/kits.ts'
import { placeOrder } from '../../resources/orders/placing.ts'
import { hasRedraws, NOT_REDRAWN } from '../../resources/orders/redraws.ts'
import { patientFor } from '../../resources/orders/registration.ts'
import { NewKitOrder, NewOrder } from '../../resources/orders/requests.ts'
import { acceptsGender } from '../../resources/orders/rules.ts'
import { Order } from '../../resources/orders/schema.ts'
import { moveOrder } from '../../resources/orders/service.ts'
import { type OrderRow, orders } from '../../resources/orders/table.ts'
import { isReachable, simulateAsDocumented } from '../../resources/simulation/service.ts'
import { NewUser } from '../../resources/users/schema.ts'
import { createUser, getUser } from '../../resources/users/service.ts'
import { users } from '../../resources/users/table.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import { findEntryStep } from '../../scenarios/run.ts'
import { MAGIC_ZIP } from '../../scenarios/table.ts'
import type { World } from '../../world/world.ts'
import { continueWith, describeOrderScenario } from '../scenarios.ts'
import { freeClientUserId } from '../users.ts'
import { anyStatus } from './move.ts'

const OrderPlacing = schema('PetriOrderPlacing', () =>
  z.strictObject({
    id: uuid().optional().describe('The id of the order; a new one if omitted.'),
    scenario: z.string().optional().describe('The scenario it follows; the default scenario if omitted.'),
    method: oneOf(collectionMethods)
      .optional()
      .describe('The collection method; that of the scenario if omitted, otherwise testkit.'),
    registrable: boolean().optional().describe('A test kit that a patient registers later.'),
    redraw: boolean()
      .optional()
      .describe(
        'The redraw of an initial order, all of whose results are missing; needs the feature redraws.',
      ),
    user_id: uuid().optional().describe('The user; a new user if omitted.'),
    lab_test_id: uuid().optional().describe('The lab test; one of the method if omitted.'),
    zip: z
      .string()
      .regex(/^\d{5}$/)
      .optional()
      .describe('ZIP code of the patient; 00100 to 00499 pick a scenario.'),
    status: anyStatus()
      .optional()
      .describe('The status it has at once, by legal steps; it then follows no scenario.'),
    announce: boolean().default(true).describe('Whether the events on the way are sent.'),
  }),
)

export const PlacedOrder = schema('PetriPlacedOrder', () =>
  Order().extend({
    scenario: z.string().nullable().describe('The scenario it follows.'),
    warning: z
      .string()
      .nullable()
      .describe(
        'Why its scenario does not move the order at all, which of its results the order cannot have, or why its ZIP code selects no scenario.',
      ),
  }),
)

export const placeOrderOperation = (engine: ScenarioEngine) =>
  operation({
    id: 'petri_orders_place',
    route: 'POST /_petri/orders',
    summary:
      'Place an order that follows a scenario; user, patient, address and lab test are generated if omitted',
    tool: {
      name: 'place_order',
      description:
        'It is not recorded and does not count toward coverage, because the program under test did not place it. In a live world it moves by itself: a day of its scenario takes ten seconds.',
    },
    body: OrderPlacing,
    bodyOptional: true,
    returns: PlacedOrder,
    status: 201,
    needs: 'scenarios',
    takesScenario: true,
    run(world, { body }, context) {
      const given = body ?? OrderPlacing().parse({})
      const input = { ...given, scenario: given.scenario ?? context.scenario }
      const place = () => placeAtStatus(world, engine, input)
      const { id } = input.announce ? place() : world.silently(place)
      const order = world.db.get(orders, id)
      const { scenario, left_because, warning } = describeOrderScenario(world, engine, id)
      return {
        ...order,
        scenario: left_because === null ? scenario : null,
        warning: warning ?? whyNotByZip(world, engine, order, input),
      }
    },
  })

/** Why a magic ZIP code did not choose the scenario of an order; null if it did, or had not to. */
function whyNotByZip(
  world: World,
  engine: ScenarioEngine,
  { lab_test: { method } }: OrderRow,
  { zip, scenario, status }: Parsed<typeof OrderPlacing>,
): string | null {
  if (zip === undefined || scenario !== undefined || status || !MAGIC_ZIP.test(zip)) return null
  const magic = engine.byZip(world, zip)
  if (!magic) return `The ZIP code ${zip} selects no scenario.`
  if (magic.method === method) return null
  return `The ZIP code ${zip} selects ${magic.name}, which is for ${magic.method}; this order is ${method}.`
}

/** Places an order, and takes it to the requested status. */
function placeAtStatus(world: World, engine: ScenarioEngine, input: Parsed<typeof OrderPlacing>): OrderRow {
  const { status } = input
  const order = input.redraw ? placeRedraw(world, engine, input) : placeMadeUpOrder(world, engine, input)
  if (status) simulateAsDocumented(world, order, { to: status, delaySeconds: 0, results: {} })
  return order
}

/** Places an initial order, takes it to its redraw, and puts that into the scenario. */
function placeRedraw(world: World, engine: ScenarioEngine, input: Parsed<typeof OrderPlacing>): OrderRow {
  const scenario = input.scenario === undefined ? undefined : engine.get(world, input.scenario)
  const method = input.method ?? scenario?.method ?? 'walk_in_test'
  const initial = placeMadeUpOrder(world, engine, { ...input, scenario: 'manual', method })
  moveOrder(world, initial, { to: 'requisition_created' })
  const markers = initial.lab_test.markers ?? []
  const known = world.services.catalogue.markers()
  const missing = markers.flatMap(({ id }) => known.get(id)?.results.map(({ slug }) => slug) ?? [])
  const moved = moveOrder(world, world.db.get(orders, initial.id), {
    to: 'redraw_available',
    results: { missing },
  })
  const id = moved.order_transaction?.orders.find(({ origin }) => origin === 'redraw')?.id
  const redraw = world.db.get(orders, String(id))
  // One that does not continue from here leaves it unchanged.
  const at = scenario && (findEntryStep(redraw, scenario) ?? scenario.steps.length)
  if (scenario && at !== undefined) continueWith(world, engine, redraw, { name: scenario.name, at })
  return redraw
}

/** Throws for a status to which an order cannot be taken without its patient or the laboratory. */
function assertReachable(
  { status, registrable }: Parsed<typeof OrderPlacing>,
  { method }: Pick<LabTestRow, 'method'>,
): void {
  if (!status) return
  if (status.method && status.method !== method)
    throw badRequest(`${status.method} is not how this order is collected; it is ${method}.`)
  const kit = registrable ? 'registrable_kit' : 'registered_kit'
  if (isReachable(method === 'testkit' ? kit : method, status.low)) return
  throw badRequest(`An order of this kind cannot be placed as ${status.low}.`)
}

/** Places an order like a client. Omitted fields such as patient and address get generated values. */
function placeMadeUpOrder(
  world: World,
  engine: ScenarioEngine,
  input: Parsed<typeof OrderPlacing>,
): OrderRow {
  const { id, scenario, registrable = false, redraw = false } = input
  if (id !== undefined && world.db.has(orders, id)) throw conflict(`There is already an order ${id}.`)
  const method = input.method ?? methodOf(world, engine, input)
  const lab_test_id = input.lab_test_id ?? someTest(world, method)
  const ordered = findLabTest(world, lab_test_id)
  if (!ordered) throw badRequest('Test does not exist')
  if (registrable && ordered.method !== 'testkit') {
    throw badRequest('Only a test kit is registered later.')
  }
  if (redraw && !hasRedraws(world, ordered.method, ordered.lab)) throw badRequest(NOT_REDRAWN)
  assertReachable(input, ordered)
  if (input.user_id !== undefined) getUser(world, input.user_id)
  engine.choose(world, {
    requested: scenario,
    method: ordered.method,
    zip: input.zip ?? SERVED_ZIP,
    userId: input.user_id ?? '',
  })
  const context = { scenario, orderId: id }
  const place = (user_id: string) => {
    const home = input.zip
      ? homeAt(world, user_id, input.zip, billedBy(world, ordered))
      : homeOf(world, user_id, servedBy(world, ordered))
    const patient = patientFor(world, user_id, home)
    const address = addressOf(world, user_id, patient, home)
    const patient_details = { ...patient, medical_proxy: parentOf(world, patient, address) }
    const body = { user_id, lab_test_id, billing_type: billingFor(world, ordered.lab, home.state) }
    return registrable
      ? placeKit(world, NewKitOrder().parse({ ...body, shipping_details: address }), context)
      : placeOrder(world, NewOrder().parse({ ...body, patient_details, patient_address: address }), context)
  }
  if (input.user_id !== undefined) return place(input.user_id)
  return placeForNewUser(world, world.services.catalogue.labs().get(ordered.lab), place)
}

/** A ZIP code that picks no scenario. */
const SERVED_ZIP = '85004'

/** Whether a lab test can be ordered where somebody lives. */
const billedBy =
  (world: World, { lab }: LabTestRow) =>
  ({ state }: Home): boolean =>
    billingFor(world, lab, state) !== undefined

/** Whether it is collected there too. */
function servedBy(world: World, labTest: LabTestRow): (home: Home) => boolean {
  const isBilled = billedBy(world, labTest)
  const isVisited = ({ zip }: Home) =>
    labTest.method !== 'at_home_phlebotomy' || visitArea(world, zip) !== undefined
  return (home) => isBilled(home) && isVisited(home)
}

/** How a laboratory is paid in a state: by the customer, unless it never is; undefined where it is not. */
function billingFor(world: World, lab: LabTestRow['lab'], state: string) {
  const account = defaultLabAccount(world, lab)
  if (!account) return DEFAULT_BILLING
  const types = billingIn(account, state)
  return account.allowed_billing[DEFAULT_BILLING] ? types.find((type) => type === DEFAULT_BILLING) : types[0]
}

/** Who answers for a child: somebody at the same address, with its last name. */
function parentOf(
  world: World,
  { dob, last_name, phone_number }: ReturnType<typeof patientFor>,
  address: object,
) {
  return isMinor(world, dob) ? { first_name: 'Parent', last_name, phone_number, address } : null
}

/** The address of a user. */
const addressOf = (world: World, userId: string, patient: Identity, { city, state, zip }: Home) => ({
  receiver_name: `${patient.first_name} ${patient.last_name}`,
  first_line: makeStreet(world.random, world.drawKey('user', userId)),
  city,
  state,
  zip,
  country: 'US',
  phone_number: patient.phone_number,
})

/** Places an order for a new user, who is deleted again if the order is refused. */
function placeForNewUser(
  world: World,
  lab: LabSeed | undefined,
  place: (userId: string) => OrderRow,
): OrderRow {
  const userId = newUser(world, lab)
  try {
    return place(userId)
  } catch (error) {
    world.db.delete(users, userId)
    throw error
  }
}

function methodOf(
  world: World,
  engine: ScenarioEngine,
  { scenario, zip }: Parsed<typeof OrderPlacing>,
): LabTestRow['method'] {
  if (scenario !== undefined) return engine.get(world, scenario).method
  return (zip === undefined ? undefined : engine.byZip(world, zip))?.method ?? 'testkit'
}

function someTest(world: World, method: LabTestRow['method']): string {
  const labTest = anyLabTest(world, method)
  if (!labTest) throw badRequest(`The catalogue has no lab test that is collected by ${method}.`)
  return labTest.id
}

/** Users whose gender a laboratory refuses are discarded, this many at most. */
const MOST_DISCARDED = 50

/** A new user whom the laboratory accepts. */
function newUser(world: World, lab: LabSeed | undefined, discarded = 0): string {
  const { user_id } = createUser(world, NewUser().parse({ client_user_id: freeClientUserId(world) }))
  if (!lab || discarded === MOST_DISCARDED || acceptsGender(lab, patientFor(world, user_id).gender))
    return user_id
  world.db.delete(users, user_id)
  return newUser(world, lab, discarded + 1)
}
