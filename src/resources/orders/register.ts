import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { labAccounts } from '../lab-accounts/table.ts'
import { getUser } from '../users/service.ts'
import { patientAddress, patientDetails } from './addresses.ts'
import {
  applyStep,
  currentStatusOf,
  emptyShipment,
  statusHistoryOf,
  updateOrderMetadata,
  workflowOf,
} from './apply-step.ts'
import { ordersBy } from './filled-directory.ts'
import { canMove } from './lifecycle.ts'
import { commitTransition } from './moves.ts'
import { choosePhysician } from './physicians.ts'
import type { KitRegistration } from './requests.ts'
import { assertLabAccepts, assertMayOrder, assertNotInFuture } from './rules.ts'
import { type OrderRow, orderMetadata } from './table.ts'

/** Binds a kit to a patient. Source: contract/lab-testing.md §4.3. */
export function registerKit(world: World, body: Parsed<typeof KitRegistration>): OrderRow {
  assertNotInFuture(world, body.patient_details)
  const order = ordersBy(world, 'sampleId', body.sample_id).find(
    (candidate) => candidate.details.type === 'testkit',
  )
  if (!order) throw new Problem('not_found', 'No test kit with this sample_id exists in this team')
  assertRegistrable(order)
  if (body.user_id && body.user_id !== order.user_id) getUser(world, body.user_id)
  assertMayOrder(world, body.user_id ?? order.user_id, body.patient_details)
  const lab = world.parts.catalogue.labs().get(order.lab_test.lab?.slug ?? '')
  if (lab) assertLabAccepts(lab, body.patient_details.gender)
  const physician = choosePhysician(world, accountOf(world, order), body.physician)
  const registered = commitTransition(
    world,
    applyStep(world, bind(world, order, body, physician), { to: 'registered' }),
  )
  if (body.consents.length > 0) updateOrderMetadata(world, order.id, { consents: body.consents })
  world.parts.scenarios.happened(world, order.id, 'registration')
  return registered
}

function assertRegistrable(order: OrderRow): void {
  if (order.patient_details) throw new Problem('bad_request', 'This test kit is already registered')
  if (!canMove(workflowOf(order), statusHistoryOf(order), 'registered')) {
    throw new Problem(
      'bad_request',
      `This test kit cannot be registered, its order is in state ${currentStatusOf(order)}`,
    )
  }
}

/** The account the kit was ordered with. */
function accountOf(world: World, order: OrderRow) {
  const id = world.db.find(orderMetadata, order.id)?.lab_account_id
  return id === undefined ? undefined : world.db.find(labAccounts, id)
}

function bind(
  world: World,
  order: OrderRow,
  body: Parsed<typeof KitRegistration>,
  physician: OrderRow['physician'],
): OrderRow {
  const { patient_details: patient, patient_address: address } = body
  const { details } = order
  return {
    ...order,
    user_id: body.user_id ?? order.user_id,
    patient_details: patientDetails(patient),
    patient_address: patientAddress(world, address, patient),
    physician,
    details:
      details.type === 'testkit' && details.data
        ? {
            ...details,
            data: { ...details.data, shipment: details.data.shipment ?? emptyShipment(world, order) },
          }
        : details,
  }
}
