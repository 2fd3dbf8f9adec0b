export { homeAvailability, pscAvailability } from './availability.ts'
export { book, requestVisit, SILENCE } from './book.ts'
export { cancelAppointment, getAppointment, rescheduleAppointment } from './change.ts'
export {
  bookFor,
  cancelByPatient,
  cancelByProvider,
  completeAppointment,
  silenceProvider,
  startAppointment,
  takeSlot,
} from './provider.ts'
