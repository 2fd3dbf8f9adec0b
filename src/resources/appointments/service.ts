export { homeAvailability, pscAvailability } from './availability.ts'
export { book, NOT_CONFIRMED, requestVisit } from './book.ts'
export { cancelAppointment, getAppointment, rescheduleAppointment } from './change.ts'
export {
  bookFor,
  cancelByPatient,
  cancelByProvider,
  completeAppointment,
  makeNextBookingTimeOut,
  startAppointment,
  takeSlot,
} from './provider.ts'
