import type { Parsed } from '../../api/schema.ts'
import { badRequest, orNotFound } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { resolveLabAccount } from '../lab-accounts/service.ts'
import { labAccounts } from '../lab-accounts/table.ts'
import { assertActive, findLabTest } from '../lab-tests/service.ts'
import { getUser } from '../users/service.ts'
import { orderEntries } from './directory.ts'
import { draftOrder, type PlacingContext } from './draft.ts'
import { canMove } from './lifecycle.ts'
import { assertUserOfTeam, shippingDetails } from './patient.ts'
import { assertPatientAccepted, bindPatient } from './registration.ts'
import type { KitRegistration, NewKitOrder } from './requests.ts'
import { assertNotInFuture, choosePhysician } from './rules.ts'
import { currentStatusOf, metadataOf, type OrderRow, orders, statusHistoryOf, workflowOf } from './table.ts'
import { placeDraft, transition } from './transition.ts'

/** Orders a kit that a patient registers later. Source: docs/contract/placing.md#kits. */
export function placeKit(world: World, body: Parsed<typeof NewKitOrder>, context: PlacingContext): OrderRow {
  assertUserOfTeam(world, body.user_id)
  const labTest = findLabTest(world, body.lab_test_id)
  if (!labTest) throw badRequest('Test does not exist')
  if (labTest.method !== 'testkit') throw badRequest('The lab test is not collected with a test kit')
  assertActive([labTest])
  const account = resolveLabAccount(world, { labSlug: labTest.lab, labAccountId: body.lab_account_id })
  const scenario = world.services.scenarios.choose(world, {
    requested: context.scenario,
    method: 'testkit',
    zip: body.shipping_details.zip,
    userId: body.user_id,
  })
  const draft = draftOrder(world, labTest, {
    id: context.orderId,
    user_id: body.user_id,
    shipping_details: shippingDetails(world, body.shipping_details),
    passthrough: body.passthrough ?? null,
  })
  const metadata = account && { lab_account_id: account.id }
  const order = placeDraft(world, draft, metadata, 'awaiting_registration')
  world.services.scenarios.begin(world, order.id, scenario)
  return order
}

/** Binds a kit to a patient. Source: docs/contract/placing.md#kits. */
export function registerKit(world: World, body: Parsed<typeof KitRegistration>): OrderRow {
  assertNotInFuture(world, body.patient_details)
  const kit = orNotFound(
    orderEntries(world).find(({ sampleId, method }) => sampleId === body.sample_id && method === 'testkit'),
    'No test kit with this sample_id exists in this team',
  )
  const order = world.db.get(orders, kit.id)
  assertRegistrable(order)
  if (body.user_id && body.user_id !== order.user_id) getUser(world, body.user_id)
  assertPatientAccepted(world, order, body)
  const { state } = body.patient_address
  const physician = choosePhysician(world, accountOf(world, order), {
    named: body.physician,
    state,
    userId: body.user_id ?? order.user_id,
  })
  const consents = body.consents.length > 0 ? { consents: body.consents } : undefined
  const bound = bindPatient(world, order, body, physician)
  const registered = transition(world, bound, { to: 'registered' }, consents)
  world.services.scenarios.resume(world, order.id, 'registration')
  return registered
}

function assertRegistrable(order: OrderRow): void {
  if (order.patient_details) throw badRequest('This test kit is already registered')
  if (!canMove(workflowOf(order), statusHistoryOf(order), 'registered')) {
    throw badRequest(`This test kit cannot be registered, its order is in state ${currentStatusOf(order)}`)
  }
}

/** The account the kit was ordered with. */
function accountOf(world: World, order: OrderRow) {
  const id = metadataOf(world, order.id).lab_account_id
  return id === undefined ? undefined : world.db.find(labAccounts, id)
}
