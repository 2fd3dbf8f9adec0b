import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { read, root } from '../support/root.ts'

const folder = join(root, 'packaging/devcontainer/petri')
const feature = JSON.parse(readFileSync(join(folder, 'devcontainer-feature.json'), 'utf8'))
const { version } = JSON.parse(read('package.json'))

/** Runs the script as an image is built, with stand-ins in place of all programs but those of the shell. */
function install(programs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const bin = makeFolder('petri-')
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const options = { env: { PATH: bin, ...env }, encoding: 'utf8' } as const
  return spawnSync('/bin/sh', [join(folder, 'install.sh')], options)
}

/** An npm that says what it was asked for, and has installed the Petri that is built. */
function npm() {
  const prefix = makeFolder('petri-')
  mkdirSync(join(prefix, 'bin'))
  symlinkSync(main, join(prefix, 'bin/petri'))
  return `[ "$1" = prefix ] && echo ${prefix} || echo "npm $*"`
}

const node = `exec ${process.execPath} "$@"`

describe('the feature for dev containers', { timeout: 60_000 }, () => {
  it('is named after its folder, has the version of the package, and a script that can be run', () => {
    expect(feature).toMatchObject({ id: 'petri', version })
    expect(Object.keys(feature.options)).toEqual(['version'])
    accessSync(join(folder, 'install.sh'), constants.X_OK)
  })

  it.each([
    [feature.options.version.default, {}],
    ['0.1.0', { VERSION: '0.1.0' }],
  ])('installs version %s with npm, and runs it', (wanted, env) => {
    const { status, stdout, stderr } = install({ npm: npm(), node }, env)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toBe(
      `npm install --global --ignore-scripts --no-audit --no-fund petri-sandbox@${wanted}\n${version}\n`,
    )
  })

  it('fails when npm does', () => {
    expect(install({ npm: 'echo no such version >&2; exit 1', node })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'no such version\n',
    })
  })

  it('says what is missing without Node', () => {
    expect(install({})).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'Petri needs Node 20.19 or later: add the feature ghcr.io/devcontainers/features/node.\n',
    })
  })
})
