import fs, { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { linkTokens } from '../../src/resources/link/table.ts'
import { fileFolder } from '../../src/storage/folder.ts'
import { goOn, type StoredWorld } from '../support/old-names.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { replaceIn } from '../support/replace-in.ts'

// Stored by the last Petri that called scenarios stories: a folder as a kill leaves it, with a snapshot in it, an exported
// document, and what came of each when that Petri went on with it.
const fixture = new URL('../fixtures/old-names/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, fixture), 'utf8')
const { ends, ...stored }: StoredWorld & { readonly ends: Readonly<Record<string, object>> } = JSON.parse(
  read('ends.json'),
)

const root = mkdtempSync(join(tmpdir(), 'petri-old-names-'))
afterAll(() => rmSync(root, { recursive: true }))
let made = 0
function copyOf(folder: URL | string): string {
  const copy = join(root, String(++made))
  cpSync(folder, copy, { recursive: true })
  return copy
}
const open = async (folder: string) =>
  startTestPetri({ folder: await fileFolder(folder, { warn: (message) => expect.fail(message) }) })

/** The old names of tables and fields in what is stored. */
const stories = (folder: string) =>
  readdirSync(join(folder, 'worlds'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => [
      ...readFileSync(join(parentPath, name), 'utf8').matchAll(/"(?:\w+_)?stor(?:y|ies)":/g),
    ])

describe('a world that was stored with the old names of scenarios', () => {
  it('goes on to the same end', async () => {
    const folder = copyOf(fixture)
    expect(stories(folder)).not.toEqual([])
    const petri = await open(folder)
    expect(stories(folder)).toEqual([])
    expect(await goOn(petri, stored)).toEqual(ends.folder)
    await petri.close()
    expect(stories(folder)).toEqual([])
  })

  it('goes on to the same end from a snapshot', async () => {
    const petri = await open(copyOf(fixture))
    expect((await petri.post('/_petri/snapshots/before/restore')).status).toBe(200)
    expect(await goOn(petri, stored)).toEqual(ends.snapshot)
    await petri.close()
  })

  it('goes on to the same end from an exported document, also where it is taken again', async () => {
    const petri = await startTestPetri()
    for (const document of [read('state.json'), undefined]) {
      const text = document ?? JSON.stringify((await petri.get('/_petri/state')).body)
      await petri.post('/_petri/reset')
      expect((await petri.call('PUT', '/_petri/state', text)).status).toBe(200)
    }
    expect(await goOn(petri, stored)).toEqual(ends.document)
  })

  it('is converted once', async () => {
    const folder = copyOf(fixture)
    const bytes = () =>
      readFileSync(join(folder, 'worlds', '838b3df4-13dc-4032-84d2-d287e52e91b4', 'world.json'))
    await (await open(folder)).close()
    const converted = bytes()
    await (await open(folder)).close()
    expect(bytes()).toEqual(converted)
  })

  it('is whole when the process ends while it is converted', async () => {
    const folder = copyOf(fixture)
    const images: string[] = []
    const imaging =
      <Given extends unknown[], Result>(act: (...given: Given) => Promise<Result>) =>
      async (...given: Given) => {
        images.push(imageOf(folder))
        const result = await act(...given)
        images.push(imageOf(folder))
        return result
      }
    const { open: openFile, rename, rm } = fs.promises
    const all = { open: imaging(openFile), rename: imaging(rename), rm: imaging(rm) }
    const restore = replaceIn(fs.promises, all)
    const petri = await open(folder).finally(restore)
    const whole = await stateIn(petri)
    const distinct = new Map(images.map((image) => [bytesIn(image), image]))
    const isOld = [...distinct.values()].map((image) => stories(image).length > 0)
    expect(new Set(isOld)).toEqual(new Set([true, false]))
    for (const image of distinct.values()) expect(await stateIn(await open(image))).toEqual(whole)
  })
})

/** A copy of the folder as it is now. */
function imageOf(folder: string): string {
  const image = copyOf(folder)
  rmSync(join(image, 'petri.lock'), { force: true })
  return image
}

const bytesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${name} ${readFileSync(join(parentPath, name), 'utf8')}`)
    .join('\n')

async function stateIn(petri: TestPetri): Promise<unknown> {
  const { body } = await petri.get('/_petri/state')
  const tokens = [...petri.world().db.all(linkTokens)]
  await petri.close()
  return [body, tokens]
}
