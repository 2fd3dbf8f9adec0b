import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { field } from '../support/field.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { KEY } from '../support/petri.ts'
import { type ServedPetri, serveChanged, serveHost, servePetri } from '../support/served.ts'

openNetwork()

const newFolder = () => makeFolder('petri-record-')

const record = (from: string, folder: string, ...args: string[]) =>
  runPetri(['record', '--from', from, '--key', KEY, '--out', folder, ...args])

const verify = (own: ServedPetri, other: ServedPetri, ...args: string[]) => {
  const sides = ['--url', own.url, '--api-key', KEY, '--against', other.url, '--key', KEY]
  return runPetri(['verify', ...sides, ...args])
}

const readSeeds = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

/** A Petri whose team has a catalogue of its own. */
async function serveOwnCatalogue() {
  const folder = newFolder()
  const bundled = packageFolder('seeds')
  const [marker] = readSeeds(bundled, 'markers').filter(({ id }: { id: number }) => id === 1975)
  const [payor] = readSeeds(bundled, 'payors')
  const labTest = {
    ...{ slug: 'ours', name: 'Ours', description: 'Ours.', method: 'walk_in_test', lab: 'labcorp' },
    ...{ sample_type: 'serum', price: 12.5, fasting: true, has_collection_instructions: null },
  }
  const files = {
    'lab-tests': { complete: true, rows: [{ ...labTest, markers: [1975, 990001] }] },
    markers: [{ ...marker, id: 990001, provider_id: '990001', name: 'Lipids, ours', price: '7.00' }],
    payors: [{ ...payor, payor_code: 'OURS', name: 'Blue Ours' }],
  }
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content))
  return servePetri({ seeds: [folder], world: { seed: 'ours' } })
}

/** A Petri, and the calls that reach it through a host before it. */
async function serveWatched() {
  const petri = await servePetri()
  const calls: string[] = []
  const url = await serveHost((request) => {
    calls.push(`${request.method} ${new URL(request.url).pathname}`)
    return petri.petri.app.fetch(request)
  })
  return { ...petri, url, calls }
}

const ZIPS = ['85004', '10001', '00112']

describe('petri record', { tags: 'slow' }, () => {
  it.each([
    ['the bundled catalogue', () => servePetri({ world: { seed: '2' } }), 'lab-tests.json: 7 rows'],
    ['a catalogue of its own', serveOwnCatalogue, 'lab-tests.json: 1 row'],
  ])(
    'makes a Petri that answers as the recorded one, with %s',
    { timeout: 60_000 },
    async (_, serve, told) => {
      const source = await serve()
      const folder = newFolder()
      const { status, stdout, stderr } = await record(source.url, folder, '--zip', ...ZIPS)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toContain(`${told}\n`)
      expect(stdout).not.toContain('Left out')
      expect(existsSync(join(folder, '.recording'))).toBe(false)
      const copy = await servePetri({ seeds: [folder] })
      expect((await verify(copy, source, '--write', '--zip', ...ZIPS)).stdout).toMatch(/^No differences/)
      const [of, from] = [await copy.get('/v3/lab_tests'), await source.get('/v3/lab_tests')]
      expect(of.body).toEqual(from.body)
    },
  )

  it('leaves no call of the program at the recorded Petri, and counts toward no coverage', async () => {
    const source = await servePetri()
    const traces = async () => [await source.read('/_petri/requests'), await source.read('/_petri/coverage')]
    const before = await traces()
    expect(await record(source.url, newFolder(), '--zip', '85004')).toAnswer(0)
    expect(await traces()).toEqual(before)
  })

  it('adds ZIP codes to a recording, and keeps what is there', async () => {
    const source = await servePetri()
    const folder = newFolder()
    await record(source.url, folder, '--zip', '85004')
    const before = readSeeds(folder, 'payors')
    await source.post('/v3/payor', { name: 'New', address: before.rows[0].org_address })
    const { stdout } = await record(source.url, folder, '--zip', '85004,10001', '--json')
    expect(Object.keys(JSON.parse(stdout).files)).toEqual(['area-info', 'psc-sites', 'psc-info'])
    expect(readSeeds(folder, 'area-info').map(field('zip_code'))).toEqual([
      ...Array(5).fill('85004'),
      ...Array(5).fill('10001'),
    ])
    expect(readSeeds(folder, 'payors')).toEqual(before)
    expect((await record(source.url, folder, '--zip', '85004')).stdout).toContain(`${folder} is complete.`)
  })

  it('continues where it was interrupted, and writes no file before all is read', async () => {
    const source = await serveWatched()
    const folder = newFolder()
    const fail = { operation: 'GET /v2/providers', respond: { status: 503, detail: 'maintenance' } }
    await source.put('/_petri/faults', { faults: [fail] })
    expect(await record(source.url, folder, '--zip', '85004')).toEqual({
      status: 1,
      stdout: '',
      stderr: `${source.url} answered GET /v2/providers with 503: maintenance.\n`,
    })
    expect(readdirSync(folder)).toEqual(['.recording'])
    await source.delete('/_petri/faults')
    source.calls.length = 0
    const other = await servePetri()
    expect(await record(other.url, folder)).toMatchObject({
      status: 2,
      stderr: `${folder} has an unfinished recording of ${source.url}. Finish it, or name another folder.\n`,
    })
    expect(await record(source.url, folder, '--zip', '85004')).toAnswer(0)
    expect(source.calls).toContain('GET /v2/providers')
    expect(source.calls).not.toContain('GET /v3/lab_tests/labs')
    expect(existsSync(join(folder, '.recording'))).toBe(false)
  })

  it('only reads, and no users or orders', async () => {
    const source = await serveWatched()
    await record(source.url, newFolder(), '--zip', '85004')
    const asked = new Set(source.calls)
    expect([...asked].filter((each) => /^(?!GET)|user|orders|result/.test(each))).toEqual([])
    expect(asked.size).toBeGreaterThan(6)
  })

  it('leaves out what cannot be a seed, and says so', async () => {
    const source = await servePetri()
    const url = await serveChanged(source, (text) => text.replace('"slug":"quest"', '"slug":"new_lab"'))
    const folder = newFolder()
    const { status, stdout } = await record(url, folder)
    expect(status).toBe(0)
    expect(stdout).toMatch(/Left out:\n {2}laboratory new_lab: slug: /)
    expect(stdout).toMatch(/\n {2}\d+ markers of unknown laboratories\n/)
  })

  it('leaves out fields that Petri does not know', async () => {
    const source = await servePetri()
    const url = await serveChanged(source, (text) =>
      text
        .replaceAll('"delegated_flow":', '"newer":1,"delegated_flow":')
        .replaceAll('"answers":', '"newer":[],"answers":')
        .replaceAll('"payor_code":', '"newer":{},"payor_code":')
        .replaceAll('"within_radius":', '"newer":2,"within_radius":'),
    )
    const folder = newFolder()
    expect((await record(url, folder, '--zip', '85004')).stdout).not.toContain('Left out')
    const copy = await servePetri({ seeds: [folder] })
    expect((await verify(copy, source)).stdout).toMatch(/^No differences/)
  })

  it('tells at the end if the folder cannot be used', async () => {
    const source = await servePetri()
    const folder = newFolder()
    writeFileSync(join(folder, 'lab.json'), '[]')
    expect(await record(source.url, folder)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/cannot be used as seeds: .*Did you mean "labs\.json"\?\n$/),
    })
  })
})

