import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Packs Petri and installs it like a user. Returns the path of its command and the size in MB. */
export function install(folder) {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const npm = (...args) =>
    execFileSync('npm', [...args, '--loglevel', 'error'], { cwd: root, encoding: 'utf8' })
  mkdirSync(folder, { recursive: true })
  execFileSync(process.execPath, [join(root, 'scripts/package.mjs')], { cwd: root, stdio: 'ignore' })
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const target = join(folder, 'installed')
  npm(
    'install',
    '--prefix',
    target,
    '--omit=dev',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    join(root, 'release', `${name}-${version}.tgz`),
  )
  const modules = join(target, 'node_modules')
  const page = join(modules, name, 'dist/page')
  const installedWithPage = sizeOf(modules) / 1e6
  return {
    main: join(modules, name, 'dist/cli/main.js'),
    values: {
      installed: installedWithPage - (existsSync(page) ? sizeOf(page) / 1e6 : 0),
      installedWithPage,
    },
  }
}

function sizeOf(path) {
  const status = lstatSync(path)
  if (!status.isDirectory()) return status.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
