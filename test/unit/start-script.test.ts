import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url))
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A repository whose build writes one file, which prints its arguments. */
function repository() {
  const folder = mkdtempSync(join(tmpdir(), 'petri-start-'))
  folders.push(folder)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const name of [
    'LICENSE',
    'package.json',
    'tsconfig.json',
    'node_modules/.package-lock.json',
    'src/a.ts',
  ])
    write(name, '{}')
  write('package.json', '{ "type": "module" }')
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
  for (const name of ['built.mjs', 'start.mjs'])
    copyFileSync(join(scripts, name), join(folder, 'scripts', name))
  const start = (env = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', '--frozen'], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  return { folder, write, start }
}

const built = { status: 0, stdout: 'start --frozen\n', stderr: 'Building…\n' }
const notBuilt = { ...built, stderr: '' }

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
    ['other dependencies are installed', 'node_modules/.package-lock.json'],
    ['a part of the last build was written over', 'dist/cli/main.js'],
  ])('builds again when %s', (_, path) => {
    const { start, write } = repository()
    start()
    write(path, '{ "type": "module", "changed": true }')
    expect(start()).toEqual(built)
    expect(start()).toEqual(notBuilt)
  })

  it('builds again when a part of the last build is gone', () => {
    const { folder, start } = repository()
    start()
    rmSync(join(folder, 'dist/cli/main.js'))
    expect(start()).toEqual(built)
  })

  it('builds nothing when files are only touched, or others change', () => {
    const { folder, start, write } = repository()
    start()
    utimesSync(join(folder, 'src/a.ts'), 0, 0)
    write('README.md', 'changed')
    write('test/a.test.ts', 'changed')
    expect(start()).toEqual(notBuilt)
  })

  it('ends when the build fails, and builds again the next time', () => {
    const { start, write } = repository()
    start()
    write('src/a.ts', 'changed')
    expect(start({ FAIL: '1' })).toEqual({ status: 3, stdout: '', stderr: 'Building…\n' })
    expect(start()).toEqual(built)
  })
})
