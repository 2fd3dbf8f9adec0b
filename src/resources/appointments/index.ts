import type { Resource } from '../../api/resource.ts'
import { appointmentEventTypes } from './events.ts'
import { resumeWaitingAppointment, updateAppointment } from './follow.ts'
import { homeOperations } from './home-operations.ts'
import { pscOperations } from './psc-operations.ts'
import { appointments, bookings } from './table.ts'
import { appointmentJobs } from './waiting.ts'

export const appointmentResource: Resource = {
  name: 'appointments',
  operations: [...homeOperations, ...pscOperations],
  events: appointmentEventTypes,
  jobs: appointmentJobs,
  tables: [appointments, bookings],
  orderHooks: { beforeAnnounce: updateAppointment, afterCommit: resumeWaitingAppointment },
}
