import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder } from '../support/new-folder.ts'

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url))
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const bundler = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }
const tool = { version: '1.0.0', dev: true }
/** What npm notes of the packages that it has installed: without those for other systems. */
const installed = (version: string, others = {}) =>
  JSON.stringify({
    packages: { 'node_modules/one': { version }, 'node_modules/bundler': bundler, ...others },
  })

const lockfile = JSON.stringify({
  packages: {
    '': {},
    'node_modules/one': { version: '1.0.0' },
    'node_modules/bundler': bundler,
    'node_modules/other-system': { ...bundler, os: ['other'] },
    'node_modules/other-processor': { ...bundler, cpu: ['other'] },
    'node_modules/tool': tool,
  },
})

const newFolder = () => makeFolder('petri-start-')

/** A repository with a dependency, an npm that installs it, and a build that writes one file, which prints its arguments. */
function writeRepository(folder: string): void {
  const write = writerIn(folder)
  for (const name of ['LICENSE', 'tsconfig.json', 'src/a.ts', 'seeds/a.json', 'scenarios/a.yaml'])
    write(name, '{}')
  write('package.json', '{ "type": "module" }')
  write('package-lock.json', lockfile)
  write('node_modules/.package-lock.json', installed('1.0.0'))
  for (const name of ['one', 'bundler']) write(`node_modules/${name}/package.json`, '{}')
  write(
    'npm.cjs',
    `const { appendFileSync, mkdirSync, rmSync, writeFileSync } = require('node:fs')
     appendFileSync('npm.log', process.argv.slice(2, 5).join(' ') + '\\n')
     if (process.env.FAIL) return console.error(process.env.FAIL), process.exitCode = 7
     const dev = !process.argv.includes('--omit=dev')
     rmSync('node_modules', { recursive: true, force: true })
     for (const name of ['one', 'bundler', ...(dev ? ['tool'] : [])]) {
       mkdirSync('node_modules/' + name, { recursive: true })
       writeFileSync('node_modules/' + name + '/package.json', '{}')
     }
     const tools = ${JSON.stringify(installed('1.0.0', { 'node_modules/tool': tool }))}
     writeFileSync('node_modules/.package-lock.json', dev ? tools : ${JSON.stringify(installed('1.0.0'))})`,
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

function startIn(folder: string, env = {}, command = ['start.mjs', '--frozen']) {
  const [script = '', ...args] = command
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', script), ...args], {
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
  return {
    folder,
    write: writerIn(folder),
    start: (env = {}) => startIn(folder, env),
    prepare: (...flags: string[]) => startIn(folder, {}, ['prepare.mjs', ...flags]),
    /** The commands of npm so far. */
    npm: () => (existsSync(join(folder, 'npm.log')) ? readFileSync(join(folder, 'npm.log'), 'utf8') : ''),
  }
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

const built = { status: 0, stdout: 'start --frozen\n', stderr: 'Building… done in 0 s\n' }
const notBuilt = { ...built, stderr: '' }
const installing = 'Installing what Petri runs with (npm ci --omit=dev)…'
const installingTools = 'Installing the dependencies, with the tools for tests and checks (npm ci)…'
const production = 'ci --omit=dev --loglevel=error\n'
const everything = 'ci --include=dev --loglevel=error\n'

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
      stderr: 'Building… failed\n',
    })
    expect(start()).toEqual(built)
  })

  const inModules = (folder: string, path: string) => join(folder, 'node_modules', path)
  it.each([
    ['nothing is installed', (folder: string) => rmSync(inModules(folder, ''), { recursive: true })],
    ['a package is gone', (folder: string) => rmSync(inModules(folder, 'one'), { recursive: true })],
    ['half a package is there', (folder: string) => rmSync(inModules(folder, 'one/package.json'))],
    ['an install was broken off', (folder: string) => rmSync(inModules(folder, '.package-lock.json'))],
    [
      'another version is installed',
      (folder: string) => writeFileSync(inModules(folder, '.package-lock.json'), installed('0.9.0')),
    ],
    [
      'it is that of a Node for another processor',
      (folder: string) => {
        const others = { 'node_modules/bundler': undefined, 'node_modules/other-processor': bundler }
        writeFileSync(inModules(folder, '.package-lock.json'), installed('1.0.0', others))
        rmSync(inModules(folder, 'bundler'), { recursive: true })
      },
    ],
  ])('installs what runs when %s, in one line, and builds nothing again', (_, change) => {
    const { folder, start, npm } = builtRepository()
    change(folder)
    expect(start()).toEqual({ ...notBuilt, stderr: `${installing} done in 0 s\n` })
    expect(start()).toEqual(notBuilt)
    expect(npm()).toBe(production)
  })

  it('builds again with another Node', () => {
    const { folder, start } = builtRepository()
    const other = join(folder, 'other-node.cjs')
    writeFileSync(other, "Object.defineProperty(process, 'version', { value: 'v0.0.0' })")
    expect(start({ NODE_OPTIONS: `--require ${other}` })).toEqual(built)
  })

  it('installs and builds in a fresh clone; what needs the tools installs them, and a start keeps them', () => {
    const { folder, start, prepare, write, npm } = repository()
    rmSync(join(folder, 'node_modules'), { recursive: true })
    expect(start()).toEqual({ ...built, stderr: `${installing} done in 0 s\n${built.stderr}` })
    expect(prepare('--no-build').stderr).toBe(`${installingTools} done in 0 s\n`)
    write('node_modules/.package-lock.json', installed('0.9.0', { 'node_modules/tool': tool }))
    expect(start().stderr).toBe(`${installingTools} done in 0 s\n`)
    expect(npm()).toBe(`${production}${everything}${everything}`)
  })

  it.each([
    ['npm error code E404\nnpm error 404 Not Found', 'npm error code E404\nnpm error 404 Not Found'],
    [
      'npm error code EAI_AGAIN\nnpm error request to https://npm.example/one failed, reason: getaddrinfo EAI_AGAIN npm.example',
      'npm does not reach https://npm.example. Only installing needs a network, or a registry that `npm config set registry URL` names.',
    ],
  ])('ends when installing fails with %s, and installs the next time', (error, said) => {
    const { folder, start } = repository()
    rmSync(join(folder, 'node_modules'), { recursive: true })
    expect(start({ FAIL: error })).toEqual({
      status: 7,
      stdout: '',
      stderr: `${installing} failed\n${said}\n`,
    })
    expect(start().status).toBe(0)
  })
})
