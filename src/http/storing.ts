import type { Middleware } from './context.ts'

/** Sends the response once everything that the request changed is stored. */
export const storeBeforeResponse: Middleware = async (c, next) => {
  await next()
  const storing = c.get('world')?.db.settled()
  if (storing) await storing
}