describe('a service that cannot be recorded', () => {
  const refused = async (from: string, ...args: string[]) => {
    const folder = newFolder()
    const { status, stdout, stderr } = await record(from, folder, ...args)
    expect({ stdout, files: readdirSync(folder) }).toEqual({ stdout: '', files: [] })
    expect(stderr.trim().split('\n')).toHaveLength(1)
    return { status, stderr }
  }

  it('does not know the key', async () => {
    const { url } = await servePetri({ world: { apiKey: 'sk_us_other' } })
    expect(await refused(url)).toEqual({ status: 1, stderr: `${url} does not accept the key.\n` })
  })

  it('cannot be reached, is no API, or redirects', async () => {
    expect((await refused('http://127.0.0.1:1')).stderr).toMatch(/^No answer from http:\/\/127\.0\.0\.1:1: /)
    const page = await serveHost(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }))
    expect((await refused(page)).stderr).toContain('with a web page. Is this the address of the API?')
    const moved = await serveHost(() => Response.redirect('http://127.0.0.1:1/', 301))
    expect((await refused(moved)).stderr).toContain('with a redirect; the key is sent to no other address.')
    const text = await serveHost(() => new Response('ok'))
    expect((await refused(text)).stderr).toBe(
      `${text} answered GET /v3/lab_tests/labs with 200, which is no JSON.\n`,
    )
  })

  it('limits the rate: it is asked again as late as it says', { tags: 'slow' }, async () => {
    const source = await servePetri()
    const respond = { status: 429, headers: { 'retry-after': '0' } }
    await source.put('/_petri/faults', {
      faults: [{ operation: 'GET /v3/lab_tests/labs', times: 3, respond }],
    })
    expect(await record(source.url, newFolder())).toAnswer(0)
    await source.put('/_petri/faults', { faults: [{ operation: 'GET /v3/lab_tests/labs', respond }] })
    expect(await refused(source.url)).toEqual({
      status: 1,
      stderr: `${source.url} still limits the rate after 10 attempts.\n`,
    })
  })

  it('is not asked with a wrong option', async () => {
    expect((await refused('nowhere')).stderr).toBe(
      '--from should be an http or https URL; it is "nowhere".\n',
    )
    expect(await refused('http://127.0.0.1:1', '--zip', 'x')).toAnswer(2)
  })
})
