import type { Resource } from '../../api/resource.ts'
import { appointmentEventTypes } from './events.ts'
import { appointmentOperations } from './operations.ts'
import { resumeWaitingAppointment, updateAppointment } from './service.ts'
import { appointments, bookings } from './table.ts'
import { appointmentJobs } from './transition.ts'

export const appointmentResource: Resource = {
  name: 'appointments',
  operations: appointmentOperations,
  events: appointmentEventTypes,
  jobs: appointmentJobs,
  tables: [appointments, bookings],
  orderHooks: { beforeAnnounce: updateAppointment, afterCommit: resumeWaitingAppointment },
}
