import type { Context, Hono, Next } from 'hono'
import { once } from '../kernel/once.ts'
import type { Env } from './context.ts'

/** Serves the page. Its files are read on the first request. */
export function addPage(app: Hono<Env>): void {
  const files = once(async () => (await import('./page-files.ts')).createPageApp())
  const serve = async (c: Context, next: Next) => {
    const found = await (await files()).request(c.req.raw, undefined, c.env)
    return found.status === 404 ? next() : found
  }
  app.get('/_petri', serve)
  app.get('/_petri/ui/*', serve)
  // Only for browsers; other clients get the service's 404.
  app.get('/', (c, next) => (isNavigation(c) ? c.redirect('/_petri/', 302) : next()))
  // Tracking URLs of shipments redirect to their order.
  app.get('/tracking/:courier/:number', (c, next) => {
    const search = encodeURIComponent(c.req.param('number'))
    return isNavigation(c) ? c.redirect(`/_petri/#/orders?search=${search}`, 302) : next()
  })
}

const isNavigation = ({ req }: Context): boolean =>
  req.header('sec-fetch-mode') === 'navigate' && req.header('accept')?.includes('text/html') === true
