import type { Resource } from '../../api/resource.ts'
import { appointmentEventTypes } from './events.ts'
import { appointmentOperations } from './operations.ts'
import { appointments, bookingOutcomes, bookings, takenSlots } from './table.ts'
import { appointmentJobs } from './transition.ts'

export const appointmentResource: Resource = {
  name: 'appointments',
  operations: appointmentOperations,
  tables: [appointments, bookingOutcomes, bookings, takenSlots],
  events: appointmentEventTypes,
  jobs: appointmentJobs,
}
