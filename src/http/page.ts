import type { Context, Hono, Next } from 'hono'
import { version } from '../api/version.ts'
import { headerNames } from '../kernel/headers.ts'
import { once } from '../kernel/once.ts'
import type { Env } from './context.ts'

/** Serves the page and the documentation. Their files are read on the first request. */
export function addPage(app: Hono<Env>): void {
  const page = servedBy(async () => (await import('./page-files.ts')).createPageApp())
  app.get('/_petri', page)
  app.get('/_petri/ui/*', page)
  app.get(
    '/_petri/docs/*',
    servedBy(async () => (await import('./doc-files.ts')).createDocsApp()),
  )
  // Only for browsers; other clients get the service's 404.
  app.get('/', (c, next) => (isNavigation(c) ? redirect(c, '/_petri/') : next()))
  // A browser is led to the order of a shipment; other clients find that the link works.
  app.get('/tracking/:courier/:number', (c) => {
    const { courier, number } = c.req.param()
    if (isNavigation(c)) return redirect(c, `/_petri/#/orders?search=${encodeURIComponent(number)}`)
    c.header(headerNames.version, version.petri)
    return c.text(`${courier.toUpperCase()} parcel ${number}`)
  })
}

/** Passes requests to an app that is created when it is first needed; what it does not find is left to others. */
function servedBy(create: () => Promise<Hono>) {
  const app = once(create)
  return async (c: Context, next: Next) => {
    const found = await (await app()).request(c.req.raw, undefined, c.env)
    return found.status === 404 ? next() : found
  }
}

function redirect(c: Context, path: string): Response {
  c.header(headerNames.version, version.petri)
  return c.redirect(path, 302)
}

const isNavigation = ({ req }: Context): boolean =>
  req.header('sec-fetch-mode') === 'navigate' && req.header('accept')?.includes('text/html') === true
