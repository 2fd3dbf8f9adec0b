import type { Hono, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { linkTokenHeaders } from '../api/credentials.ts'
import type { AnyOperation } from '../api/operation.ts'
import { headerNames } from '../kernel/headers.ts'
import type { Env } from './context.ts'
import type { Respond } from './request-journal.ts'

/** Whether web pages of the allowed origins may call an operation: with a link token, and for data. */
export const takesLinkToken = ({ access, produces }: AnyOperation): boolean =>
  access === 'link_token' && produces === undefined

/** What web pages of other origins may use. */
export interface LinkAccess {
  readonly origins: readonly string[]
  /** The scripts of the widget, by path. */
  readonly scripts: Readonly<Record<string, string>>
}

export function addWidget(app: Hono<Env>, scripts: LinkAccess['scripts'], respond: Respond): void {
  const contentType = 'text/javascript; charset=utf-8'
  const headers = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }
  for (const [path, body] of Object.entries(scripts))
    app.get(path, (c) => respond(c, { status: 200, body, contentType, headers }))
}

/** Lets web pages of these origins read responses, and answers their preflight requests. A team's key stays closed to them. */
export function allowLinkOrigins(origins: readonly string[], respond: Respond): MiddlewareHandler<Env> {
  const allow = cors({
    origin: [...origins],
    allowMethods: ['GET', 'POST', 'OPTIONS'],
    allowHeaders: ['content-type', ...linkTokenHeaders, headerNames.scenario],
    maxAge: 600,
  })
  const nothing = async () => {}
  return async (c, next) => {
    if (!origins.includes(c.req.header('origin') ?? '')) return next()
    if (c.req.method === 'OPTIONS') {
      const { headers, status } = (await allow(c, nothing)) as Response
      return respond(c, { status, body: null, headers: Object.fromEntries(headers) })
    }
    // Afterwards, because an error replaces the response.
    await next()
    const vary = c.res.headers.get('vary')
    await allow(c, nothing)
    if (vary !== null) c.res.headers.set('vary', vary)
  }
}
