import { CustomResponse, operation } from '../../api/operation.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import type { JsonText } from '../../kernel/json.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { psc } from './kinds.ts'
import {
  BookingRequest,
  IdempotencyHeaders,
  OrderPath,
  PscAvailabilityBody,
  PscAvailabilityQuery,
  PscCancelRequest,
  RescheduleRequest,
} from './requests.ts'
import { Appointment, Availability, CancellationReasons, NotFoundDetail } from './schema.ts'
import * as service from './service.ts'
import { type AppointmentRow, appointments } from './table.ts'

/** Source: contract/lab-testing.md §4.6. */
const REPEATABLE_MS = 14 * DAY_MS
const DEFAULT_RADIUS = '25'

const answer = (world: World, { id }: AppointmentRow): JsonText<AppointmentRow> =>
  world.db.text(appointments, id)

const noLab = () =>
  new Problem('invalid', [{ type: 'missing', loc: ['query', 'lab'], msg: 'Field required', input: null }])

export const pscOperations = [
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
      return service.pscAvailability(world, {
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
    params: OrderPath,
    returns: Appointment,
    run: (world, { params }) => answer(world, service.getAppointment(world, psc, params.order_id)),
  }),
  operation({
    id: 'lab_tests_book_psc_appointment',
    route: 'POST /v3/order/{order_id}/psc/appointment/book',
    summary: 'Book a time at a patient service center',
    params: OrderPath,
    headers: IdempotencyHeaders,
    body: BookingRequest,
    returns: Appointment,
    repeatableFor: REPEATABLE_MS,
    run(world, { params, body }) {
      const booked = service.book(world, psc, params.order_id, body)
      return booked
        ? answer(world, booked)
        : new CustomResponse<AppointmentRow>(500, { detail: service.NOT_CONFIRMED })
    },
  }),
  operation({
    id: 'lab_tests_reschedule_psc_appointment',
    route: 'PATCH /v3/order/{order_id}/psc/appointment/reschedule',
    summary: 'Choose another time at a patient service center',
    params: OrderPath,
    body: RescheduleRequest,
    returns: Appointment,
    run: (world, { params, body }) =>
      answer(world, service.rescheduleAppointment(world, psc, params.order_id, body)),
  }),
  operation({
    id: 'lab_tests_cancel_psc_appointment',
    route: 'PATCH /v3/order/{order_id}/psc/appointment/cancel',
    summary: 'Cancel an appointment at a patient service center',
    params: OrderPath,
    body: PscCancelRequest,
    returns: Appointment,
    run(world, { params, body }) {
      const { cancellationReasonId: reasonId, note: notes } = body
      return answer(world, service.cancelAppointment(world, psc, params.order_id, { reasonId, notes }))
    },
  }),
]
