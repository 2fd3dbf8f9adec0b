/** Webhook faults, and the value that turns each on. */
export const webhookFaults = [
  ['duplicate', 1],
  ['reorder', 2],
  ['delay', '1h'],
  ['drop_first', 1],
  ['burst', 5],
  ['bad_signature', true],
  ['stale_timestamp', true],
  ['respell', true],
] as const

/** Whether a webhook fault with this value is on. */
export const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== 0 && value !== '0ms' && value !== '0s'
