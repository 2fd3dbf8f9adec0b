// npm run binaries [-- --platform NAME | --all] [-- --node FILE]: one file with Petri and Node in it, in release/binaries.
// Builds for this system unless told otherwise. FILE is the Node 24 to use instead of that of a package of npm.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { createTar } from 'nanotar'
import { inject } from 'postject'
import { fileOf, ownPlatform, platforms } from './binaries/platforms.mjs'
import { bundle, root } from './bundle.mjs'

const run = promisify(execFile)
const work = join(root, 'node_modules/.cache/petri/binaries')
const release = join(root, 'release/binaries')
/** Where Node looks for what is inside it. Source: "Single executable applications" of Node's documentation. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const RESOURCE = 'NODE_SEA_BLOB'
const NODE_MAJOR = 24
/** The best there is takes a minute; this takes a second, and a tenth more space. */
const QUALITY = 9
/** What Petri reads while it runs, of dist/ without what is for programs that import it. */
const CONTENTS = ['LICENSE', 'dist', 'docs', 'package.json', 'scenarios', 'seeds', 'skills']
const NOT_RUN = /^dist\/(client|webhooks|index|vitest|\.built\.json)|\.map$|^docs\/pictures\//

const { values: options } = parseArgs({
  options: { platform: { type: 'string' }, all: { type: 'boolean' }, node: { type: 'string' } },
})
const chosen = options.all ? Object.keys(platforms) : [options.platform ?? ownPlatform]
for (const name of chosen)
  if (!platforms[name])
    throw new Error(
      `There is no binary for ${name}; there are those for ${Object.keys(platforms).join(', ')}.`,
    )

await mkdir(work, { recursive: true })
await mkdir(release, { recursive: true })
const { main, files } = await prepare()
for (const name of chosen) await build(name)
await writeSums()

/** Packs Petri's files, and bundles the program that unpacks and runs them. */
async function prepare() {
  const packed = brotliCompressSync(createTar(await contents()), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  })
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const hash = `${version}-${createHash('sha256').update(packed).digest('hex').slice(0, 12)}`
  const files = join(work, 'files.tar.br')
  await writeFile(files, packed)
  const main = join(work, 'main.cjs')
  await bundle({
    entryPoints: ['scripts/binaries/main.ts'],
    outfile: main,
    format: 'cjs',
    banner: {},
    minify: true,
    define: { FILES_HASH: JSON.stringify(hash) },
  })
  return { main, files }
}

async function contents() {
  const found = []
  for (const top of CONTENTS) {
    const isFolder = (await stat(join(root, top))).isDirectory()
    const names = isFolder ? await readdir(join(root, top), { recursive: true, withFileTypes: true }) : []
    const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const path of isFolder ? paths : [join(root, top)]) {
      const name = path.slice(root.length).replaceAll('\\', '/')
      if (!NOT_RUN.test(name)) found.push({ name, data: await readFile(path) })
    }
  }
  const run =
    '// Started from inside the executable, which cannot import modules itself.\nmodule.exports = (file) => import(require("node:url").pathToFileURL(file).href)\n'
  found.push({ name: 'run.cjs', data: run })
  return found.sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function build(name) {
  const { macho = false, elf } = platforms[name]
  const node = options.node ?? (await nodeFor(platforms[name]))
  const file = join(release, fileOf(name))
  const blob = await blobFor(name, node)
  const partial = `${file}.partial`
  await copyFile(node, partial)
  await chmod(partial, 0o755)
  if (process.platform === 'darwin') await run('codesign', ['--remove-signature', partial])
  if (elf) await strip(partial, elf)
  await inject(partial, RESOURCE, await readFile(blob), {
    sentinelFuse: FUSE,
    ...(macho && { machoSegmentName: 'NODE_SEA' }),
  })
  if (process.platform === 'darwin') await run('codesign', ['--sign', '-', partial])
  await rename(partial, file)
  const compressed = gzipSync(await readFile(file), { level: 9 })
  await writeFile(`${file}.gz`, compressed)
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  const { size } = await stat(file)
  console.log(`release/binaries/${fileOf(name)}: ${megabytes(size)}, ${megabytes(compressed.length)} as .gz`)
}

/** Removes the symbols for debugging Node: a tenth of it. */
async function strip(file, processor) {
  const tools = [`${processor}-linux-gnu-strip`, 'llvm-strip']
  for (const tool of tools) {
    const stripped = await run(tool, ['--strip-all', file]).then(
      () => true,
      () => false,
    )
    if (stripped) return
  }
  console.log(
    `It keeps its symbols and is a tenth larger, because neither of these is installed: ${tools.join(', ')}`,
  )
}

/** Node's binary of a package, kept for the next time. npm checks what it downloads against the registry. */
async function nodeFor({ package: packageName, version, file }) {
  const kept = join(work, `${packageName}-${version}`)
  const node = join(kept, 'package', file)
  if (await exists(node)) return node
  const partial = await mkdtemp(`${kept}.`)
  const pack = ['pack', `${packageName}@${version}`, '--json', '--pack-destination', partial]
  const { stdout } = await run('npm', pack, { cwd: partial, shell: process.platform === 'win32' })
  const [{ filename }] = JSON.parse(stdout)
  await run('tar', ['-xzf', filename, `package/${file}`], { cwd: partial })
  await rm(join(partial, filename))
  await rm(kept, { recursive: true, force: true })
  await rename(partial, kept)
  return node
}

/** What is put into Node: made by the same version, because its form may change between versions. */
async function blobFor(name, node) {
  const builder =
    name === ownPlatform
      ? node
      : await nodeFor({ ...platforms[ownPlatform], version: platforms[name].version })
  const { stdout: version } = await run(builder, ['--version'])
  if (Number.parseInt(version.slice(1), 10) !== NODE_MAJOR)
    throw new Error(`A binary is made with Node ${NODE_MAJOR}; ${builder} is ${version.trim()}.`)
  const blob = join(work, `${name}.blob`)
  const config = join(work, `${name}.json`)
  const settings = { main, output: blob, assets: { files }, disableExperimentalSEAWarning: true }
  await writeFile(config, JSON.stringify(settings))
  await run(builder, ['--experimental-sea-config', config])
  return blob
}

function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** The checksums of all binaries that are there, and the bill of materials next to them. */
async function writeSums() {
  const names = (await readdir(release)).filter((name) => /^petri-[^.]+(\.exe)?(\.gz)?$/.test(name)).sort()
  const lines = []
  for (const name of names) {
    const sum = createHash('sha256')
      .update(await readFile(join(release, name)))
      .digest('hex')
    lines.push(`${sum}  ${name}\n`)
  }
  await writeFile(join(release, 'SHA256SUMS'), lines.join(''))
  await copyFile(join(root, 'dist/sbom.cdx.json'), join(release, 'petri.cdx.json'))
}
