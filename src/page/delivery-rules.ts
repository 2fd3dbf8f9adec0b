/** Delivery faults: field, value when on, title, effect, whether the live service may do it. */
export const deliveryRules = [
  ['duplicate', 1, 'Duplicate', 'each is delivered twice with the same svix-id', true],
  ['reorder', 2, 'Reorder', 'pairs arrive in reverse order', true],
  ['delay', '1h', 'Delay', 'waits an hour before the first attempt', true],
  ['drop_first', 1, 'Drop the first', 'the first attempt is lost', true],
  ['burst', 5, 'Burst', 'five wait, then arrive at once', true],
  ['bad_signature', true, 'Bad signature', 'your receiver must refuse it', false],
  ['stale_timestamp', true, 'Stale timestamp', 'your receiver must refuse it', false],
] as const

/** Whether a delivery fault with this value is on. */
export const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== 0 && value !== '0ms' && value !== '0s'
