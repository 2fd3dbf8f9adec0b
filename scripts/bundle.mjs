import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'

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
    alias: { 'node:http2': './scripts/no-http2.cjs', undici: './scripts/undici-agent.mjs' },
    logLevel: 'warning',
    metafile: true,
    ...options,
  })

const COMMONJS = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': '__moduleUrl' },
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
}
const MODULE_URL = "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;"

/** Bundles into dist/ with shared chunks. esbuild splits only ES modules, so each of these is converted afterwards. */
export async function bundleCommonJs(options) {
  const { metafile, outputFiles } = await bundle({
    banner: {},
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
    ...options,
  })
  const convert = async ({ path, text }) => {
    const { inputs } = metafile.outputs[relative(root, path)]
    const { code, map } = await transform(withDirectBindings(text, relative(root, path)), {
      ...COMMONJS,
      banner: text.includes('import.meta.url') ? MODULE_URL : '',
      // The names of the sources stay, for the stacks of errors.
      minifyIdentifiers: !Object.keys(inputs).some((input) => input.startsWith('src/')),
      sourcemap: 'external',
      sourcesContent: false,
    })
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, code)
    await writeFile(`${path}.map`, map)
  }
  await Promise.all(outputFiles.map(convert))
  return { metafile }
}

/**
 * Has chunks read each other's exports as variables: esbuild writes two getters for each, which took a tenth of a first order.
 * This is the same because chunks have no circular imports, and no export changes after its chunk has run.
 */
function withDirectBindings(text, path) {
  if (text.includes('__esm('))
    throw new Error(`${path}: an ES module is loaded with require, and has no exports before.`)
  const bound = text.replace(
    /^import \{([^}]*)\} from ("\.\.?\/[^"]+");$/gm,
    (_, names, from) => `var {${names.replaceAll(' as ', ': ')}} = require(${from});`,
  )
  // Users import the others, whose exports Node finds as esbuild writes them.
  if (!path.includes('/chunks/')) return bound
  return bound.replace(
    /^export \{([^}]*)\};$/m,
    (_, names) => `module.exports = {${names.replace(/(\S+) as ([^\s,]+)/g, '$2: $1')}, __esModule: true};`,
  )
}
