// Bundles the command line and the library into dist/, each part of them loaded when it is first used.
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { base, en, en_US } from '@faker-js/faker'
import { forgetBuild, hashOfInputs, recordBuild } from './built.mjs'
import { bundle, bundleCommonJs, root } from './bundle.mjs'
import { billOfMaterials, bundledPackages, thirdPartyNotices } from './notices.mjs'
import { buildPage } from './page.mjs'

const dist = join(root, 'dist')
// Of what is there before the build: what changes meanwhile is built the next time.
const inputs = hashOfInputs()
forgetBuild()
const main = bundleCommonJs({
  entryPoints: { 'cli/main': 'src/cli/main.ts', index: 'src/index.ts' },
  define: { PACKAGES: JSON.stringify('./') },
})
// Run as a process of its own, with pdf.js in it: its names are short already, and to look for shorter ones takes 5 s.
const pdfReader = bundle({
  entryPoints: { 'pdf-reader': 'src/resources/report-parser/pdf-process.ts' },
  outdir: 'dist/chunks',
  outExtension: { '.js': '.mjs' },
  minifyWhitespace: true,
})
// Loaded into the programs that `petri exec` runs.
const nodeHook = bundle({
  entryPoints: { 'node-hook': 'src/intercept/install-node-hook.ts' },
  outdir: 'dist/chunks',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  banner: {},
  minify: true,
})
// Loaded on first use, each from a file of its own.
const bundlePackage = (name, contents) =>
  bundle({
    stdin: { contents, resolveDir: root },
    outfile: `dist/chunks/${name}.cjs`,
    format: 'cjs',
    banner: {},
    minify: true,
  })
const yaml = bundlePackage('yaml', "export * from 'yaml'")
const faker = bundlePackage(
  'faker',
  `export { Faker, mergeLocales } from '@faker-js/faker'; export const [base, en, en_US] = ${usedWords([base, en, en_US])}`,
)
// vitest and its fixtures are ES modules only.
const fixtures = bundle({
  entryPoints: { vitest: 'src/vitest.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  banner: {},
  external: ['vitest'],
  plugins: [
    {
      name: 'shared-index',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/index\.ts$/ }, () => ({ path: './index.js', external: true })),
    },
  ],
})
// All at once, because each leaves processors idle for a part of its time.
const [page, described, ...bundles] = await Promise.all([
  buildPage(),
  describedFiles(),
  main,
  pdfReader,
  nodeHook,
  yaml,
  faker,
  fixtures,
])
await writeModules()
const outputs = Object.assign({}, ...bundles.map(({ metafile }) => metafile.outputs))
for (const path of Object.keys(outputs)) await refuseWideLetters(join(root, path))
const inBundles = await bundledPackages({ outputs: { ...outputs, ...page.outputs } })
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(inBundles))
await writeFile(
  join(dist, 'sbom.cdx.json'),
  `${JSON.stringify(billOfMaterials(inBundles, manifest), null, 2)}\n`,
)
await mkdir(join(dist, 'seeds'), { recursive: true })
for (const [name, text] of Object.entries(described)) await writeFile(join(dist, name), text)
await copyFile(join(root, 'scripts/known-drift.json'), join(dist, 'known-drift.json'))
await cp(join(root, 'src/tools/incidents/templates'), join(dist, 'test-templates'), { recursive: true })
await chmod(join(dist, 'cli/main.js'), 0o755)

// Files of an earlier build are removed last, so that dist/ can be run at any moment.
const built = new Set(Object.keys(outputs).map((path) => basename(path)))
for (const name of await readdir(join(dist, 'chunks'))) {
  if (!built.has(name.replace(/\.map$/, ''))) await rm(join(dist, 'chunks', name))
}
recordBuild(inputs)

/** The entry for `import`: both ways of loading Petri get the same modules. */
async function writeModules() {
  await writeFile(join(dist, 'package.json'), '{ "type": "commonjs" }\n')
  await writeFile(join(dist, 'index.mjs'), "export * from './index.js'\n")
}

/** The words of locales for names and addresses, as JSON: most of the time that loading faker takes went to the others. */
function usedWords(locales) {
  return JSON.stringify(
    locales.map(({ metadata, person, location, internet }) => ({ metadata, person, location, internet })),
  )
}

/** The files that the sources generate: the OpenAPI document, the MCP tools, the validated seeds and the parsed scenarios. */
async function describedFiles() {
  const outfile = join(root, 'node_modules/.cache/petri/openapi.mjs')
  await bundle({ entryPoints: ['scripts/openapi.ts'], outfile, packages: 'external' })
  const described = await import(pathToFileURL(outfile).href)
  return described.describedFiles()
}

/** Throws for a file with a non-ASCII character: Node then reads it at two bytes per character, which made a start 5 ms longer. */
async function refuseWideLetters(path) {
  const text = await readFile(path, 'utf8')
  const at = text.search(/[^\0-\x7f]/)
  if (at === -1) return
  throw new Error(
    `${path} has ${text[at]} after ${JSON.stringify(text.slice(Math.max(0, at - 40), at))}: write it as an escape, \\u and four digits.`,
  )
}
