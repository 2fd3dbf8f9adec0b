import { operation } from '../../api/operation.ts'
import type { JsonText } from '../../kernel/json.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { home } from './kinds.ts'
import {
  BookingRequest,
  HomeCancelRequest,
  OrderPath,
  RescheduleRequest,
  StartDateQuery,
  UsAddressInput,
  VisitRequest,
} from './requests.ts'
import { Appointment, Availability, CancellationReasons } from './schema.ts'
import * as service from './service.ts'
import { type AppointmentRow, appointments } from './table.ts'

const answer = (world: World, { id }: AppointmentRow): JsonText<AppointmentRow> =>
  world.db.text(appointments, id)

export const homeOperations = [
  operation({
    id: 'lab_tests_get_phlebotomy_appointment_availability',
    route: 'POST /v3/order/phlebotomy/appointment/availability',
    summary: 'List when a phlebotomist can come to an address',
    query: StartDateQuery,
    body: UsAddressInput,
    returns: Availability,
    run: (world, { query, body }) => service.homeAvailability(world, body, query.start_date),
  }),
  operation({
    id: 'lab_tests_get_phlebotomy_appointment_cancellation_reason',
    route: 'GET /v3/order/phlebotomy/appointment/cancellation-reasons',
    summary: 'List why an appointment at home can be cancelled',
    returns: CancellationReasons,
    run: () => [...home.reasons],
  }),
  operation({
    id: 'lab_tests_get_phlebotomy_appointment',
    route: 'GET /v3/order/{order_id}/phlebotomy/appointment',
    summary: "Get an order's appointment at home",
    params: OrderPath,
    returns: Appointment,
    run: (world, { params }) => answer(world, service.getAppointment(world, home, params.order_id)),
  }),
  operation({
    id: 'lab_tests_book_phlebotomy_appointment',
    route: 'POST /v3/order/{order_id}/phlebotomy/appointment/book',
    summary: 'Book a time for a phlebotomist to come',
    params: OrderPath,
    body: BookingRequest,
    returns: Appointment,
    run(world, { params, body }) {
      const booked = service.book(world, home, params.order_id, body)
      if (!booked) throw new Problem('unavailable', service.NOT_CONFIRMED)
      return answer(world, booked)
    },
  }),
  operation({
    id: 'lab_tests_request_phlebotomy_appointment',
    route: 'POST /v3/order/{order_id}/phlebotomy/appointment/request',
    summary: 'Ask a phlebotomist to come and to name a time',
    params: OrderPath,
    body: VisitRequest,
    returns: Appointment,
    run: (world, { params, body }) => answer(world, service.requestVisit(world, params.order_id, body)),
  }),
  operation({
    id: 'lab_tests_reschedule_phlebotomy_appointment',
    route: 'PATCH /v3/order/{order_id}/phlebotomy/appointment/reschedule',
    summary: 'Choose another time for an appointment at home',
    params: OrderPath,
    body: RescheduleRequest,
    returns: Appointment,
    run: (world, { params, body }) =>
      answer(world, service.rescheduleAppointment(world, home, params.order_id, body)),
  }),
  operation({
    id: 'lab_tests_cancel_phlebotomy_appointment',
    route: 'PATCH /v3/order/{order_id}/phlebotomy/appointment/cancel',
    summary: 'Cancel an appointment at home',
    params: OrderPath,
    body: HomeCancelRequest,
    returns: Appointment,
    run(world, { params, body }) {
      const { cancellation_reason_id: reasonId, notes } = body
      return answer(world, service.cancelAppointment(world, home, params.order_id, { reasonId, notes }))
    },
  }),
]
