import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'
import { version } from '../api/version.ts'
import { headerNames } from '../kernel/headers.ts'
import { packageFolder } from '../kernel/package-folder.ts'

/** Scripts and styles; their names contain a hash of the content. */
const NAMED_BY_CONTENT = /-[A-Z0-9]{8}\.(js|css)$/
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Serves the files of the page, which contain no secret and need no key. */
export function createPageApp(): Hono {
  const root = packageFolder('dist/page')
  const app = new Hono({ strict: false })
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
      },
      crossOriginOpenerPolicy: 'same-origin',
      referrerPolicy: 'no-referrer',
      xFrameOptions: 'DENY',
      // The page is served over HTTP, on this machine.
      strictTransportSecurity: false,
    }),
  )
  app.use(async (c, next) => {
    await next()
    c.header(headerNames.version, version.petri)
    if (c.res.ok) c.header('cache-control', NAMED_BY_CONTENT.test(c.req.path) ? FOR_EVER : 'no-cache')
  })
  app.get('/_petri', etag(), serveStatic({ root, path: 'index.html' }))
  app.get(
    '/_petri/ui/*',
    serveStatic({
      root,
      precompressed: true,
      rewriteRequestPath: (path) => path.replace('/_petri/ui/', '/'),
    }),
  )
  return app
}
