import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const root = fileURLToPath(new URL('../', import.meta.url))

/** Bundles for Node 20 and later; dependencies that are CommonJS get the `require` they expect. */
export const bundle = (options) =>
  build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    plugins: [onlyHttp1],
    logLevel: 'warning',
    metafile: true,
    ...options,
  })

/** Petri speaks HTTP/1: what its server asks of HTTP/2 is whether a request is one of it, and loading the module takes 11 ms of a start. */
const onlyHttp1 = {
  name: 'only-http1',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http2$/ }, ({ path, importer }) =>
      importer.includes('@hono/node-server') ? { path, namespace: 'only-http1' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'only-http1' }, () => ({
      contents: 'export class Http2ServerRequest {}\nexport const constants = {}',
    }))
  },
}
