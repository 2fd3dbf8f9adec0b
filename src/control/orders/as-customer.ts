import { operation } from '../../api/operation.ts'
import { badRequest, conflict } from '../../kernel/problem.ts'
import { homeAvailability, pscAvailability } from '../../resources/appointments/availability.ts'
import { book } from '../../resources/appointments/booking.ts'
import { home, kindOf } from '../../resources/appointments/kinds.ts'
import { Appointment, BookingRequest, UsAddressInput } from '../../resources/appointments/schema.ts'
import { type AppointmentRow, appointments } from '../../resources/appointments/table.ts'
import { registerKit } from '../../resources/orders/kits.ts'
import { recipientOf } from '../../resources/orders/registration.ts'
import { Order } from '../../resources/orders/schema.ts'
import { getOrder } from '../../resources/orders/service.ts'
import { labOf, methodOf, type OrderRow, orders } from '../../resources/orders/table.ts'
import type { World } from '../../world/world.ts'

/** Actions of the customer of an order; details that a customer would give are generated. */
export const customerOperations = [
  operation({
    id: 'petri_orders_register',
    route: 'POST /_petri/orders/{order_id}/register',
    summary: 'Register the kit of an order, as its recipient would',
    returns: Order,
    needs: 'scenarios',
    run(world, { params }) {
      const registration = recipientOf(world, getOrder(world, params.order_id))
      return world.db.text(orders, registerKit(world, registration).id)
    },
  }),
  operation({
    id: 'petri_orders_book',
    route: 'POST /_petri/orders/{order_id}/book',
    summary: "Book the first free appointment near an order's patient, as the patient would",
    returns: Appointment,
    needs: 'scenarios',
    run(world, { params }) {
      const { id } = bookFirst(world, getOrder(world, params.order_id))
      return world.db.text(appointments, id)
    },
  }),
]

function bookFirst(world: World, order: OrderRow): AppointmentRow {
  const kind = kindOf(methodOf(order))
  if (!kind) throw badRequest(`The order ${order.id} has no appointment to book.`)
  const { slots } = kind === home ? visitsNear(world, order) : placesNear(world, order)
  const [slot] = slots.flatMap((day) => day.slots).sort((a, b) => Date.parse(a.start) - Date.parse(b.start))
  const booked =
    slot && book(world, kind, order.id, BookingRequest().parse({ booking_key: slot.booking_key }))
  if (!booked) throw conflict('No appointment near the patient can be booked now.')
  return booked
}

function visitsNear(world: World, { patient_address }: OrderRow) {
  const address = UsAddressInput().parse({ ...patient_address, zip_code: patient_address?.zip })
  return homeAvailability(world, address, undefined)
}

const RADIUS_MILES = '25'

const placesNear = (world: World, order: OrderRow) =>
  pscAvailability(world, {
    lab: labOf(order),
    zip: order.patient_address?.zip,
    siteCodes: undefined,
    radius: RADIUS_MILES,
    start: undefined,
    stale: false,
  })
