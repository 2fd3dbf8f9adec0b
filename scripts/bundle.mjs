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
    // Node 20.10 and later have them.
    supported: { 'import-attributes': true },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    alias: { 'node:http2': './scripts/no-http2.mjs' },
    logLevel: 'warning',
    metafile: true,
    ...options,
  })
