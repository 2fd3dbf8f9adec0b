import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const root = fileURLToPath(new URL('../', import.meta.url))

/** In the bundle `import.meta.url` is what it was in the source tree, so that data files are found from both. */
const sourceUrls = {
  name: 'source-urls',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const from = JSON.stringify(path.slice(root.length).replaceAll('\\', '/'))
      const contents = text.replaceAll('import.meta.url', `new URL(${from}, __packageRoot).href`)
      return { contents, loader: 'ts' }
    })
  },
}

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
    inject: ['scripts/package-root.mjs'],
    plugins: [sourceUrls],
    logLevel: 'warning',
    metafile: true,
    ...options,
  })
