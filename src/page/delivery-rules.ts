/** What deliveries can be made to do: field, value when on, title, what it does, whether the live service may do it. */
export const deliveryRules = [
  ['duplicate', 1, 'Duplicate', 'each is delivered again under the same svix-id', true],
  ['reorder', 2, 'Reorder', 'pairs arrive the wrong way round', true],
  ['delay', '1h', 'Delay', 'waits an hour before the first attempt', true],
  ['drop_first', 1, 'Drop the first', 'the first attempt is lost on the way', true],
  ['burst', 5, 'Burst', 'five wait, then come all at once', true],
  ['bad_signature', true, 'Bad signature', 'your receiver has to refuse it', false],
  ['stale_timestamp', true, 'Stale timestamp', 'your receiver has to refuse it', false],
] as const

/** Whether the value of such a field says that it is on. */
export const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== 0 && value !== '0ms' && value !== '0s'
