// Installs the dependencies and builds, unless both are up to date. `npm start` and the tests do so first, and what runs dist/.
//   node scripts/prepare.mjs [--omit=dev] [--no-build]
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isBuilt } from './built.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
/** npm tries again after 10 and 60 s by itself, so that a start without a network took four minutes to fail. */
const PATIENCE = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
const UNREACHED =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/

/** Installs and builds what is missing, with a line on stderr for each step. Ends the process if a step fails. */
export function prepare({ dev = true, build = true } = {}) {
  const locked = packagesOf('package-lock.json')
  const installed = installedPackages()
  // `npm ci` would remove the tools of somebody who has them.
  const withTools = dev || Object.values(installed).some((found) => found.dev)
  if (!isInstalled(locked, installed, withTools)) install(withTools)
  // In a process of its own, whose memory Petri does not keep.
  if (build && !isBuilt()) run('Building', [process.execPath, join(root, 'scripts/build.mjs')])
}

/** Whether node_modules holds what the lockfile names. Packages for other systems may be missing. */
function isInstalled(locked, installed, withTools) {
  return Object.entries(locked).every(([path, { version, optional, dev, devOptional, os, cpu, libc }]) => {
    if (path === '' || (dev && !withTools)) return true
    const isForThisSystem = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc
    if ((optional || devOptional) && !isForThisSystem && !(path in installed)) return true
    return installed[path]?.version === version && existsSync(join(root, path, 'package.json'))
  })
}

function install(withTools) {
  // npm is run by its file, because Windows cannot start its script without a shell.
  const npm = process.env.npm_execpath
  const args = ['ci', withTools ? '--include=dev' : '--omit=dev', '--loglevel=error', ...PATIENCE]
  const step = withTools
    ? 'Installing the dependencies, with the tools for tests and checks (npm ci)'
    : 'Installing what Petri runs with (npm ci --omit=dev)'
  run(step, [...(npm ? [process.execPath, npm] : ['npm']), ...args], (output) => {
    if (!UNREACHED.test(output)) return output
    const registry = /request to (https?:\/\/[^/\s]+)/.exec(output)?.[1] ?? 'its registry'
    return `npm does not reach ${registry}. Only installing needs a network, or a registry that \`npm config set registry URL\` names.`
  })
}

const packagesOf = (lockfile) => JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages

/** npm writes its list last, so a broken off install has none. */
function installedPackages() {
  try {
    return packagesOf('node_modules/.package-lock.json')
  } catch {
    return {}
  }
}

function run(step, [command, ...args], explain = (output) => output) {
  process.stderr.write(`${step}…`)
  const startedAt = performance.now()
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status === 0)
    return console.error(
      ` done in ${Math.round((performance.now() - startedAt) / 1000)} s\n${stderr}`.trimEnd(),
    )
  console.error(` failed\n${explain(error?.message ?? `${stdout}${stderr}`)}`.trimEnd())
  process.exit(status || 1)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const flags = process.argv.slice(2)
  prepare({ dev: !flags.includes('--omit=dev'), build: !flags.includes('--no-build') })
}
