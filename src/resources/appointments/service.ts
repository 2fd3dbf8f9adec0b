export { homeAvailability, pscAvailability } from './availability.ts'
export { book, requestVisit, SILENCE } from './book.ts'
export { cancelAppointment, getAppointment, rescheduleAppointment } from './change.ts'
export { activeAppointment } from './course.ts'
export {
  bookFor,
  cancelByPatient,
  cancelByProvider,
  completeAppointment,
  confirmAppointment,
  silenceProvider,
  startAppointment,
  takeSlot,
} from './provider.ts'
