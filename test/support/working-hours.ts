/** Who comes by, or is there, at which local hours, by the status that is then set. */
export const courierHours = [
  ['transit_customer', 15, 20],
  ['problem_in_transit_customer', 8, 19],
  ['out_for_delivery', 7, 9.5],
  ['with_customer', 10, 17],
  ['failure_to_deliver_to_customer', 10, 17],
  ['transit_lab', 14, 19],
  ['problem_in_transit_lab', 8, 19],
  ['delivered_to_lab', 8.5, 11.5],
  ['failure_to_deliver_to_lab', 8.5, 17],
] as const
export const openHours = [
  ['draw_completed', 7.5, 16.5],
  ['lab_processing_blocked', 7, 21],
  ['sample_error', 7, 21],
  ['partial_results', 7, 21],
  ['redraw_available', 7, 21],
  ['completed', 7, 21],
  ['corrected', 7, 21],
] as const
