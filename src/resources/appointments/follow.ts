import type { World } from '../../world/world.ts'
import { getOrder } from '../orders/service.ts'
import { currentStatusOf, methodOf } from '../orders/table.ts'
import { cancelWithOrder } from './change.ts'
import { activeAppointment, applyStep } from './course.ts'
import { kindOf } from './kinds.ts'
import { placeFirstFree } from './provider.ts'
import type { AppointmentRow } from './table.ts'
import { confirmTime, requisitionCame } from './waiting.ts'

type UpdateAppointment = (world: World, orderId: string, appointment: AppointmentRow) => void

const unchanged: UpdateAppointment = (world, _, appointment) => {
  const kept = appointment.event_status === 'scheduled' || appointment.event_status === 'in_progress'
  applyStep(
    world,
    appointment,
    kept ? { to: 'completed' } : { to: 'cancelled', data: { origin: 'provider' } },
  )
}

/** The status of the appointment when the order is moved without it, by order status. */
const accompanies: Readonly<Record<string, UpdateAppointment>> = {
  appointment_scheduled: (world, _, appointment) => {
    if (appointment.event_status !== 'scheduled') confirmTime(world, appointment)
  },
  appointment_cancelled: (world, _, appointment) =>
    void applyStep(world, appointment, { to: 'cancelled', data: { origin: 'provider' } }),
  draw_completed: unchanged,
  partial_results: unchanged,
  completed: unchanged,
  redraw_available: unchanged,
  sample_error: unchanged,
  cancelled: cancelWithOrder,
}

/** Updates an order's appointment to the order's status. An order that becomes scheduled without an appointment gets one. */
export function updateAppointment(world: World, orderId: string, low: string): void {
  const order = getOrder(world, orderId)
  if (!kindOf(methodOf(order))) return
  const appointment = activeAppointment(world, order)
  if (appointment) accompanies[low]?.(world, orderId, appointment)
  else if (low === 'appointment_scheduled') placeFirstFree(world, order)
}

/** Continues an appointment that waited for the requisition; this may move the order. */
export function resumeWaitingAppointment(world: World, orderId: string, low: string): void {
  const order = getOrder(world, orderId)
  if (!kindOf(methodOf(order)) || currentStatusOf(order) !== low) return
  if (low !== 'requisition_created' && low !== 'requisition_bypassed') return
  const appointment = activeAppointment(world, order)
  if (appointment) requisitionCame(world, appointment)
}
