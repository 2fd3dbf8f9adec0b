import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url))
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** What npm notes of the packages that it has installed: without those for other systems. */
const installed = (version: string) => JSON.stringify({ packages: { 'node_modules/one': { version } } })

const lockfile = JSON.stringify({
  packages: {
    '': {},
    'node_modules/one': { version: '1.0.0' },
    'node_modules/other-system': { version: '1.0.0', optional: true },
  },
})

const newFolder = () => mkdtempSync(join(tmpdir(), 'petri-start-'))

/** A repository with a dependency, an npm that installs it, and a build that writes one file, which prints its arguments. */
function writeRepository(folder: string): void {
  const write = writerIn(folder)
  for (const name of ['LICENSE', 'tsconfig.json', 'src/a.ts', 'seeds/a.json', 'scenarios/a.yaml'])
    write(name, '{}')
  write('package.json', '{ "type": "module" }')
  write('package-lock.json', lockfile)
  write('node_modules/.package-lock.json', installed('1.0.0'))
  write('node_modules/one/package.json', '{}')
  write(
    'npm.cjs',
    `const { mkdirSync, writeFileSync } = require('node:fs')
     console.log('npm', ...process.argv.slice(2))
     if (process.env.FAIL) process.exit(7)
     mkdirSync('node_modules/one', { recursive: true })
     writeFileSync('node_modules/.package-lock.json', '${installed('1.0.0')}')`,
  )
  write(
    'scripts/build.mjs',
    `import { mkdirSync, writeFileSync } from 'node:fs'
     import { forgetBuild, hashOfInputs, recordBuild } from './built.mjs'
     const inputs = hashOfInputs()
     forgetBuild()
     if (process.env.FAIL) process.exit(3)
     mkdirSync('dist/cli', { recursive: true })
     writeFileSync('dist/cli/main.js', 'console.log(process.argv.slice(2).join(" "))')
     recordBuild(inputs)`,
  )
  for (const name of ['built.mjs', 'prepare.mjs', 'start.mjs'])
    copyFileSync(join(scripts, name), join(folder, 'scripts', name))
}

const writerIn = (folder: string) => (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function startIn(folder: string, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', '--frozen'], {
    cwd: folder,
    env: { PATH: process.env.PATH, npm_execpath: join(folder, 'npm.cjs'), ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr: stderr.replace(/in \d+ s/g, 'in 0 s') }
}

/** A copy of a repository, which is removed after the test. */
function copyOf(template: string) {
  const folder = newFolder()
  folders.push(folder)
  cpSync(template, folder, { recursive: true })
  return { folder, write: writerIn(folder), start: (env = {}) => startIn(folder, env) }
}

const [source, builtOnce] = [newFolder(), newFolder()]
beforeAll(() => {
  for (const template of [source, builtOnce]) writeRepository(template)
  expect(startIn(builtOnce).status).toBe(0)
})
afterAll(() => {
  for (const template of [source, builtOnce]) rmSync(template, { recursive: true })
})

/** A repository that is installed, and one that is also built. */
const repository = () => copyOf(source)
const builtRepository = () => copyOf(builtOnce)

const built = { status: 0, stdout: 'start --frozen\n', stderr: 'Building…\n  done in 0 s\n' }
const notBuilt = { ...built, stderr: '' }
const installing = 'Installing dependencies (npm ci)…\nnpm ci --include=dev --silent\n'
const installedAndBuilt = { ...built, stderr: `${installing}  done in 0 s\n${built.stderr}` }

describe('npm start', () => {
  it('builds what is not built, says so, and starts with the flags', () => {
    const { start } = repository()
    expect(start()).toEqual(built)
    expect(start()).toEqual(notBuilt)
  })

  it.each([
    ['a source has changed', 'src/a.ts'],
    ['a source is new', 'src/b.ts'],
    ['the build has changed', 'scripts/extra.mjs'],
    ['the manifest has changed', 'package.json'],
    ['a part of the last build was written over', 'dist/cli/main.js'],
  ])('builds again when %s', (_, path) => {
    const { start, write } = builtRepository()
    write(path, '{ "type": "module", "changed": true }')
    expect(start()).toEqual(built)
    expect(start()).toEqual(notBuilt)
  })

  it('builds again when a part of the last build is gone', () => {
    const { folder, start } = builtRepository()
    rmSync(join(folder, 'dist/cli/main.js'))
    expect(start()).toEqual(built)
  })

  it('builds nothing when files are only touched, or others change', () => {
    const { folder, start, write } = builtRepository()
    utimesSync(join(folder, 'src/a.ts'), 0, 0)
    write('README.md', 'changed')
    write('test/a.test.ts', 'changed')
    expect(start()).toEqual(notBuilt)
  })

  it('ends when the build fails, and builds again the next time', () => {
    const { start, write } = builtRepository()
    write('src/a.ts', 'changed')
    expect(start({ FAIL: '1' })).toEqual({
      status: 3,
      stdout: '',
      stderr: 'Building…\nBuilding failed\n',
    })
    expect(start()).toEqual(built)
  })

  it.each([
    ['nothing is installed', (folder: string) => rmSync(join(folder, 'node_modules'), { recursive: true })],
    ['a package is gone', (folder: string) => rmSync(join(folder, 'node_modules/one'), { recursive: true })],
    [
      'another version is installed',
      (folder: string) => writeFileSync(join(folder, 'node_modules/.package-lock.json'), installed('0.9.0')),
    ],
  ])('installs when %s, says so, and builds what was built with other dependencies', (_, change) => {
    const { folder, start } = builtRepository()
    change(folder)
    const changed = start()
    expect(changed.stderr).toContain(installing)
    expect(changed.stdout).toBe(built.stdout)
    expect(start()).toEqual(notBuilt)
  })

  it('installs and builds in a fresh clone', () => {
    const { folder, start } = repository()
    rmSync(join(folder, 'node_modules'), { recursive: true })
    expect(start()).toEqual(installedAndBuilt)
  })

  it('ends when installing fails', () => {
    const { folder, start } = repository()
    rmSync(join(folder, 'node_modules'), { recursive: true })
    expect(start({ FAIL: '1' })).toEqual({
      status: 7,
      stdout: '',
      stderr: `${installing}Installing dependencies (npm ci) failed\n`,
    })
  })
})
