import type { ExplorePart } from '../../src/client/explore.ts'
import type { Bug } from './sample-app.ts'

/** The parts of histories that show each bug. */
export const partsOf: Readonly<Record<Bug, readonly ExplorePart[]>> = {
  last_webhook_wins: ['webhook_faults'],
  dedupe_by_type: ['webhook_faults'],
  dedupe_by_status: ['orders'],
  closed_schema: ['futures'],
  crash_on_blocked: ['orders'],
  result_before_final: ['orders'],
  correction_ignored: ['orders'],
  cancelled_revived: ['orders', 'webhook_faults'],
  final_forever: ['orders'],
  reserialised_signature: ['bodies'],
  retry_without_key: ['faults'],
  first_page_only: ['users'],
  one_order_per_user: ['users'],
  local_time: ['times'],
  disconnected_kept: ['feeds'],
  order_by_second: ['times'],
  counts_deliveries: ['webhook_faults'],
  gives_up_on_error: ['faults'],
  crash_on_critical: ['orders'],
  crash_on_unmatched: ['unmatched'],
  users_by_prefix: ['users'],
  only_kits: ['orders'],
  requisition_unknown: ['orders', 'looks'],
  shipping_unknown: ['orders', 'looks'],
  arrival_unknown: ['orders', 'looks'],
  laboratory_unknown: ['orders', 'looks'],
  appointment_unknown: ['orders', 'looks'],
  completed_early: ['orders', 'looks'],
}
