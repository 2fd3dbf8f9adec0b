// Packs Petri as it would be published, installs it into an empty folder, and runs what was installed.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { root } from './bundle.mjs'
import { withRunningPetri } from './running-petri.mjs'

const run = promisify(execFile)
const packed = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const commonjsProgram = `
  import petri = require('@petri-sandbox/petri')
  async function main() {
    const sandbox: petri.RunningPetri = await petri.startPetri()
    const { id } = await sandbox.orders.place({ scenario: 'critical-result' })
    await sandbox.clock.advance({ until: 'idle' })
    const order: petri.Order = await sandbox.orders.get(id)
    await sandbox.close()
    if (order.interpretation !== 'critical') throw new Error('the order is not critical')
  }
  void main()`

const nodeTest = `
  const { test } = require('node:test')
  const { startPetri } = require('@petri-sandbox/petri')
  test('an order is placed', async () => {
    const petri = await startPetri()
    await petri.orders.place()
    await petri.close()
  })`

const folder = await mkdtemp(join(tmpdir(), 'petri-package-'))
try {
  await installInto(folder)
  await lint()
  await runInstalled(join(folder, 'node_modules/.bin/petri'))
  await useInstalled()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function lint() {
  const { messages } = await publint({ pkgDir: root, level: 'warning' })
  for (const message of messages) console.error(formatMessage(message, packed))
  if (messages.length > 0) throw new Error('publint found something')
  const dependencies = Object.keys(packed.dependencies ?? {})
  if (dependencies.join() !== 'hono')
    throw new Error(`everything is bundled, and only hono's types are needed, not ${dependencies}`)
  await lintTypes(packed.exports['.'].import.types)
}

/** The public types, and what they refer to, are published and need no package but Node's types and Hono's. */
async function lintTypes(path, seen = new Set()) {
  if (seen.has(path)) return
  seen.add(path)
  if (!packed.files.includes(path.replace('./', '')))
    throw new Error(`${path} is referred to and not published`)
  const types = await readFile(join(root, path), 'utf8')
  for (const [, target] of types.matchAll(/\b(?:from|import\()\s*['"]([^'"]+)['"]/g)) {
    if (target === 'hono') continue
    if (!target.startsWith('.')) throw new Error(`${path} needs ${target}`)
    await lintTypes(`./${posix.join(posix.dirname(path), target.replace(/\.ts$/, '.d.ts'))}`, seen)
  }
}

async function installInto(where) {
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts=false', '--pack-destination', where],
    {
      cwd: root,
      maxBuffer: 2 ** 26,
    },
  )
  // What the build prints comes first.
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(stdout.slice(stdout.search(/^\[$/m)))
  console.log(
    `${filename}: ${entryCount} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} installed`,
  )
  await writeFile(join(where, 'package.json'), '{ "private": true, "type": "module" }')
  await run(
    'npm',
    ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`],
    {
      cwd: where,
    },
  )
}

async function runInstalled(petri) {
  const { stdout } = await run(petri, ['--version'])
  if (stdout.trim() !== packed.version) throw new Error(`petri --version answered ${stdout}`)
  await withRunningPetri(petri, [], async (url) => {
    console.log((await run(petri, ['health', '--url', url])).stdout.trim())
    const answer = await fetch(`${url}/v3/lab_tests`, { headers: { 'x-service-api-key': 'sk_us_petri' } })
    if (answer.status !== 200) throw new Error(`the catalogue answered ${answer.status}`)
    const { info } = await (await fetch(`${url}/openapi.json`)).json()
    if (info.version !== packed.version) throw new Error(`/openapi.json is of version ${info.version}`)
  })
}

/** The library, from programs of its own, and its types, which have to do without Petri's sources. */
async function useInstalled() {
  const program = `
    import { Hono } from 'hono'
    import { startPetri, type Order } from '@petri-sandbox/petri'
    const petri = await startPetri({ port: 0 })
    const url: string = petri.url
    const order: Order = await petri.orders.place({ scenario: 'critical-result' })
    await petri.clock.advance({ until: 'idle' })
    const { interpretation } = await petri.orders.get(order.id)
    const mounted = new Hono().use((c, next) => next()).route('/sandbox', petri.app)
    const { status } = await mounted.request('/sandbox/v3/lab_tests', { headers: { 'x-service-api-key': petri.apiKey } })
    await petri.close()
    if (status !== 200) throw new Error(\`mounted, the catalogue answered \${status}\`)
    if (interpretation !== 'critical') throw new Error(\`the order at \${url} is \${interpretation}\`)`
  await writeFile(join(folder, 'program.mts'), program)
  await writeFile(join(folder, 'program.cts'), commonjsProgram)
  await writeFile(join(folder, 'program.test.cjs'), nodeTest)
  for (const module of ['nodenext', 'bundler']) await compile(module)
  const nodes = [process.execPath, ...(process.env.CHECK_NODES ?? '').split(' ').filter(Boolean)]
  for (const node of nodes) {
    for (const args of [['program.mjs'], ['program.cjs'], ['--test', 'program.test.cjs']])
      await run(node, args, { cwd: folder })
  }
}

async function compile(resolution) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const module = resolution === 'bundler' ? ['--module', 'preserve', '--noEmit'] : ['--module', 'nodenext']
  const files = resolution === 'bundler' ? ['program.mts'] : ['program.mts', 'program.cts']
  const args = ['--strict', '--target', 'es2022', '--moduleResolution', resolution, ...module, ...types]
  await run(process.execPath, [tsc, ...args, ...files], { cwd: folder }).catch(({ stdout }) => {
    throw new Error(`a program with the published types does not compile (${resolution}):\n${stdout}`)
  })
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`
}
