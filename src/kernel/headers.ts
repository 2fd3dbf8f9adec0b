/** The headers with a meaning of their own for Petri, in lower case. docs/magic.md says what each does. */
export const headerNames = {
  apiKey: 'x-service-api-key',
  liveApiKey: 'x-vital-api-key',
  scenario: 'x-petri-scenario',
  persona: 'x-petri-persona',
  aside: 'x-petri-aside',
  origin: 'x-petri-from',
  ownCall: 'x-petri-own-call',
  idempotencyKey: 'x-idempotency-key',
  idempotencyError: 'x-idempotency-error',
  clientLanguage: 'x-fern-language',
  noRedirect: 'x-vital-sdk-no-redirect',
  version: 'x-petri',
  requestId: 'x-request-id',
  hint: 'x-petri-hint',
} as const

/** A read with these is not recorded as a call of the program under test. */
export const asideHeaders = { [headerNames.aside]: '1' }
