// Installs the dependencies and builds, unless both are up to date. `npm start` and the tests do so first, and what runs dist/.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isBuilt } from './built.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Installs and builds what is missing, with a line on stderr for each step. Ends the process if a step fails. */
export function prepare() {
  // npm is run by its file, because Windows cannot start its script without a shell.
  const npm = process.env.npm_execpath
  const install = npm ? [process.execPath, npm] : ['npm']
  if (!isInstalled()) run('Installing dependencies (npm ci)', [...install, 'ci', '--include=dev', '--silent'])
  // In a process of its own, whose memory Petri does not keep.
  if (!isBuilt()) run('Building', [process.execPath, join(root, 'scripts/build.mjs')])
}

/** Whether node_modules holds what the lockfile names. Packages for other systems may be missing. */
function isInstalled() {
  try {
    const installed = packagesOf('node_modules/.package-lock.json')
    return Object.entries(packagesOf('package-lock.json')).every(([path, { version, optional }]) => {
      if (path === '' || (optional && !(path in installed))) return true
      return installed[path]?.version === version && existsSync(join(root, path))
    })
  } catch {
    return false
  }
}

const packagesOf = (lockfile) => JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages

function run(step, [command, ...args]) {
  console.error(`${step}…`)
  const startedAt = performance.now()
  // Both commands print results on stdout, which these steps leave alone.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status === 0) return console.error(`  done in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  console.error(`${step} failed${error ? `: ${error.message}` : ''}`)
  process.exit(status || 1)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) prepare()
