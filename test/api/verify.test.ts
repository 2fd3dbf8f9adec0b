import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { setFeatures } from '../support/orders.ts'
import { KEY } from '../support/petri.ts'
import { sampled } from '../support/rounds.ts'
import { type ServedPetri, serveChanged, serveHost, servePetri } from '../support/served.ts'

openNetwork()

const flags = (own: ServedPetri, against: string) => [
  ...['verify', '--url', own.url, '--api-key', KEY, '--against', against, '--key', KEY],
]
const verify = (own: ServedPetri, against: string, ...args: string[]) =>
  runPetri([...flags(own, against), ...args])

interface Told {
  readonly kind: string
  readonly change: string
  readonly where: string
  readonly path: string
  readonly detail: string
  readonly used_by: readonly string[]
}

/** The differences that are found, in lines. */
async function found(own: ServedPetri, other: ServedPetri, ...args: string[]): Promise<string[]> {
  const { status, stdout, stderr } = await verify(own, other.url, '--json', ...args)
  const { differences } = JSON.parse(stdout)
  expect({ status, stderr }).toEqual({ status: differences.length > 0 ? 1 : 0, stderr: '' })
  return differences
    .map(({ kind, change, where, path, detail, used_by }: Told) =>
      [kind, change, where || `${used_by.length} replies`, path, detail].filter(Boolean).join(' '),
    )
    .sort()
}

const twoPetris = async () => [await servePetri(), await servePetri()] as const

const fault = (petri: ServedPetri, operation: string, respond: object) =>
  petri.put('/_petri/faults', { faults: [{ operation, respond }] })

