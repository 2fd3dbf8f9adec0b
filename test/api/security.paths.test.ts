import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileFolder } from '../../src/storage/folder.ts'
import { methodOf, shoot } from '../support/attack.ts'
import { makeFolder } from '../support/new-folder.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { rounds, sampler } from '../support/rounds.ts'

let around: string
let petri: TestPetri
beforeAll(async () => {
  around = makeFolder('petri-paths-')
  petri = await startTestPetri({
    folder: await fileFolder(join(around, 'data', '.petri'), { warn: () => undefined }),
  })
})
afterAll(async () => {
  await petri.close()
  rmSync(around, { recursive: true })
})

/** As they stand in a URL: some are decoded once, some twice, some not at all. */
const names = [
  '..',
  '.',
  '../evil',
  '..%2fevil',
  '%2e%2e%2fevil',
  '%2e%2e',
  '%252e%252e%252fevil',
  '..%5cevil',
  '..\\evil',
  '%2fetc%2fpasswd',
  '/etc/passwd',
  'evil%00',
  'evil%00.json',
  '%00',
  '....//evil',
  'CON',
  'nul',
  'evil%2f',
  'c:%5cevil',
  '~evil',
  '.evil',
  '..evil',
  'evil%0a',
  '%ff%fe',
  '%',
  'evil.',
  '%c0%ae%c0%ae%c0%afevil',
  'a'.repeat(300),
  'evil%20',
  '-rf',
]

const files = () =>
  readdirSync(around, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/data[\\/]\.petri[\\/](worlds[\\/][\w-]+|petri\.lock)/.test(name),
  )

describe('a name that leads out of its folder', () => {
  // Every operation is called with a third of the names; with each of them where TEST_ROUNDS is set, as in CI.
  it('names nothing, in any call that takes one', { timeout: rounds(60_000), tags: 'slow' }, async () => {
    const isTried = sampler(3)
    const before = files()
    const harms: string[] = []
    const scenario = 'name: evil\nsummary: x\nmethod: testkit\nsteps: []\n'
    for (const operation of petri.petri.operations.filter(({ route }) => route.includes('{'))) {
      if (operation.id === 'petri_wait') continue
      for (const name of names.filter(isTried)) {
        const path = operation.route.slice(operation.route.indexOf(' ') + 1).replace(/\{\w+\}/g, name)
        const { status, text } = await shoot(
          petri,
          methodOf(operation),
          path,
          methodOf(operation) === 'PUT' ? scenario : undefined,
          { 'content-type': 'application/yaml' },
        )
        if (status >= 500 || /root:x:0|ENOENT|EACCES|ENOTDIR|node:internal/.test(text))
          harms.push(`${operation.id} ${path} answered ${status}: ${text.slice(0, 200)}`)
      }
    }
    expect(harms).toEqual([])
    const escaped = files().filter(
      (name) =>
        !before.includes(name) && !/^data[\\/]\.petri[\\/]snapshots([\\/][\w-]+([\\/][\w.-]+)?)?$/.test(name),
    )
    expect(escaped).toEqual([])
  })

  it('names no snapshot and no scenario', async () => {
    for (const name of names) {
      for (const [method, path] of [
        ['PUT', `/_petri/snapshots/${name}`],
        ['POST', `/_petri/snapshots/${name}/restore`],
        ['DELETE', `/_petri/snapshots/${name}`],
      ] as const) {
        const { status } = await shoot(petri, method, path)
        if (status < 300) expect(name, `${method} ${path}`).toMatch(/^(?!\.)[a-z0-9._-]+$/)
        else expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
      }
    }
  })

  it('is not opened even where the store itself is asked', async () => {
    const folder = await fileFolder(join(around, 'other'), { warn: () => undefined })
    for (const name of ['..', '../x', 'a/b', 'a\\b', '', 'a\u0000', '.']) {
      await expect((async () => folder.open(name))()).rejects.toThrow('is not a valid folder name')
      await expect((async () => folder.snapshots(name))()).rejects.toThrow('is not a valid folder name')
      await expect((async () => folder.snapshots('team').find(name))()).rejects.toThrow(
        'is not a valid file name',
      )
    }
    await folder.close()
  })
})
