const MEANT = /^(x-petri-scenario|x-?idempotency-.*|idempotency-.*|accept|content-type)$/

/** The headers of a call that change what it does; what every client adds by itself is left out. */
export const meantHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => MEANT.test(name) && value !== '*/*' && !/^(application\/json)/.test(value),
    ),
  )
