import { invalidValue, missing } from '../../api/issue.ts'
import { CustomResponse, operation } from '../../api/operation.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import type { JsonText } from '../../kernel/json.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { IdempotencyHeaders } from '../orders/requests.ts'
import { homeAvailability, pscAvailability } from './availability.ts'
import {
  book,
  cancelAppointment,
  getAppointment,
  NOT_CONFIRMED,
  requestVisit,
  rescheduleAppointment,
} from './booking.ts'
import { home, psc } from './kinds.ts'
import {
  Appointment,
  Availability,
  BookingRequest,
  CancellationReasons,
  HomeCancelRequest,
  NotFoundDetail,
  PscAvailabilityBody,
  PscAvailabilityQuery,
  PscCancelRequest,
  RescheduleRequest,
  StartDateQuery,
  UsAddressInput,
  VisitRequest,
} from './schema.ts'
import { type AppointmentRow, appointments } from './table.ts'

const answer = (world: World, { id }: AppointmentRow): JsonText<AppointmentRow> =>
  world.db.text(appointments, id)

/** Source: docs/contract/placing.md#idempotency. */
const REPEATABLE_MS = 14 * DAY_MS
const DEFAULT_RADIUS = '25'

const noLab = () => invalidValue(missing, ['query', 'lab'], null)

export const appointmentOperations = [
  operation({
    id: 'lab_tests_get_phlebotomy_appointment_availability',
    route: 'POST /v3/order/phlebotomy/appointment/availability',
    summary: 'List when a phlebotomist can come to an address',
    query: StartDateQuery,
    body: UsAddressInput,
    returns: Availability,
    run: (world, { query, body }) => homeAvailability(world, body, query.start_date),
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
    returns: Appointment,
    run: (world, { params }) => answer(world, getAppointment(world, home, params.order_id)),
  }),
  operation({
    id: 'lab_tests_book_phlebotomy_appointment',
    route: 'POST /v3/order/{order_id}/phlebotomy/appointment/book',
    summary: 'Book a time for a phlebotomist to come',
    body: BookingRequest,
    returns: Appointment,
    run(world, { params, body }) {
      const booked = book(world, home, params.order_id, body)
      if (!booked) throw new Problem('unavailable', NOT_CONFIRMED)
      return answer(world, booked)
    },
  }),
  operation({
    id: 'lab_tests_request_phlebotomy_appointment',
    route: 'POST /v3/order/{order_id}/phlebotomy/appointment/request',
    summary: 'Ask a phlebotomist to come and to name a time',
    body: VisitRequest,
    returns: Appointment,
    run: (world, { params, body }) => answer(world, requestVisit(world, params.order_id, body)),
  }),
  operation({
    id: 'lab_tests_reschedule_phlebotomy_appointment',
    route: 'PATCH /v3/order/{order_id}/phlebotomy/appointment/reschedule',
    summary: 'Choose another time for an appointment at home',
    body: RescheduleRequest,
    returns: Appointment,
    run: (world, { params, body }) =>
      answer(world, rescheduleAppointment(world, home, params.order_id, body)),
  }),
  operation({
    id: 'lab_tests_cancel_phlebotomy_appointment',
    route: 'PATCH /v3/order/{order_id}/phlebotomy/appointment/cancel',
    summary: 'Cancel an appointment at home',
    body: HomeCancelRequest,
    returns: Appointment,
    run(world, { params, body }) {
      const { cancellation_reason_id: reasonId, notes } = body
      return answer(world, cancelAppointment(world, home, params.order_id, { reasonId, notes }))
    },
  }),
  operation({
    id: 'lab_tests_get_psc_appointment_availability',
    route: 'POST /v3/order/psc/appointment/availability',
    summary: 'List when patient service centers have time',
    query: PscAvailabilityQuery,
    body: PscAvailabilityBody,
    bodyOptional: true,
    returns: Availability,
    alsoReturns: { 404: NotFoundDetail },
    run(world, { query, body }) {
      const lab = query.lab ?? body?.lab
      if (!lab) throw noLab()
      const radius = query.radius === undefined ? body?.radius : query.radius
      return pscAvailability(world, {
        lab,
        siteCodes: query.site_codes ?? body?.site_codes,
        zip: query.zip_code ?? body?.zip_code,
        radius: radius === undefined ? DEFAULT_RADIUS : radius,
        start: query.start_date ?? body?.start_date,
        stale: query.allow_stale || body?.allow_stale === true,
      })
    },
  }),
  operation({
    id: 'lab_tests_get_psc_appointment_cancellation_reason',
    route: 'GET /v3/order/psc/appointment/cancellation-reasons',
    summary: 'List why an appointment at a patient service center can be cancelled',
    returns: CancellationReasons,
    run: () => [...psc.reasons],
  }),
  operation({
    id: 'lab_tests_get_psc_appointment',
    route: 'GET /v3/order/{order_id}/psc/appointment',
    summary: "Get an order's appointment at a patient service center",
    returns: Appointment,
    run: (world, { params }) => answer(world, getAppointment(world, psc, params.order_id)),
  }),
  operation({
    id: 'lab_tests_book_psc_appointment',
    route: 'POST /v3/order/{order_id}/psc/appointment/book',
    summary: 'Book a time at a patient service center',
    headers: IdempotencyHeaders,
    body: BookingRequest,
    returns: Appointment,
    repeatableFor: REPEATABLE_MS,
    run(world, { params, body }) {
      const booked = book(world, psc, params.order_id, body)
      return booked
        ? answer(world, booked)
        : new CustomResponse<AppointmentRow>(500, { detail: NOT_CONFIRMED })
    },
  }),
  operation({
    id: 'lab_tests_reschedule_psc_appointment',
    route: 'PATCH /v3/order/{order_id}/psc/appointment/reschedule',
    summary: 'Choose another time at a patient service center',
    body: RescheduleRequest,
    returns: Appointment,
    run: (world, { params, body }) => answer(world, rescheduleAppointment(world, psc, params.order_id, body)),
  }),
  operation({
    id: 'lab_tests_cancel_psc_appointment',
    route: 'PATCH /v3/order/{order_id}/psc/appointment/cancel',
    summary: 'Cancel an appointment at a patient service center',
    body: PscCancelRequest,
    returns: Appointment,
    run(world, { params, body }) {
      const { cancellationReasonId: reasonId, note: notes } = body
      return answer(world, cancelAppointment(world, psc, params.order_id, { reasonId, notes }))
    },
  }),
]
