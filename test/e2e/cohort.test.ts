import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { personasOf } from '../../src/tools/cohort/plan.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { assertBundle, resourcesOf } from '../support/fhir.ts'
import { KEY } from '../support/petri.ts'
import { type ServedPetri, serveChanged, servePetri } from '../support/served.ts'

// These tests talk to a server on this machine.
beforeEach(() => void vi.unstubAllGlobals())

const newFolder = () => mkdtempSync(join(tmpdir(), 'petri-cohort-'))

/** Runs `petri cohort create` for a small cohort. */
function create(url: string, folder: string | undefined, ...args: string[]) {
  const out = folder === undefined ? [] : ['--out', folder]
  return runPetri(['cohort', 'create', '--size', '2', '--days', '8', ...out, ...args], {
    PETRI_URL: url,
    PETRI_API_KEY: KEY,
  })
}

const rich = [
  '--fhir',
  '--orders',
  'lipid-panel@4d',
  '--series',
  'glucose',
  '--providers',
  'fitbit,dexcom_v3',
]

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

/** The rows of an NDJSON file. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape.
const rowsIn = (folder: string, name: string): any[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const worldsOf = async ({ petri }: ServedPetri) => petri.worlds.all().map(({ identity }) => identity.name)

// Each test creates whole cohorts, some of them several times.
describe('petri cohort create', { timeout: 60_000 }, () => {
  it('writes people, days, results and series as CSV and NDJSON, the same for the same seed', {
    tags: 'slow',
  }, async () => {
    const folders = [newFolder(), newFolder()]
    for (const folder of folders) {
      const { url } = await servePetri()
      const { status, stdout, stderr } = await create(url, folder, ...rich)
      expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('people: 2') })
      expect(stdout).toMatch(/^2 people in the world cohort-demo\.\nAPI key: sk_/)
    }
    const [folder = '', again = ''] = folders
    expect(filesIn(again)).toEqual(filesIn(folder))
    const users = rowsIn(folder, 'users.ndjson')
    expect(users.map((user) => user.client_user_id)).toEqual(['cohort-demo-0001', 'cohort-demo-0002'])
    const bundles = rowsIn(folder, 'fhir.ndjson')
    for (const bundle of bundles) assertBundle(bundle)
    expect(bundles.map((bundle) => resourcesOf(bundle, 'Patient')[0]?.id)).toEqual([
      'cohort-demo-0001',
      'cohort-demo-0002',
    ])
    expect(resourcesOf(bundles[0], 'DiagnosticReport').length).toBeGreaterThan(0)
    const days = rowsIn(folder, 'daily.ndjson')
    const dates = new Set(days.map(({ date }) => date))
    expect([...dates].sort()).toEqual([
      ...['2025-12-28', '2025-12-29', '2025-12-30', '2025-12-31'],
      ...['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'],
    ])
    expect(days.some(({ steps, sleep_total }) => steps > 0 && sleep_total > 0)).toBe(true)
    const results = rowsIn(folder, 'results.ndjson')
    expect(new Set(results.map(({ order_id }) => order_id)).size).toBe(4)
    expect(new Set(results.map(({ slug }) => slug))).toContain('hdl-cholesterol')
    expect(rowsIn(folder, 'series-glucose.ndjson').length).toBeGreaterThan(2 * 8 * 100)
    expect(readFileSync(join(folder, 'results.csv'), 'utf8')).toMatch(
      /,"Cholesterol, Total",.*,(true|false),(true|false),/m,
    )
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    expect(manifest).toMatchObject({ people: 2, plan: { seed: '1', size: 2, days: 8, until: '2026-01-05' } })
    for (const [name, text] of Object.entries(filesIn(folder))) {
      if (name === 'manifest.json') continue
      const rows = text.trimEnd().split('\n').length - (name.endsWith('.csv') ? 1 : 0)
      expect(manifest.files[name], name).toEqual({ rows, bytes: Buffer.byteLength(text) })
    }
  })

  it('gives other people for another seed', { tags: 'slow' }, async () => {
    const { url } = await servePetri()
    const [folder, other] = [newFolder(), newFolder()]
    await create(url, folder)
    await create(url, other, '--seed', '2', '--name', 'other')
    expect(rowsIn(other, 'daily.ndjson')[0].steps).not.toBe(rowsIn(folder, 'daily.ndjson')[0].steps)
  })

  it('continues what was interrupted, and writes the same files', { tags: 'slow' }, async () => {
    const whole = newFolder()
    await create((await servePetri()).url, whole, ...rich)
    const petri = await servePetri()
    const folder = newFolder()
    for (const path of ['/_petri/users', '/_petri/orders', '/v2/link/bulk_import', '/v2/timeseries']) {
      let left = 1
      const failing = await serveChanged(petri, (text, called) =>
        called.startsWith(path) && left-- <= 0 ? 'broken off' : text,
      )
      const { status, stderr } = await create(failing, folder, ...rich)
      expect({ path, status, stderr }).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('not Petri'),
      })
    }
    writeFileSync(join(folder, 'daily.csv'), 'a row that is cut off', { flag: 'a' })
    expect((await create(petri.url, folder, ...rich)).status).toBe(0)
    expect(filesIn(folder)).toEqual(filesIn(whole))
  })

  it('gives personas their shares, and writes what is true of each person', { tags: 'slow' }, async () => {
    const folder = newFolder()
    const { url } = await servePetri()
    expect((await create(url, folder, '--mix', 'athlete=1,none=1')).status).toBe(0)
    expect(rowsIn(folder, 'users.ndjson').map(({ persona }) => persona)).toEqual(['athlete', 'none'])
    const [athlete, other] = rowsIn(folder, 'truth.ndjson')
    expect([athlete.persona, other.persona]).toEqual(['athlete', null])
    expect(athlete).toMatchObject({
      client_user_id: 'cohort-demo-0001',
      from: '2025-12-28',
      until: '2026-01-04',
    })
    const resting = (nth: number) =>
      rowsIn(folder, 'daily.ndjson')
        .filter(({ client_user_id }) => client_user_id === `cohort-demo-000${nth}`)
        .flatMap(({ hr_resting }) => hr_resting ?? [])
    expect(Math.max(...resting(1))).toBeLessThan(55)
  })

  it('leaves the world of the API key alone', { tags: 'slow' }, async () => {
    const petri = await servePetri()
    expect((await create(petri.url, undefined)).status).toBe(0)
    expect((await petri.get('/v2/user')).body.total).toBe(0)
    expect((await petri.get('/_petri/clock')).body.now).toBe('2026-01-05T09:00:00.000Z')
    expect(await worldsOf(petri)).toEqual(['Petri', 'cohort-demo'])
  })

  it.each([
    [['--size', '0'], '--size should be a whole number from 1 to 100000; it is "0".'],
    [['--days', '0'], '--days should be a whole number from 1 to 365; it is "0".'],
    [['--days', '366'], '--days should be a whole number from 1 to 365; it is "366".'],
    [['--mix', 'athlete=many'], 'The weight of "athlete" should be a number above 0; it is "many".'],
    [['--mix', 'athlete=0'], 'The weight of "athlete" should be a number above 0; it is "0".'],
    [['--mix', 'athlete=1,athlete=2'], '--mix has "athlete" twice.'],
    [['--mix', '=1'], '--mix should be persona=weight,…; it is "=1".'],
    [
      ['--orders', 'lipid-panel'],
      '--orders should be panel@interval, such as lipid-panel@90d; it is "lipid-panel".',
    ],
    [['--orders', 'lipid-panel@1h'], '--orders should be a day apart or more; it is "lipid-panel@1h".'],
    [
      ['--orders', 'lipid-panle@5d'],
      'There is no panel "lipid-panle" of labcorp. Did you mean "lipid-panel"?',
    ],
    [['--mix', 'athlet=1'], 'There is no persona "athlet". Did you mean "athlete"?'],
    [['--providers', 'fitbitt'], '--providers has "fitbitt". Did you mean "fitbit"?'],
    [['--series', 'glucos'], '--series has "glucos". Did you mean "glucose"?'],
    [['--name', 'A B'], '--name should be up to 40 small letters, digits and hyphens; it is "A B".'],
    [['--until', 'soon'], '--until should be a date such as 2026-01-31; it is "soon".'],
    [['--until', '2026-02-31'], '--until should be a date such as 2026-01-31; it is "2026-02-31".'],
  ])('refuses %j in one sentence, and leaves nothing behind', async (args, message) => {
    const petri = await servePetri()
    const folder = newFolder()
    const { status, stdout, stderr } = await create(petri.url, folder, ...args)
    expect({ status: status !== 0, stdout, stderr: stderr.trim() }).toEqual({
      status: true,
      stdout: '',
      stderr: message,
    })
    expect(readdirSync(folder)).toEqual([])
    expect(await worldsOf(petri)).toEqual(['Petri'])
  })

  it('refuses a folder with something else, and another plan for the same cohort', {
    tags: 'slow',
  }, async () => {
    const petri = await servePetri()
    const folder = newFolder()
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    expect((await create(petri.url, folder)).stderr).toContain('has files of something else')
    expect(readdirSync(folder)).toEqual(['notes.txt'])
    const mine = newFolder()
    expect((await create(petri.url, mine)).status).toBe(0)
    const before = filesIn(mine)
    expect((await create(petri.url, mine, '--days', '9')).stderr).toContain('holds another cohort')
    expect(filesIn(mine)).toEqual(before)
    expect((await create(petri.url, undefined, '--seed', '2')).stderr).toContain('has the seed "1"')
    expect((await create(petri.url, undefined, '--size', '3')).stderr).toContain(
      'was begun with another plan',
    )
  })
})

describe('the mix of a cohort', () => {
  it.each([
    [{ a: 1 }, 3, 'aaa'],
    [{ a: 3, b: 1 }, 8, 'aabaaaba'],
    [{ a: 0.5, b: 0.5 }, 4, 'abab'],
  ])('%j gives %i people their shares in turn', (mix, size, personas) => {
    expect([...personasOf({ mix, size })].join('')).toBe(personas)
  })

  it('is as near to the weights as it can be, at any size', () => {
    const mix = { a: 5, b: 3, c: 1 }
    for (const size of [1, 7, 9, 100]) {
      const all = [...personasOf({ mix, size })]
      for (const [persona, weight] of Object.entries(mix))
        expect(Math.abs(all.filter((each) => each === persona).length - (size * weight) / 9)).toBeLessThan(1)
    }
  })
})
