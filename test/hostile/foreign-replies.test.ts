import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { KEY } from '../support/petri.ts'
import { serveChanged, serveHost, servePetri } from '../support/served.ts'

openNetwork()

const newFolder = () => makeFolder('petri-foreign-')
const record = (from: string, folder: string) =>
  runPetri(['record', '--from', from, '--key', KEY, '--out', folder])
const verify = async (against: string) => {
  const { url } = await servePetri()
  return runPetri(['verify', '--url', url, '--api-key', KEY, '--against', against, '--key', KEY])
}

/** A Petri whose reply to one path is another value. */
const replying = async (at: string, value: unknown) =>
  serveChanged(await servePetri(), (text, path) => (path === at ? JSON.stringify(value) : text))

const LABS = '/v3/lab_tests/labs'

describe('a reply of another service', () => {
  it.each([
    [LABS, [null], 'null in [0]'],
    [LABS, { labs: [] }, 'no list in the body'],
    [LABS, [{ slug: 'a' }, 'b'], 'another kind of value than before in [1]'],
    ['/v3/lab_test', {}, 'no list in data'],
    ['/v3/lab_test', { data: [{ markers: { id: 1 } }] }, 'no list in data[0].markers'],
    [
      '/v3/lab_tests/markers',
      { markers: [{ expected_results: [null] }] },
      'null in markers[0].expected_results[0]',
    ],
    ['/v3/lab_test/lab_account', 'none', 'no object in the body'],
    ['/v2/providers', 7, 'no list in the body'],
    ['/v3/insurance/search/payor', [[]], 'no object in [0]'],
    ['/v3/lab_test/lab_account', { data: [[]] }, 'no object in data[0]'],
  ])(
    'of a wrong shape is refused by record with its field: %s %j',
    { tags: 'slow' },
    async (path, value, words) => {
      const folder = newFolder()
      const { status, stdout, stderr } = await record(await replying(path, value), folder)
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(new RegExp(`answered GET ${path}\\S* with `))
      expect(stderr).toContain(` with ${words}.`)
      expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).toEqual([])
    },
  )

  it.each([[[null]], [{ find: 1 }], ['x'], [null], [[[[]]]]])(
    'of a wrong shape is a difference for verify: %j',
    { tags: 'slow' },
    async (value) => {
      const { status, stderr, stdout } = await verify(await replying(LABS, value))
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
      expect(stdout).toContain(LABS)
    },
  )

  it('with a long cursor is recorded', { tags: 'slow' }, async () => {
    const cursor = 'c'.repeat(300)
    const petri = await servePetri()
    const url = await serveHost(async (request) => {
      const target = new URL(request.url)
      const isFirst = target.pathname === '/v3/lab_test' && !target.searchParams.has('next_cursor')
      const { headers } = request
      headers.delete('accept-encoding')
      const response = await petri.petri.app.fetch(new Request(target, { headers }))
      if (request.url.includes(cursor)) return Response.json({ data: [], next_cursor: null })
      return isFirst
        ? Response.json(Object.assign((await response.json()) as object, { next_cursor: cursor }))
        : response
    })
    expect(await record(url, newFolder())).toMatchObject({ status: 0, stderr: '' })
  })

  it.each([[[{ loc: 7, msg: 7 }]], [[null]], [['a', { msg: ['b'], ctx: 1 }]], [7], [[[]]]])(
    'with an error of any shape is reported in words: %j',
    async (detail) => {
      const url = await serveHost(() => Response.json({ detail }, { status: 422 }))
      const { status, stderr } = await record(url, newFolder())
      expect(status).toBe(1)
      expect(stderr).toMatch(/^http\S+ answered GET \/v3\/lab_tests\/labs with 422: .+\.\n$/)
    },
  )

  it('begins no line of its own in what is printed, and no command of a workflow', {
    tags: 'slow',
  }, async () => {
    const text = 'x\n::error::owned\n##[command]owned'
    const url = await serveChanged(await servePetri(), (reply, path) =>
      path === LABS ? reply.replaceAll('"quest"', JSON.stringify(text)) : reply,
    )
    for (const { stdout, stderr } of [await record(url, newFolder()), await verify(url)]) {
      expect(stdout + stderr).toContain('owned')
      expect(stdout + stderr).not.toMatch(/^\s*(::|##\[|owned)/m)
    }
    const refusing = await serveHost(() => Response.json({ detail: text }, { status: 403 }))
    const { stderr } = await runPetri(['order', 'list'], { PETRI_URL: refusing })
    expect(stderr).toContain('x\n\\u003a:error::owned\n\\u0023#[command]owned')
  })

  it('too long to be kept in memory is refused while it is read', { tags: 'slow' }, async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '))
    const url = await serveHost(
      () =>
        new Response(bomb, { headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' } }),
    )
    const recorded = await record(url, newFolder())
    expect(recorded).toMatchObject({
      status: 1,
      stderr: `${url} answered GET ${LABS} with more than 33554432 bytes.\n`,
    })
    const verified = await verify(url)
    expect(verified).toAnswer(2)
    expect(verified.stderr).toContain('with more than 33554432 bytes')
  })

  it('that echoes the key is written and printed without it', { tags: 'slow' }, async () => {
    const folder = newFolder()
    const url = await serveChanged(await servePetri(), (text) => text.replaceAll('Labcorp', `Labcorp ${KEY}`))
    const { stdout, stderr } = await record(url, folder)
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
    expect(files).toContain('labs.json')
    for (const file of files) expect(readFileSync(join(folder, file), 'utf8')).not.toContain(KEY)
    expect(stdout + stderr).not.toContain(KEY)
    const refusing = await serveHost(() => Response.json({ detail: `no ${KEY}` }, { status: 403 }))
    expect((await record(refusing, newFolder())).stderr).toContain('no [redacted]')
  })

  it('that says to wait is waited for, parts of a second included', async () => {
    const waits: number[] = []
    const url = await serveHost(() => new Response('', { status: 429, headers: { 'retry-after': '1.5' } }))
    await runPetri(['record', '--from', url, '--key', KEY, '--out', newFolder()], {}, async (ms) => {
      waits.push(ms)
    })
    expect(waits).toEqual(Array.from({ length: 10 }, () => 1500))
  })

  it('that does not number its pages is read to its last page', { tags: 'slow' }, async () => {
    const folder = newFolder()
    const source = await servePetri()
    const url = await serveChanged(source, (text, path) =>
      path === '/v3/lab_tests/markers' ? JSON.stringify({ ...JSON.parse(text), pages: null }) : text,
    )
    expect(await record(url, folder)).toAnswer(0)
    const { rows } = JSON.parse(readFileSync(join(folder, 'markers.json'), 'utf8'))
    const body = await source.read('/v3/lab_tests/markers?size=1')
    expect(rows.length).toBeGreaterThanOrEqual(body.total)
    expect(existsSync(join(folder, '.recording'))).toBe(false)
  })
})
