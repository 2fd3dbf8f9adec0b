import fs, { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { field } from '../support/field.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { postUser } from '../support/orders.ts'
import type { TestPetri } from '../support/petri.ts'
import { replaceIn } from '../support/replace-in.ts'

const restorers: (() => void)[] = []
const healed = () => {
  for (const restore of restorers.splice(0)) restore()
}
afterEach(healed)

/** From now on a call of the file system fails for the paths that match, until `healed()`. */
function failing(
  name: 'renameSync' | 'readFileSync' | 'readdirSync' | 'openSync',
  path: RegExp,
  code = 'EIO',
) {
  const real = fs[name] as (...given: unknown[]) => unknown
  const fake = (...given: unknown[]) => {
    if (path.test(String(given[0]))) throw Object.assign(new Error(`${code}: it failed`), { code })
    return real(...given)
  }
  restorers.push(replaceIn(fs, { [name]: fake }))
}

function failingLater(name: 'rm' | 'open', path: RegExp, code = 'EIO') {
  const real = fs.promises[name] as (...given: unknown[]) => Promise<unknown>
  const fake = async (...given: unknown[]) => {
    if (path.test(String(given[0]))) throw Object.assign(new Error(`${code}: it failed`), { code })
    return real(...given)
  }
  restorers.push(replaceIn(fs.promises, { [name]: fake }))
}

const warnings: string[] = []
const newFolder = () => {
  warnings.length = 0
  return dataFolder((text) => warnings.push(text))
}
const health = async (petri: TestPetri) => (await petri.read('/_petri/health')).status

async function worldWithSnapshot(petri: TestPetri) {
  const { team_id, api_key } = (await petri.post('/_petri/worlds', { frozen: true })).body
  const key = { 'x-service-api-key': api_key }
  expect(await petri.put('/_petri/snapshots/mine', undefined, key)).toAnswer(200)
  return { team_id, key, path: `/_petri/worlds/${team_id}` }
}
const snapshotsOf = async (petri: TestPetri, key: Record<string, string>) =>
  (await petri.read('/_petri/snapshots', key)).data.map(field('name'))

describe('a deletion of a world', () => {
  it('that fails before its folder is renamed is refused, and nothing is gone', async () => {
    const folder = newFolder()
    const petri = await folder.start()
    const { key, path } = await worldWithSnapshot(petri)
    failing('renameSync', /worlds/)
    expect(await petri.delete(path)).toAnswer(507)
    healed()
    expect(await snapshotsOf(petri, key)).toEqual(['mine'])
    expect(await postUser(petri, 'ada', key)).toAnswer(200)
    expect(await petri.delete(path)).toAnswer(204)
    await petri.close()
  })

  it.each([
    ['the rest of its folder', /\.removed$/],
    ['its snapshots', /snapshots/],
  ])('that cannot delete %s is done, with a warning; the next start tidies up', async (_, which) => {
    const folder = newFolder()
    const petri = await folder.start()
    const { team_id, path } = await worldWithSnapshot(petri)
    failingLater('rm', which)
    expect(await petri.delete(path)).toAnswer(204)
    expect(warnings).toEqual([expect.stringContaining('which the next start tries again')])
    expect(await postUser(petri, 'ada')).toAnswer(200)
    expect((await petri.read('/_petri/worlds')).data).toHaveLength(1)
    healed()
    await petri.close()
    const again = await folder.start()
    expect(readdirSync(join(folder.root, 'worlds')).filter((name) => name.startsWith(team_id))).toEqual([])
    expect(existsSync(join(folder.root, 'snapshots', team_id))).toBe(false)
    expect(again.petri.worlds.all()).toHaveLength(1)
    await again.close()
  })
})

describe('a snapshot', () => {
  it('is stored once its file has its name; a folder that cannot be synced is a warning', async () => {
    const folder = newFolder()
    const petri = await folder.start()
    await worldWithSnapshot(petri)
    const { teamId } = petri.world().identity
    expect(await petri.put('/_petri/snapshots/first')).toAnswer(200)
    failingLater('open', new RegExp(`snapshots.${teamId}$`))
    expect(await petri.put('/_petri/snapshots/second')).toAnswer(200)
    expect(warnings).toEqual([expect.stringContaining('may not survive a power failure')])
    healed()
    expect(await snapshotsOf(petri, {})).toEqual(['first', 'second'])
    await petri.close()
  })

  it('that cannot be read is left out of the list by name, and the others can be used', async () => {
    const folder = newFolder()
    const petri = await folder.start()
    for (const name of ['a', 'b', 'c']) await petri.put(`/_petri/snapshots/${name}`)
    failing('openSync', /b\.json$/)
    const { status, body } = await petri.get('/_petri/snapshots')
    expect([status, body.data.map(field('name'))]).toEqual([200, ['a', 'c']])
    expect(body.unreadable).toEqual([{ name: 'b', reason: 'EIO: it failed' }])
    expect(await petri.put('/_petri/snapshots/d')).toAnswer(200)
    expect(await petri.post('/_petri/snapshots/b/restore')).toAnswer(507)
    expect(await petri.post('/_petri/snapshots/a/restore')).toAnswer(200)
    healed()
    expect(await snapshotsOf(petri, {})).toEqual(['a', 'b', 'c', 'd'])
    await petri.close()
  })
})

it('a world whose new folder cannot be scanned is refused, and none is made', async () => {
  const folder = newFolder()
  const petri = await folder.start()
  failing('readdirSync', /worlds/)
  expect(await petri.post('/_petri/worlds')).toRefuse(507, expect.stringContaining('nothing of this call'))
  healed()
  expect((await petri.read('/_petri/worlds')).data).toHaveLength(1)
  await petri.close()
  const again = await folder.start()
  expect(again.petri.worlds.all()).toHaveLength(1)
  await again.close()
})

/** Lets more time pass than a holder trusts what it knows of its lock. */
const looksAgain = () => vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 200)

describe('the lock', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each(['EIO', 'ESTALE', 'EACCES', 'EMFILE'])(
    'that cannot be read (%s) is not lost: changes are refused until it can',
    async (code) => {
      const folder = newFolder()
      const petri = await folder.start()
      failing('readFileSync', /petri\.lock$/, code)
      looksAgain()
      expect(await postUser(petri, 'lost')).toAnswer(507)
      expect(await health(petri)).toBe('degraded')
      healed()
      await petri.petri.maintain()
      expect(await postUser(petri, 'kept')).toAnswer(200)
      expect(await health(petri)).toBe('ok')
      await petri.close()
    },
  )

  it('that was created although the call said that it exists is not lost', async () => {
    const folder = newFolder()
    const petri = await folder.start()
    const path = join(folder.root, 'petri.lock')
    const own = fs.readFileSync(path, 'utf8')
    fs.rmSync(path)
    const { openSync } = fs
    restorers.push(
      replaceIn(fs, {
        openSync: ((...given: Parameters<typeof openSync>) => {
          if (given[0] !== path) return openSync(...given)
          fs.writeFileSync(path, own)
          throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
        }) as typeof openSync,
      }),
    )
    looksAgain()
    expect(await postUser(petri, 'kept')).toAnswer(200)
    healed()
    await petri.close()
  })
})
