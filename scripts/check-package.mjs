// Packs Petri as it would be published, installs it into an empty folder, and runs what was installed.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { root } from './bundle.mjs'
import { withRunningPetri } from './running-petri.mjs'

const run = promisify(execFile)
const packed = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const folder = await mkdtemp(join(tmpdir(), 'petri-package-'))
try {
  await lint()
  await installInto(folder)
  await runInstalled(join(folder, 'node_modules/.bin/petri'))
  await useInstalled()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function lint() {
  const { messages } = await publint({ pkgDir: root, level: 'warning' })
  for (const message of messages) console.error(formatMessage(message, packed))
  if (messages.length > 0) throw new Error('publint found something')
  if (packed.dependencies) throw new Error('everything is bundled, so there should be no dependencies')
  const types = await readFile(join(root, 'dist/types/index.d.ts'), 'utf8')
  if (/\b(from|import\()\s*['"]/.test(types))
    throw new Error('the public types reach into files that are not published')
}

async function installInto(where) {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', where], { cwd: root })
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(stdout)
  console.log(
    `${filename}: ${entryCount} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} installed`,
  )
  await writeFile(join(where, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`], {
    cwd: where,
  })
}

async function runInstalled(petri) {
  const { stdout } = await run(petri, ['--version'])
  if (stdout.trim() !== packed.version) throw new Error(`petri --version answered ${stdout}`)
  await withRunningPetri(petri, [], async (url) => {
    console.log((await run(petri, ['health', '--url', url])).stdout.trim())
    const answer = await fetch(`${url}/v3/lab_tests`, { headers: { 'x-service-api-key': 'sk_us_petri' } })
    if (answer.status !== 200) throw new Error(`the catalogue answered ${answer.status}`)
  })
}

/** The library, from a program of its own. */
async function useInstalled() {
  const program = `
    import { startPetri } from 'petri'
    const petri = await startPetri()
    const { status } = await petri.fetch('/v2/user')
    await petri.close()
    if (status !== 200) throw new Error('users answered ' + status)`
  await writeFile(join(folder, 'program.js'), program)
  await run(process.execPath, ['program.js'], { cwd: folder })
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`
}
