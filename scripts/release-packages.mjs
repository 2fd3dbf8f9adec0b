// node scripts/release-packages.mjs [--from FOLDER] [--to FOLDER]: writes the Debian packages of the binaries in a
// folder (release/binaries) to another (release/packages).
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { root } from './bundle.mjs'

const run = promisify(execFile)
const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: join(root, 'release/binaries') },
    to: { type: 'string', default: join(root, 'release/packages') },
  },
})
/** Debian's names of processors, with ours. */
const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' }

const { version, homepage } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

try {
  await mkdir(options.to, { recursive: true })
  for (const architecture of Object.keys(ARCHITECTURES)) await writeDebianPackage(architecture)
} catch (error) {
  console.error(`release-packages: ${error.message}`)
  process.exitCode = 1
}

/** The file that describes a package, with its values. */
async function controlOf(architecture) {
  const template = await readFile(join(root, 'packaging/control'), 'utf8')
  const values = { version, homepage, architecture }
  return template.replace(/\{\{(\w+)\}\}/g, (_, key) => values[key])
}

async function writeDebianPackage(architecture) {
  const folder = await mkdtemp(join(tmpdir(), 'petri-debian-'))
  const bin = join(folder, 'usr/bin')
  await mkdir(join(folder, 'DEBIAN'), { recursive: true })
  await mkdir(bin, { recursive: true })
  await chmod(folder, 0o755)
  await copyFile(join(options.from, `petri-linux-${ARCHITECTURES[architecture]}`), join(bin, 'petri'))
  await chmod(join(bin, 'petri'), 0o755)
  await writeFile(join(folder, 'DEBIAN/control'), await controlOf(architecture))
  const file = join(options.to, `petri-sandbox_${version}_${architecture}.deb`)
  await run('dpkg-deb', ['--root-owner-group', '--build', folder, file]).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    console.log(`left out: ${file}, because there is no dpkg-deb`)
  })
  await rm(folder, { recursive: true })
}
