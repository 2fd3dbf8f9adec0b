import type { Context, Hono, Next } from 'hono'
import { version } from '../api/version.ts'
import { headerNames } from '../kernel/headers.ts'
import { addressOf, publicPath } from '../kernel/http-call.ts'
import { once } from '../kernel/once.ts'
import type { Env } from './context.ts'

/** Serves the page and the documentation. Their files are read on the first request. */
export function addPage(app: Hono<Env>, publicUrl: URL | undefined): void {
  const page = servedBy(async () => (await import('./page-files.ts')).createPageApp())
  const redirect = (c: Context, path: string) => {
    addVersion(c)
    return c.redirect(publicPath(publicUrl, path), 302)
  }
  // The addresses of its files are relative to a folder.
  app.get('/_petri', async (c, next) =>
    new URL(c.req.url).pathname.endsWith('/') ? page(c, next) : redirect(c, '/_petri/'),
  )
  app.get('/_petri/ui/*', page)
  app.get('/_petri/docs', (c) => redirect(c, '/_petri/docs/README.md'))
  app.get(
    '/_petri/docs/*',
    servedBy(async () => (await import('./doc-files.ts')).createDocsApp()),
  )
  app.get('/', (c) => {
    if (isNavigation(c)) return redirect(c, '/_petri/')
    addVersion(c)
    const [page, health] = ['/_petri/', '/_petri/health'].map((path) => addressOf(publicUrl, c.req.url, path))
    return c.json({ page, health })
  })
  // A browser is led to the order of a shipment; other clients find that the link works.
  app.get('/tracking/:courier/:number', (c) => {
    const { courier, number } = c.req.param()
    if (isNavigation(c)) return redirect(c, `/_petri/#/orders?search=${encodeURIComponent(number)}`)
    addVersion(c)
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

const addVersion = (c: Context): void => c.header(headerNames.version, version.petri)

const isNavigation = ({ req }: Context): boolean =>
  req.header('sec-fetch-mode') === 'navigate' && req.header('accept')?.includes('text/html') === true
