import type { EventType } from '../../api/resource.ts'
import { Appointment } from './schema.ts'

export const appointmentEventTypes: readonly EventType[] = [
  { name: 'labtest.appointment.created', data: Appointment },
  { name: 'labtest.appointment.updated', data: Appointment },
]
