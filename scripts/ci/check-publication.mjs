// Publishes Petri as a tag does, to a registry on this machine, and installs it from there into an empty folder.
// Writes release/package as `npm run package` does. Left out, with a line that says so, where the registry cannot be installed.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '../bundle.mjs'
import { withRunningPetri } from '../running-petri.mjs'
import { moduleProgram } from './check-package-programs.mjs'

const run = promisify(execFile)
const INSTALL_MS = 120_000
const START_MS = 60_000
const MAX_OUTPUT = 2 ** 26
const REGISTRY = {
  private: true,
  // 6.10 does not start with Node 20.
  dependencies: { verdaccio: '~6.2.4' },
  // It names this one by a tag, which not every mirror of a registry has.
  overrides: { 'node-fetch': '2.7.0' },
}

const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const folder = await mkdtemp(join(tmpdir(), 'petri-publication-'))
try {
  const verdaccio = await installRegistry()
  if (verdaccio) await withRegistry(verdaccio, check)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function installRegistry() {
  const where = join(folder, 'verdaccio')
  await mkdir(where)
  await writeFile(join(where, 'package.json'), JSON.stringify(REGISTRY))
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  try {
    await run('npm', args, { cwd: where, timeout: INSTALL_MS })
  } catch ({ stderr, message }) {
    const reason = (stderr || message).trim().split('\n')[0]
    console.log(
      `left out: publishing to a registry on this machine, because none can be installed: ${reason}`,
    )
    return undefined
  }
  return join(where, 'node_modules/verdaccio/bin/verdaccio')
}

/** Starts the registry, which asks npm's own for other packages, and stops it whatever happens. */
async function withRegistry(verdaccio, use) {
  const { stdout: upstream } = await run('npm', ['config', 'get', 'registry'])
  const config = join(folder, 'registry.json')
  const access = { access: '$all', publish: '$all' }
  const settings = {
    storage: join(folder, 'storage'),
    uplinks: { npm: { url: upstream.trim() } },
    packages: { [name]: access, '**': { access: '$all', proxy: 'npm' } },
    max_body_size: '100mb',
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'error' },
  }
  await writeFile(config, JSON.stringify(settings))
  const address = `127.0.0.1:${await freePort()}`
  const args = [verdaccio, '--config', config, '--listen', address]
  // Its warnings are about users of the machine.
  const registry = spawn(process.execPath, ['--no-warnings', ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(registry, 'exit')
  try {
    await answers(`http://${address}/-/ping`, registry)
    await use(`http://${address}/`)
  } finally {
    registry.kill()
    await ended
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function answers(url, registry) {
  const end = Date.now() + START_MS
  while (Date.now() < end && registry.exitCode === null) {
    const reached = await fetch(url).catch(() => undefined)
    if (reached?.ok) return
    await delay(100)
  }
  throw new Error('the registry did not start')
}

async function check(registry) {
  const publish = npmWith(registry, await stage())
  await publish('publish', '--dry-run')
  await publish('publish')
  const { stderr } = await publish('publish').catch((error) => error)
  if (!/cannot publish over|EPUBLISHCONFLICT|E409/i.test(stderr))
    throw new Error(`${version} was to be refused the second time: ${stderr}`)
  passed(`${name} ${version} is published, once`)

  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  const npm = npmWith(registry, project)
  await npm('install', '--save-dev', '--ignore-scripts', '--no-audit', '--no-fund', name)
  const installed = JSON.parse(await readFile(join(project, 'node_modules', name, 'package.json'), 'utf8'))
  if (installed.version !== version) throw new Error(`version ${installed.version} was installed`)
  for (const command of Object.keys(installed.bin)) await start(project, command)
  await compile(project)
  await run(process.execPath, ['program.mjs'], { cwd: project })
  passed('installed from there, both commands start it, and a program with its types compiles and runs')
}

/** What is published, without what keeps placeholders and machines without an identity from it. */
async function stage() {
  const { stdout } = await run('npm', ['run', '--silent', 'package'], { cwd: root, maxBuffer: MAX_OUTPUT })
  console.log(stdout.trim().split('\n').at(-1))
  const staged = join(folder, 'package')
  await cp(join(root, 'release/package'), staged, { recursive: true })
  const file = join(staged, 'package.json')
  const { private: _, publishConfig: __, ...manifest } = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify(manifest, null, 2))
  return staged
}

function npmWith(registry, cwd) {
  // It takes everybody's packages; npm wants a token all the same.
  const options = [`--registry=${registry}`, `--${registry.replace('http:', '')}:_authToken=none`]
  const cache = `--cache=${join(folder, 'cache')}`
  return (...args) => run('npm', [...args, ...options, cache], { cwd, maxBuffer: MAX_OUTPUT })
}

async function start(project, command) {
  await withRunningPetri(join(project, 'node_modules/.bin', command), [], async (url) => {
    const { version: running } = await (await fetch(`${url}/_petri/health`)).json()
    if (running !== version) throw new Error(`${command} start is version ${running}`)
  })
}

async function compile(project) {
  await writeFile(join(project, 'program.mts'), moduleProgram)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const args = ['--strict', '--target', 'es2022', '--module', 'nodenext', ...types, 'program.mts']
  await run(process.execPath, [tsc, ...args], { cwd: project }).catch(({ stdout }) => {
    throw new Error(`a program with the published types does not compile:\n${stdout}`)
  })
}

function passed(what) {
  console.log(`ok: ${what}`)
}
