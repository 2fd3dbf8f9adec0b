// npm run package: writes what is published, with a manifest of its own, to release/package, and packs it next to that.
// With --release it refuses what nobody may publish yet. The repository itself is private, so that no other way publishes anything.
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { root } from './bundle.mjs'
import { linksOf } from './links.mjs'

const run = promisify(execFile)
/** Half of what the documentation weighs; the pages show them from the repository. */
const PICTURES = 'docs/pictures/'
/** Whoever publishes Petri replaces it by their own. */
const PLACEHOLDER = 'github.com/example/'
/** In the README: what begins with the clone there, and with the package here. */
const FIRST_STEPS = /<!-- clone -->[\s\S]*?<!-- \/clone -->/
const INSTALLED = `\`\`\`sh
npx petri-sandbox start
\`\`\`

Petri needs Node 20.19 or later. The command starts it and prints what you need to connect:`

const isRelease = process.argv.includes('--release')
const release = join(root, 'release')
const staged = join(release, 'package')
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const isPlaceholder = JSON.stringify(manifest).includes(PLACEHOLDER)
if (isRelease && isPlaceholder)
  throw new Error(`package.json names a repository, homepage or bugs of ${PLACEHOLDER}: write your own.`)

// The binaries next to it are kept.
await rm(staged, { recursive: true, force: true })
await mkdir(staged, { recursive: true })
for (const name of manifest.files)
  await cp(join(root, name), join(staged, name), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  })
await rm(join(staged, PICTURES), { recursive: true })
await rm(join(staged, 'dist/.built.json'))
await writeFile(join(staged, 'package.json'), `${JSON.stringify(await publishedManifest(), null, 2)}\n`)
await writeReadme()
await pointToRepository()
const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', release], {
  cwd: staged,
  maxBuffer: 2 ** 26,
})
const [{ filename, entryCount, size, unpackedSize }] = JSON.parse(stdout)
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`
console.log(
  `release/${filename}: ${entryCount} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} installed`,
)

/** Hono stays a dependency, because the published types name it. All else is inside, and listed as `bundled`. */
async function publishedManifest() {
  const { private: _, files, scripts, devDependencies, dependencies, ...rest } = manifest
  const bill = JSON.parse(await readFile(join(root, 'dist/sbom.cdx.json'), 'utf8'))
  const bundled = bill.components.map(({ group, name, version = '*' }) => [
    group ? `${group}/${name}` : name,
    version,
  ])
  return {
    ...rest,
    ...(isPlaceholder && { private: true }),
    dependencies: { hono: dependencies.hono },
    peerDependencies: { vitest: '>=3' },
    peerDependenciesMeta: { vitest: { optional: true } },
    bundled: Object.fromEntries(bundled),
  }
}

async function writeReadme() {
  const text = await readFile(join(staged, 'README.md'), 'utf8')
  if (!FIRST_STEPS.test(text)) throw new Error('README.md marks no first steps with <!-- clone -->')
  await writeFile(join(staged, 'README.md'), text.replace(FIRST_STEPS, INSTALLED))
}

/** Links to what is not in the package lead to the repository. */
async function pointToRepository() {
  const files = new Set(await readdir(staged, { recursive: true }))
  const base = manifest.repository.url.replace(/^git\+|\.git$/g, '')
  for (const page of [...files].filter((file) => file.endsWith('.md'))) {
    let text = await readFile(join(staged, page), 'utf8')
    for (const link of linksOf(text)) {
      const [path, anchor] = link.split('#')
      const target = posix.join(dirname(page), path).replace(/\/$/, '')
      if (path === '' || files.has(target)) continue
      const view = target.startsWith(PICTURES) ? 'raw' : 'blob'
      const url = `${base}/${view}/v${manifest.version}/${target}${anchor ? `#${anchor}` : ''}`
      text = text.replaceAll(`](${link})`, `](${url})`)
    }
    await writeFile(join(staged, page), text)
  }
}
