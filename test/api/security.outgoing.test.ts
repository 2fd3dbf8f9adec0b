import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createTransport } from '../../src/webhooks/transport.ts'
import { shoot } from '../support/attack.ts'
import { listening } from '../support/listening.ts'
import { managing } from '../support/management.ts'
import { createUser } from '../support/orders.ts'
import { forAllTests, startTestPetri } from '../support/petri.ts'

const post = (url: string, addresses?: readonly string[]) => {
  const transport = createTransport({
    resolve: (_, __, done) =>
      done(
        null,
        (addresses ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
  })
  return transport({ url, headers: {}, body: '{}', timeoutMs: 300 }).finally(() => transport.close?.())
}

/** Ways to write an address nobody but the machine's own host answers at. */
const written = [
  '169.254.169.254',
  '169.254.169.254.',
  '2852039166',
  '0xa9fea9fe',
  '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376',
  '169.254.43518',
  '169.16689662',
  '169.254.0251.254',
  '0xa9.254.0251.0xfe',
  '169%2e254%2e169%2e254',
  '１６９．２５４．１６９．２５４',
  '①⑥⑨.②⑤④.①⑥⑨.②⑤④',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[::a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[::ffff:0:169.254.169.254]',
  '[2002:a9fe:a9fe::]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fd00:ec2::254]',
  '[::]',
  '0.0.0.0',
  '0',
  '0x0',
  '0.1.2.3',
  '100.100.100.200',
  '[::ffff:100.100.100.200]',
  '[64:ff9b::100.100.100.200]',
  '168.63.129.16',
  '[64:ff9b::168.63.129.16]',
  '169.254.170.2',
  '169.254.0.1',
  '169.254.255.255',
  '192.0.0.192',
  '[::ffff:192.0.0.192]',
  '[64:ff9b::192.0.0.192]',
  '[2002:c000:c0::]',
  '[fd20:ce::254]',
  'metadata.google.internal',
  'METADATA.google.internal.',
  'metadata.goog',
  'metadata',
  'metadata.azure.internal',
  'instance-data.ec2.internal',
]

describe('a webhook to the machine under Petri', () => {
  it.each(written)('at %s is not sent', async (host) => {
    await expect(post(`http://${host}/latest/meta-data/`)).rejects.toThrow('Petri never calls those')
    await expect(post(`http://user:password@${host}:80/latest`)).rejects.toThrow('Petri never calls those')
  })

  it.each([['169.254.169.254'], ['fe80::1'], ['127.0.0.1', '169.254.169.254']])(
    'at a name that resolves to %s is not sent',
    async (...addresses) => {
      await expect(post('http://metadata.evil.example:9/', addresses)).rejects.toThrow(
        'Petri never calls those',
      )
    },
  )

  it('is not sent by a redirect, and what the redirect says is only written down', async () => {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end()
    })
    const url = await listening(server)
    const transport = createTransport()
    expect(await transport({ url: `${url}/hook`, headers: {}, body: '{}', timeoutMs: 2000 })).toAnswer(307)
    expect(seen).toEqual(['POST /hook'])
    await transport.close?.()
    server.close()
  })
})

describe('Petri', () => {
  it('calls only webhook receivers: no other code has a client', () => {
    const root = fileURLToPath(new URL('../../src', import.meta.url))
    const callers = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts') && !/^(cli|client|page)\/|^index\.ts$/.test(file))
      .filter((file) =>
        /\bawait fetch\(|\bfetch\(['"`]|globalThis\.fetch|from 'node:(http|https|http2|net|tls|dgram|dns|child_process|vm|worker_threads)'|import\('node:(http|https|net|dns|child_process)'\)|from 'undici'|\bhttpFor\(|\beval\(|new Function\(/.test(
          readFileSync(`${root}/${file}`, 'utf8').replace(/^import type .*$/gm, ''),
        ),
      )
    expect(callers.sort()).toEqual(expectedCallers)
  })
})

/** What petri exec redirects with, the namespace that it creates, and keytool for the trust store of Java; the listener; what keeps calls away from Petri itself; the client of deliveries and the trial connection to a receiver, with their checks of addresses; the lock, which asks the system for a process; the reader of PDFs, which has a thread; and the clients of the command line: of a running Petri, and of a service that a team names. */
const expectedCallers = [
  'intercept/child-environment.ts',
  'intercept/in-process.ts',
  'intercept/live-server.ts',
  'intercept/namespace.ts',
  'intercept/node-hook.ts',
  'intercept/trust.ts',
  'intercept/variables.ts',
  'kernel/this-machine.ts',
  'listen.ts',
  'resources/report-parser/pdf-process.ts',
  'resources/report-parser/pdf-reader.ts',
  'storage/lock.ts',
  'terminal/client.ts',
  'terminal/probe.ts',
  'tools/team-api.ts',
  'webhooks/addresses.ts',
  'webhooks/transport.ts',
]

const petri = forAllTests(startTestPetri)

describe('a header', () => {
  const breaks = [
    'a\r\nx-evil: 1',
    'a\nx-evil: 1',
    'a\rx-evil: 1',
    '\r\n\r\n<html>',
    'a\u0000b',
    'é',
    'a\u2028b',
    '\u560d\u560a',
  ]

  it('of deliveries cannot be broken in two, nor stand in for Petri’s own', async () => {
    const refuses = async (headers: Record<string, string>) =>
      expect(
        await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9/', headers }),
        JSON.stringify(headers),
      ).toAnswer(422)
    for (const value of breaks) {
      await refuses({ 'x-mine': value })
      await refuses({ [value]: 'x' })
    }
    for (const name of [
      'svix-id',
      'Svix-Signature',
      'SVIX-TIMESTAMP',
      'Host',
      'Content-Length',
      'transfer-encoding',
      'Connection',
      'x-amz-security-token',
      'x-google-metadata-request',
      'Metadata Flavor',
      ':path',
      '',
    ])
      await refuses({ [name]: 'x' })
    expect((await petri.read('/_petri/webhooks/endpoints')).data).toEqual([])
  })

  it('of a fault cannot be broken in two', async () => {
    for (const value of breaks) {
      for (const headers of [{ 'x-mine': value }, { [value]: 'x' }]) {
        const fault = { operation: 'GET /v2/user', respond: { status: 503, headers } }
        expect(await petri.put('/_petri/faults', { faults: [fault] })).toAnswer(422)
      }
    }
  })

  it('of an answer says nothing a request said, but in words of its own', async () => {
    await createUser(petri, 'someone')
    for (const path of [
      '/v2/nothing/%0d%0ax-evil:1',
      '/v2/user/%0aset-cookie:a=b',
      '/%E5%98%8A%E5%98%8Dx-evil:1',
      '/v2/user?x=%0d%0ax-evil:1',
      '/v3/order/%00',
    ]) {
      const response = await petri.petri.app.request(path, { headers: { 'x-service-api-key': 'sk_us_test' } })
      for (const [name, value] of response.headers)
        expect(`${name}: ${value}`).not.toMatch(/evil|cookie|[\r\n]/)
    }
    const odd = await shoot(petri, 'GET', '/v2/user', undefined, {
      'x-petri-scenario': '__proto__',
      'x-idempotency-key': '__proto__',
    })
    expect(odd.status).toBeLessThan(500)
  })
})

describe('an address that is never called', () => {
  const url = 'http://me:pass-word@[::ffff:169.254.169.254]:8080/latest?key=secret'
  const sentence = /169\.254|a9fe.* is a link-local, cloud metadata or unspecified address; Petri never calls/

  it.each([
    ['a new endpoint', 'POST', '/_petri/webhooks/endpoints', { url }],
    ['a new world', 'POST', '/_petri/worlds', { webhook_url: url }],
    ['the ETL pipeline', 'PUT', '/_petri/etl/target', { url }],
  ])('is refused for %s, in a sentence', async (_, method, path, body) => {
    const worlds = petri.petri.worlds.all().length
    const answer = await petri.call(method, path, body)
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', Object.keys(body)[0]]])
    expect(answer.body.detail[0].msg).toMatch(sentence)
    expect(answer.body.detail[0].msg).not.toMatch(/pass-word|secret/)
    expect(petri.petri.worlds.all()).toHaveLength(worlds)
    expect((await petri.read('/_petri/etl/target')).url).toBeNull()
  })

  it('is refused for an existing endpoint, which keeps its own', async () => {
    const given = { url: 'http://127.0.0.1:9/hook' }
    const { body: endpoint } = await petri.post('/_petri/webhooks/endpoints', given)
    const answer = await petri.patch(`/_petri/webhooks/endpoints/${endpoint.id}`, { url })
    expect(answer).toAnswer(422)
    expect((await petri.read('/_petri/webhooks/endpoints')).data).toMatchObject([given])
    await petri.delete(`/_petri/webhooks/endpoints/${endpoint.id}`)
  })

  it('is refused by the management API', async () => {
    const path = `/team/${petri.world().identity.teamId}/sandbox/webhook`
    expect(await managing(petri).post(path, { url })).toRefuse(422, [
      { msg: expect.stringMatching(sentence) },
    ])
    expect(await managing(petri).post(path, { url: 'http://10.0.0.7/hook' })).toAnswer(200)
    const { data } = await petri.read('/_petri/webhooks/endpoints')
    expect(data).toMatchObject([{ url: 'http://10.0.0.7/hook' }])
  })

  it('keeps Petri from starting, and the reason says nothing of its password', async () => {
    const started = startTestPetri({ world: { webhookUrl: url } })
    await expect(started).rejects.toThrow(/^Webhooks cannot be sent to the given URL: ::ffff:a9fe:a9fe is a/)
    await expect(startTestPetri({ world: { webhookUrl: 'receiver' } })).rejects.toThrow(
      'a URL starts with http:// or https://',
    )
  })
})
