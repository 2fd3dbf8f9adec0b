import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fileOf, platforms } from '../../scripts/binaries/platforms.mjs'
import { makeFolder } from '../support/new-folder.ts'
import { read, root } from '../support/root.ts'

const manifest = JSON.parse(read('package.json'))
const tag = `v${manifest.version}`

interface Step {
  readonly name?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

const { jobs }: { jobs: Record<string, { readonly steps: readonly Step[] }> } = parse(
  readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'),
)

/** A folder with what the scripts of the release need of a clone. */
function clone(): string {
  const folder = makeFolder('petri-release-')
  for (const name of ['scripts', 'clients/python', 'package.json', 'packaging'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

interface Dry {
  readonly ref?: string
  /** Programs that stand in for those that publish, by name. */
  readonly programs?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a step of a job in a folder, as the runner does. */
function step(folder: string, job: string, name: string, { ref = tag, programs = {}, env = {} }: Dry = {}) {
  const { run } = jobs[job]?.steps.find((each) => each.name === name) ?? {}
  if (run === undefined) throw new Error(`no step ${name} in ${job}`)
  const bin = makeFolder('petri-bin-')
  for (const [program, text] of Object.entries(programs))
    writeFileSync(join(bin, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const path = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
    cwd: folder,
    env: { PATH: path, HOME: folder, GITHUB_REF_NAME: ref, ...env },
    encoding: 'utf8',
  })
}

/** What the jobs for the binaries hand on: files in place of the binaries, from two systems. */
function built(folder: string): void {
  for (const [platform] of Object.entries(platforms)) {
    const system = join(
      folder,
      'built',
      platform.startsWith('macos') ? 'binaries-macos-latest' : 'binaries-ubuntu-latest',
    )
    mkdirSync(system, { recursive: true })
    for (const name of [fileOf(platform), `${fileOf(platform)}.gz`]) {
      writeFileSync(join(system, name), name)
      const sum = createHash('sha256').update(name).digest('hex')
      writeFileSync(join(system, 'SHA256SUMS'), `${sum}  ${name}\n`, { flag: 'a' })
    }
    writeFileSync(join(system, 'petri.cdx.json'), '{}')
  }
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

/** A Python that can build wheels without a network, in an environment that has pip. */
const python = ['/usr/bin/python3', 'python3'].find(
  (each) => spawnSync(each, ['-c', 'import setuptools, wheel, venv, ensurepip']).status === 0,
)

// Nothing is published: npm runs with --dry-run, other programs that publish are stand-ins that write down what they get.
// Making an environment of Python takes a minute on a busy machine.
describe('the release of a tag, without publishing', { timeout: 300_000 }, () => {
  it('is refused when the tag is not the version of the package', () => {
    const name = 'The tag is the version of the package'
    expect(step(root, 'package', name).status).toBe(0)
    expect(step(root, 'package', name, { ref: 'v9.9.9' }).status).toBe(1)
  })

  it('publishes the package to npm', () => {
    const folder = clone()
    mkdirSync(join(folder, 'release/package'), { recursive: true })
    const { name, version } = manifest
    writeFileSync(join(folder, 'release/package/package.json'), JSON.stringify({ name, version }))
    execFileSync('npm', ['pack', './package'], { cwd: join(folder, 'release'), stdio: 'ignore' })
    const { status, stdout, stderr } = step(folder, 'package', 'Publish to the default registry of npm', {
      env: {
        npm_config_dry_run: 'true',
        npm_config_registry: 'http://127.0.0.1:9/',
        npm_config_fetch_retries: '0',
      },
    })
    expect({ status, stdout, stderr }).toMatchObject({
      status: 0,
      stdout: `+ ${name}@${version}\n`,
      stderr: expect.stringContaining('(dry-run)'),
    })
  })

  it('builds the wheel that PyPI gets', ({ skip }) => {
    if (!python) return skip('there is no Python with setuptools, wheel and venv')
    const folder = clone()
    const environment = makeFolder('petri-venv-')
    execFileSync(python, ['-m', 'venv', '--system-site-packages', environment])
    const { status, stderr } = step(folder, 'python', 'Build the wheel', {
      programs: { python: `exec ${environment}/bin/python "$@"` },
      env: { PIP_NO_INDEX: '1', PIP_NO_BUILD_ISOLATION: '0' },
    })
    expect({ status, stderr }).toAnswer(0)
    expect(readdirSync(join(folder, 'release/wheels'))).toEqual([
      `petri_sandbox-${manifest.version}-py3-none-any.whl`,
    ])
  })

  it('builds a binary for each system', () => {
    const platformsOfJob = jobs.binaries?.steps.map(({ env }) => env?.PLATFORMS ?? '').join(' ')
    for (const platform of Object.keys(platforms)) expect(platformsOfJob).toContain(platform)
  })

  it('publishes the binaries with one list of checksums, their packages, and tags of the modules of Go', () => {
    const folder = clone()
    built(folder)
    git(folder, 'init', '--quiet')
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'A release')
    const remote = makeFolder('petri-remote-')
    git(remote, 'init', '--quiet', '--bare')
    git(folder, 'remote', 'add', 'origin', remote)
    const steps = [
      'Put the binaries and their checksums together',
      'Write the packages',
      'Tag the modules of Go, which Go finds by tags that begin with their folder',
      'Publish the downloads',
    ]
    const programs = { gh: 'printf "%s\\n" "$@" > gh.txt' }
    for (const name of steps) {
      const { status, stdout, stderr } = step(folder, 'downloads', name, { programs })
      expect({ name, status, output: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({
        name,
        status: 0,
        output: '',
      })
    }
    expect(git(remote, 'tag').trim().split('\n')).toEqual([
      `clients/go/petricontainer/${tag}`,
      `clients/go/${tag}`,
    ])
    const [, , ref, , ...files] = readFileSync(join(folder, 'gh.txt'), 'utf8').trim().split('\n')
    expect(ref).toBe(tag)
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([])
    for (const platform of Object.keys(platforms))
      expect(files).toContain(`release/binaries/${fileOf(platform)}.gz`)
    for (const file of ['release/binaries/SHA256SUMS', 'packaging/install.sh']) expect(files).toContain(file)
  })
})