describe('petri verify', { tags: 'slow' }, () => {
  it('finds nothing between equal Petris, also of other seeds, and their orders', async () => {
    const [own, other] = [await servePetri(), await servePetri({ world: { seed: '2' } })]
    // Sites are generated from the seed; here are none.
    expect(await verify(own, other.url, '--write', '--zip', '96813')).toEqual({
      status: 0,
      stdout: `No differences between ${own.url} and ${other.url}.\n`,
      stderr: '',
    })
    // What it has created for itself is deleted.
    expect((await other.read('/v2/user')).users).toEqual([])
  })

  it('leaves no call of the program at either Petri, and counts toward no coverage', async () => {
    const [own, other] = await twoPetris()
    const traces = async (petri: ServedPetri) => [
      await petri.read('/_petri/requests'),
      await petri.read('/_petri/requests/refused'),
      await petri.read('/_petri/coverage'),
    ]
    const before = [await traces(own), await traces(other)]
    await verify(own, other.url, '--write', '--zip', '96813')
    const orders = async (petri: ServedPetri) => (await petri.read('/_petri/orders')).total
    expect([(await orders(own)) > 0, (await orders(other)) > 0]).toEqual([true, true])
    expect([await traces(own), await traces(other)]).toEqual(before)
  })

  it('finds another status, and does not compare the bodies of the two', async () => {
    const [own, other] = await twoPetris()
    await fault(other, 'GET /v2/providers', { status: 503, headers: { 'x-reason': 'maintenance' } })
    expect(await found(own, other)).toEqual([
      'header added GET /v2/providers x-reason',
      'status changed GET /v2/providers 200 -> 503',
    ])
  })

  it.each(
    sampled<[string, (text: string) => string, string[]]>([
      [
        'a text',
        (text) => text.replace('"name":"Quest"', '"name":"Quest Diagnostics"'),
        ['text changed GET /v3/lab_tests/labs [quest].name Quest -> Quest Diagnostics'],
      ],
      [
        'a field that is missing, one that is new, and one of another type',
        (text) =>
          text.replaceAll('"logo_url":null', '"fax":null').replaceAll('"zipcode":"', '"zipcode":7,"x":"'),
        [
          'field added GET /v3/lab_tests/labs [].fax',
          'field added GET /v3/lab_tests/labs [].x',
          'field changed GET /v3/lab_tests/labs [].zipcode string -> number',
          'field gone GET /v3/lab_tests/labs [].logo_url',
        ],
      ],
      [
        'the order of fields',
        (text) => text.replaceAll(/("id":\d+),("slug":"[^"]*")/g, '$2,$1'),
        ['order changed GET /v3/lab_tests/labs [] id, slug -> slug, id'],
      ],
      [
        'the order of rows, and a missing row',
        (text) => JSON.stringify(JSON.parse(text).reverse().slice(1)),
        [
          expect.stringMatching(/^field gone GET \/v3\/lab_tests\/labs \[\w+\]$/) as unknown as string,
          expect.stringMatching(/^order changed GET \/v3\/lab_tests\/labs /) as unknown as string,
        ],
      ],
      [
        'an empty list in place of rows',
        () => '[]',
        Array(20).fill(expect.stringMatching(/^field gone GET \/v3\/lab_tests\/labs \[\w+\]$/)),
      ],
      [
        'the order of values in a list',
        (text) => text.replace(/"collection_methods":\["(\w+)","(\w+)"/, '"collection_methods":["$2","$1"'),
        [
          expect.stringMatching(
            /^text changed GET \/v3\/lab_tests\/labs \[\w+\]\.collection_methods /,
          ) as unknown as string,
        ],
      ],
    ]),
  )('finds %s', async (_, change, lines) => {
    const [own, other] = await twoPetris()
    const url = await serveChanged(other, (text, path) =>
      path === '/v3/lab_tests/labs' && text.startsWith('[') ? change(text) : text,
    )
    expect(await found(own, { ...other, url })).toEqual(lines)
  })

  it('does not compare ids and instants, but how they are written', async () => {
    const [own, other] = await twoPetris()
    const accounts = (change: (text: string) => string) =>
      serveChanged(other, (text, path) => (path === '/v3/lab_test/lab_account' ? change(text) : text))
    const ids = await accounts((text) => text.replace(/"id":"[0-9a-f]{8}-/g, '"id":"00000000-'))
    expect((await verify(own, ids)).stdout).toContain('No differences')
    const named = await accounts((text) => text.replace(/"id":"[^"]*"/, '"id":"acc_1"'))
    expect((await verify(own, named)).stdout).toMatch(/data\[.*\]\.id: <id> -> acc_1/)
  })

  it('lists what several replies have in common once', async () => {
    const [own, other] = await twoPetris()
    await setFeatures(other, { contract_form: 'live' })
    const { stdout } = await verify(own, other.url, '--write')
    expect(stdout).toMatch(/^ {2}~ patient_address\.country: United States -> US {2}\(.* and \d+ more\)$/m)
  })

  it('finds what another simulation does to orders', async () => {
    const [own, other] = await twoPetris()
    expect(await found(own, other)).toEqual([])
    await setFeatures(other, { simulation: 'live' })
    const lines = await found(own, other, '--write')
    expect(lines).toContain('status changed POST /v3/order/{order_id}/cancel (at_home_phlebotomy) 400 -> 200')
    expect(lines.filter((line) => !line.includes('/v3/order') && !line.includes('replies'))).toEqual([])
  })

  it('leaves out what a file accepts, which it writes itself', async () => {
    const [own, other] = await twoPetris()
    const accepted = join(makeFolder('petri-verify-'), 'accepted.json')
    await fault(other, 'GET /v2/providers', { status: 503 })
    const updated = await verify(own, other.url, '--accept', accepted, '--update')
    expect(updated).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 known difference left out.'),
    })
    expect(JSON.parse(readFileSync(accepted, 'utf8')).differences).toHaveLength(1)
    expect(await found(own, other, '--accept', accepted)).toEqual([])
    await fault(other, 'GET /v3/lab_tests/labs', { status: 503 })
    expect(await found(own, other, '--accept', accepted)).toEqual([
      'status changed GET /v3/lab_tests/labs 200 -> 503',
    ])
    expect(await verify(own, other.url, '--update')).toMatchObject({
      status: 2,
      stderr: '--update needs the file of --accept.\n',
    })
  })

  it('is written as Markdown', async () => {
    const [own, other] = await twoPetris()
    await fault(other, 'GET /v2/providers', { status: 503 })
    expect(await verify(own, other.url, '--markdown')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('## Verification\n\n1 difference between'),
    })
  })
})

describe('another service that cannot be compared', () => {
  const refused = async (against: string, ...args: string[]) => {
    const { status, stdout, stderr } = await verify(await servePetri(), against, ...args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).not.toMatch(/\b[sp]k_us_/)
    return stderr
  }

  it('does not know the key', { tags: 'slow' }, async () => {
    const other = await servePetri({ world: { apiKey: 'sk_us_other' } })
    expect(await refused(other.url)).toBe(`${other.url} does not accept the key.\n`)
  })

  it('cannot be reached', async () => {
    expect(await refused('http://127.0.0.1:1')).toMatch(/^No answer from http:\/\/127\.0\.0\.1:1: .*\.\n$/)
  })

  it('is no API', async () => {
    const url = await serveHost(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }))
    expect(await refused(url)).toBe(
      `${url} answered GET /v3/lab_tests/labs with a web page. Is this the address of the API?\n`,
    )
  })

  it('redirects; the key is sent to no other address', async () => {
    const asked: string[] = []
    const elsewhere = await serveHost((request) => {
      asked.push(request.url)
      return Response.json([])
    })
    const url = await serveHost(() => Response.redirect(`${elsewhere}/v3/lab_tests/labs`, 307))
    expect(await refused(url)).toBe(
      `${url} answered GET /v3/lab_tests/labs with a redirect; the key is sent to no other address.\n`,
    )
    expect(asked).toEqual([])
  })

  it('limits the rate, and is asked again as late as it says', { tags: 'slow' }, async () => {
    const [own, other] = await twoPetris()
    const respond = { status: 429, headers: { 'retry-after': '7' } }
    await other.put('/_petri/faults', {
      faults: [{ operation: 'GET /v2/providers', times: 2, respond }],
    })
    const waits: number[] = []
    const wait = async (waitMs: number) => void waits.push(waitMs)
    expect(await runPetri(flags(own, other.url), {}, wait)).toMatchObject({ status: 0, stderr: '' })
    expect(waits).toEqual([7000, 7000])
    await fault(other, 'GET /v2/providers', { status: 429, headers: { 'retry-after': '0' } })
    expect(await refused(other.url)).toBe(`${other.url} still limits the rate after 10 attempts.\n`)
    await fault(other, 'GET /v2/providers', { status: 429, headers: { 'retry-after': '86400' } })
    expect(await refused(other.url)).toBe(`${other.url} limits the rate, and asks to wait 86400 seconds.\n`)
  })

  it.each([
    [
      ['--against', 'ftp://example.com'],
      '--against should be an http or https URL; it is "ftp://example.com".\n',
    ],
    [
      ['--against', 'http://a:b@example.com'],
      '--against should be a URL without user, query and fragment.\n',
    ],
    [['--key', 'a b'], 'The key should be one word of ASCII characters.\n'],
    [
      ['--write', '--key', 'pk_us_ours'],
      '--write places orders; --key should be the key of a sandbox, not of production.\n',
    ],
    [['--zip', '850'], '--zip should be ZIP codes of five digits; it is "850".\n'],
    [
      ['--json', '--markdown'],
      '{"detail":"--json and --markdown are two formats; leave out one of them."}\n',
    ],
    [['--accept', '/nowhere.json'], '/nowhere.json is not there.\n'],
  ])('is refused with %j', async (args, message) => {
    expect(await refused('http://127.0.0.1:1', ...args)).toBe(message)
  })
})
