import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { fileFolder } from '../../src/storage/folder.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { createUser } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder with a pipe that nobody writes to: whoever reads it waits for ever. */
function folderWithPipe(name: string): { readonly folder: string; readonly pipe: string } {
  const folder = makeFolder('petri-hostile-')
  folders.push(folder)
  const pipe = join(folder, name)
  execFileSync('mkfifo', [pipe])
  return { folder, pipe }
}

const NO_FILE = 'is a pipe or a device, not a file'

describe('what is no file', () => {
  it.each(['pipe', 'link'])('is not read among scenarios: a %s', async (kind) => {
    const { folder, pipe } = folderWithPipe(kind === 'pipe' ? 'mine.yaml' : 'hidden')
    if (kind === 'link') symlinkSync(pipe, join(folder, 'mine.yaml'))
    const { status, stdout, stderr } = await runPetri(['scenario', 'check', folder])
    expect(status).toBe(1)
    expect(stdout + stderr).toContain(NO_FILE)
  })

  it('does not keep a scenario from being checked that lies beside its folder', {
    tags: 'slow',
  }, async () => {
    const { folder } = folderWithPipe('pipe')
    mkdirSync(join(folder, 'elsewhere'))
    writeFileSync(join(folder, 'elsewhere/feeds'), '')
    const file = join(folder, 'mine.yaml')
    writeFileSync(
      file,
      'name: mine\nsummary: A test.\nmethod: testkit\nsteps:\n  - after: 1h\n    status: cancelled\n',
    )
    expect((await runPetri(['scenario', 'check', file])).stdout).toBe(`${file}: valid\n`)
  })

  it('is not read among seeds', () => {
    const { folder } = folderWithPipe('labs.json')
    expect(() => createCatalogue([folder]).labs).toThrow(NO_FILE)
  })

  it.each([['scenario', 'check'], ['scenario', 'from'], ['drift'], ['state', 'import']])(
    'is not read by petri %s',
    { tags: 'slow' },
    async (...command) => {
      const { pipe } = folderWithPipe('input')
      for (const path of [pipe, '/dev/zero']) {
        const { status, stderr, stdout } = await runPetri([...command, path])
        expect(status).toBeGreaterThan(0)
        expect(stdout + stderr).toContain(`${path} ${NO_FILE}`)
      }
    },
  )
})

describe('the files of a data folder', () => {
  it('are for the user alone', { tags: 'slow' }, async () => {
    const root = join(makeFolder('petri-modes-'), 'deep', 'data')
    folders.push(root)
    const folder = await fileFolder(root, { warn: () => undefined })
    const petri = await startTestPetri({ folder })
    await createUser(petri, 'ada')
    await petri.put('/_petri/snapshots/one')
    await petri.close()
    await folder.close()
    const modes = new Map<string, string>()
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      modes.set(relative(root, path), (statSync(path).mode & 0o777).toString(8))
      expect([path, modes.get(relative(root, path))]).toEqual([path, entry.isDirectory() ? '700' : '600'])
    }
    expect(modes.size).toBeGreaterThan(5)
    expect((statSync(root).mode & 0o777).toString(8)).toBe('700')
  })
})
