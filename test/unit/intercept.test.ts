import { execFile } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls, rootCertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { JunctionEnvironment } from '@junction-api/sdk'
import { VitalEnvironment } from '@tryvital/vital-node'
import { build } from 'esbuild'
import { afterEach, describe, expect, it } from 'vitest'
import { authorityIn } from '../../src/intercept/authority-folder.ts'
import { createAuthority, issueCertificate } from '../../src/intercept/certificates.ts'
import { restoreProxies } from '../../src/intercept/child-environment.ts'
import { isListed, isLiveHost, liveHosts } from '../../src/intercept/hosts.ts'
import { type LiveServer, serveLiveHosts, startProxy } from '../../src/intercept/live-server.ts'
import { javaTrustStore } from '../../src/intercept/trust.ts'
import {
  hostsWithoutProxy,
  nodeWrapper,
  proxyIn,
  redirectionVariables,
} from '../../src/intercept/variables.ts'

const validity = { now: Date.now(), days: 1 }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe('the hosts of the live service', () => {
  it('are all that the official clients name', () => {
    for (const url of [...Object.values(VitalEnvironment), ...Object.values(JunctionEnvironment)])
      expect(isLiveHost(new URL(url).host), url).toBe(true)
  })

  it.each(['API.Tryvital.io', 'api.tryvital.io:443', 'api.tryvital.io.'])('are known as %s', (host) => {
    expect(isLiveHost(host)).toBe(true)
  })

  it.each(['tryvital.io', 'docs.tryvital.io', 'api.tryvital.io.example.com', 'xapi.tryvital.io', ''])(
    'are not %s',
    (host) => {
      expect(isLiveHost(host)).toBe(false)
    },
  )
})

it.each([
  ['db', true],
  ['a.db', true],
  ['xdb', false],
  ['a.internal', true],
  ['xinternal', false],
  ['a.b.corp', true],
  ['xcorp', false],
])('the host %s is in the list of a user: %s', (host, isIn) => {
  expect(isListed(['db', '.internal', '*.corp'], host)).toBe(isIn)
})

describe('the certificate authority', () => {
  it('certifies the live hosts, and no others', { tags: 'slow' }, async () => {
    const authority = createAuthority(liveHosts, validity)
    const folder = mkdtempSync(join(tmpdir(), 'petri-'))
    writeFileSync(join(folder, 'ca.pem'), authority.cert)
    const verify = async (hosts: readonly string[]) => {
      const { cert } = issueCertificate(authority, hosts, validity)
      writeFileSync(join(folder, 'leaf.pem'), cert)
      const args = [
        'verify',
        '-x509_strict',
        '-purpose',
        'sslserver',
        '-CAfile',
        join(folder, 'ca.pem'),
        join(folder, 'leaf.pem'),
      ]
      return promisify(execFile)('openssl', args).then(
        ({ stdout }) => stdout,
        ({ stderr }) => stderr,
      )
    }
    expect(await verify(liveHosts)).toMatch(/leaf\.pem: OK/)
    expect(await verify(['example.com'])).toMatch(/permitted subtree violation/)
    expect(await verify(['api.tryvital.io', 'mail.junction.com'])).toMatch(/permitted subtree violation/)
  })

  it('is valid from the day before, for the days that are asked for', async () => {
    const { cert } = createAuthority(liveHosts, { now: Date.UTC(2026, 0, 5), days: 7 })
    const { validFrom, validTo, ca } = new X509Certificate(cert)
    expect([new Date(validFrom).toISOString(), new Date(validTo).toISOString(), ca]).toEqual([
      '2026-01-04T00:00:00.000Z',
      '2026-01-12T00:00:00.000Z',
      true,
    ])
  })
})

describe('the certificate authority in a folder', () => {
  const folderOf = () => mkdtempSync(join(tmpdir(), 'petri-'))
  const now = Date.UTC(2026, 0, 5)
  const banner = {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  }

  it('is the same for starts at the same time', { tags: 'slow' }, async () => {
    const folder = folderOf()
    const file = join(folderOf(), 'authority-folder.mjs')
    const source = fileURLToPath(new URL('../../src/intercept/authority-folder.ts', import.meta.url))
    await build({
      entryPoints: [source],
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner,
    })
    const script = `import { authorityIn } from '${file}'; console.log(authorityIn('${folder}', ${now}).cert)`
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    const certs = (await Promise.all([start(), start(), start(), start()])).map(({ stdout }) => stdout)
    expect(new Set(certs).size).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(['ca-key.pem', 'ca.pem'])
  })

  it('may certify servers only, and belongs to its key', () => {
    const { cert, key } = authorityIn(folderOf(), now)
    const certificate = new X509Certificate(cert)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true)
  })

  it('takes the rights of others to its key away', () => {
    const folder = folderOf()
    authorityIn(folder, now)
    chmodSync(join(folder, 'ca-key.pem'), 0o644)
    authorityIn(folder, now)
    expect(statSync(join(folder, 'ca-key.pem')).mode & 0o777).toBe(0o600)
  })

  it('is not written through a link', () => {
    const [folder, target] = [folderOf(), join(folderOf(), 'elsewhere')]
    symlinkSync(target, join(folder, 'ca-key.pem'))
    expect(() => authorityIn(folder, now)).toThrow('ENOENT')
    expect(existsSync(target)).toBe(false)
  })

  it('is refused when its certificate belongs to another key, or its key is missing', () => {
    const [one, two] = [folderOf(), folderOf()]
    authorityIn(one, now)
    authorityIn(two, now)
    copyFileSync(join(one, 'ca.pem'), join(two, 'ca.pem'))
    expect(() => authorityIn(two, now)).toThrow('ca.pem does not belong to ca-key.pem')
    rmSync(join(one, 'ca-key.pem'))
    expect(() => authorityIn(one, now)).toThrow('ca.pem exists without ca-key.pem')
  })

  it('is refused in a sentence without its certificate, and with an empty file', () => {
    const { cert, key } = createAuthority(liveHosts, validity)
    for (const [files, message] of [
      [{ 'ca-key.pem': key }, 'ca-key.pem exists without ca.pem; restore ca.pem, or remove ca-key.pem'],
      [{ 'ca-key.pem': key, 'ca.pem': '' }, 'ca.pem is not PEM; restore it, or remove ca.pem and ca-key.pem'],
      [{ 'ca-key.pem': '', 'ca.pem': cert }, 'ca-key.pem is not PEM; restore it, or remove'],
    ] as const) {
      const folder = folderOf()
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      expect(() => authorityIn(folder, now)).toThrow(message)
    }
  })

  it('of an older version, with the certificate in one file only, is kept', () => {
    const folder = folderOf()
    const { cert, key } = createAuthority(liveHosts, validity)
    writeFileSync(join(folder, 'ca.pem'), cert)
    writeFileSync(join(folder, 'ca-key.pem'), key)
    expect(authorityIn(folder, now)).toEqual({ cert, key })
  })
})

describe('the server of the live hosts', () => {
  it('gives up requests that are not received in time', async () => {
    const authority = createAuthority(liveHosts, validity)
    const live = await serveLiveHosts(() => undefined, {
      host: '127.0.0.1',
      port: 0,
      certified: issueCertificate(authority, liveHosts, validity),
      timeouts: { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 },
    })
    closing.push(live.close)
    const socket = connectTls({ port: live.port, servername: 'api.tryvital.io', ca: authority.cert })
    socket.write('POST /v2/user HTTP/1.1\r\nhost: api.tryvital.io\r\ncontent-length: 9\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
  })
})

describe('the variables of a redirection', () => {
  const [authority = '', own = '', other = ''] = rootCertificates
  const files = (environment: Record<string, string>, { hasProxy = true, isOffline = false } = {}) => {
    const written = new Map<string, string | Buffer>()
    const write = (name: string, content: string | Buffer) => {
      written.set(name, content)
      return `/tmp/a b/${name}`
    }
    const options = { authority, hook: '/hook.cjs', isOffline, write }
    return {
      ...redirectionVariables(environment, { ...options, proxyPort: hasProxy ? 4081 : undefined }),
      written,
    }
  }
  const withoutProxy = { hasProxy: false }
  const fileOf = (text: string) => {
    const path = join(mkdtempSync(join(tmpdir(), 'petri-')), 'own.pem')
    writeFileSync(path, text)
    return path
  }

  it('are the proxy for programs without the hook, and what the user has for the others', () => {
    const environment = { HTTPS_PROXY: 'http://company:3128', NO_PROXY: 'db' }
    const { variables, own } = files(environment)
    expect(variables).toMatchObject({
      HTTPS_PROXY: 'http://127.0.0.1:4081',
      http_proxy: 'http://127.0.0.1:4081',
      NO_PROXY: 'localhost,127.0.0.1,::1,db',
    })
    expect(own).toMatchObject({ HTTPS_PROXY: 'http://company:3128', https_proxy: undefined })
    expect(own.NO_PROXY?.split(',')).toEqual(['db', ...liveHosts])
    expect(own.no_proxy).toBe(own.NO_PROXY)
  })

  it('have no proxy where the live hosts lead to Petri without one, except that of the user', () => {
    const environment = { HTTPS_PROXY: 'http://company:3128', no_proxy: '*' }
    const { variables } = files(environment, withoutProxy)
    expect(variables).toMatchObject({ HTTPS_PROXY: 'http://company:3128', NO_PROXY: '*', no_proxy: '*' })
    expect(variables.HTTP_PROXY).toBeUndefined()
    expect(files({}, withoutProxy).variables.NO_PROXY).toBe(liveHosts.join(','))
    expect(files({ NO_PROXY: ' * ' }, withoutProxy).variables.NO_PROXY).toBe(' * ')
  })

  it('leave the proxies of the user out of a run without other hosts', () => {
    const environment = { https_proxy: 'http://127.0.0.1:3128', ALL_PROXY: 'http://127.0.0.1:3128' }
    const { variables, own } = files(environment, { ...withoutProxy, isOffline: true })
    expect([variables.https_proxy, variables.ALL_PROXY]).toEqual([undefined, undefined])
    expect([own.https_proxy, own.ALL_PROXY]).toEqual([undefined, undefined])
  })

  it('load the hook before the modules that the user loads', () => {
    const { variables } = files({ NODE_OPTIONS: '--require ./mine.cjs' })
    expect(variables.NODE_OPTIONS).toBe('--require "/hook.cjs" --require ./mine.cjs')
    expect(files({ NODE_OPTIONS: String(variables.NODE_OPTIONS) }).variables.NODE_OPTIONS).toBe(
      variables.NODE_OPTIONS,
    )
  })

  it('let each program trust what it trusted before, and the authority', () => {
    const count = (text: string | Buffer | undefined) => String(text).match(/BEGIN CERTIFICATE/g)?.length
    const { variables, written } = files({ SSL_CERT_FILE: fileOf(own), NODE_EXTRA_CA_CERTS: fileOf(other) })
    for (const name of ['SSL_CERT_FILE', 'CURL_CA_BUNDLE']) {
      expect(written.get(`${name}.pem`)).toBe(`${authority}\n${own}\n`)
      expect(variables[name]).toBe(`/tmp/a b/${name}.pem`)
    }
    expect(written.get('NODE_EXTRA_CA_CERTS.pem')).toBe(`${authority}\n${other}\n`)
    expect(written.get('DENO_CERT.pem')).toBe(`${authority}\n`)
    expect(files({}).written.get('NODE_EXTRA_CA_CERTS.pem')).toBe(`${authority}\n`)
    expect(count(written.get('REQUESTS_CA_BUNDLE.pem'))).toBeGreaterThan(100)
    expect(variables.PHP_INI_SCAN_DIR).toBe(':/tmp/a b')
  })

  it('add the trust store and the proxy to the options of Java', () => {
    const { variables } = files({ JAVA_TOOL_OPTIONS: '-Xmx1g "-Dhttp.nonProxyHosts=db|*.internal"' })
    expect(variables.JAVA_TOOL_OPTIONS).toBe(
      '-Xmx1g "-Dhttp.nonProxyHosts=db|*.internal" "-Djavax.net.ssl.trustStore=/tmp/a b/roots.jks" ' +
        '-Djavax.net.ssl.trustStoreType=JKS -Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=4081 ' +
        '-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=4081 ' +
        '"-Dhttp.nonProxyHosts=db|*.internal|localhost|127.0.0.1|::1"',
    )
  })

  it('keep the proxy of Java, except for the live hosts', () => {
    const environment = { JAVA_TOOL_OPTIONS: '-Dhttps.proxyHost=company -Dhttps.proxyPort=3128' }
    const { JAVA_TOOL_OPTIONS } = files(environment, withoutProxy).variables
    expect(JAVA_TOOL_OPTIONS).not.toContain('127.0.0.1')
    expect(JAVA_TOOL_OPTIONS).toContain(`-Dhttp.nonProxyHosts=localhost|127.*|[::1]|${liveHosts.join('|')}"`)
    expect(proxyIn(environment, 'https')?.href).toBe('http://company:3128/')
    const named = (kind: 'http' | 'https') =>
      proxyIn({ JAVA_TOOL_OPTIONS: `-D${kind}.proxyHost=company` }, kind)?.href
    expect([named('http'), named('https')]).toEqual(['http://company/', 'http://company:443/'])
  })

  it('give a program with the hook the proxies of the user again, but for those it has set itself', () => {
    const environment = { HTTPS_PROXY: 'run', NO_PROXY: 'run', ALL_PROXY: 'program', NODE_OPTIONS: 'run' }
    const variables = { HTTPS_PROXY: 'run', NO_PROXY: 'run', ALL_PROXY: 'run', NODE_OPTIONS: 'run' }
    const own = { HTTPS_PROXY: 'user', ALL_PROXY: 'user', NODE_OPTIONS: 'user' }
    restoreProxies({ pid: 1, hook: '/hook.cjs', variables, own }, environment)
    expect(environment).toEqual({ HTTPS_PROXY: 'user', ALL_PROXY: 'program', NODE_OPTIONS: 'run' })
  })

  it.each([
    [{}, ['localhost', '127.0.0.1', '::1']],
    [{ NO_PROXY: 'db, .internal' }, ['localhost', '127.0.0.1', '::1', 'db', '.internal']],
    [{ NO_PROXY: '*' }, ['localhost', '127.0.0.1', '::1']],
    [
      { no_proxy: '.tryvital.io,api.us.junction.com,junction.com:443,io,db' },
      ['localhost', '127.0.0.1', '::1', 'db'],
    ],
  ])('let no live host past the proxy: %j', (environment, expected) => {
    expect(hostsWithoutProxy(environment)).toEqual(expected)
  })

  it.each([
    [{ HTTPS_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
    [{ https_proxy: 'proxy:3128' }, 'http://proxy:3128/'],
    [{ ALL_PROXY: 'socks5://proxy:1080' }, undefined],
    [{ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '*' }, undefined],
    [{}, undefined],
  ])('find the proxy of %j', (environment, expected) => {
    expect(proxyIn(environment, 'https')?.href).toBe(expected)
  })

  it.each([
    [{}, 'authority.pem|--require "/hook.cjs" |-e 1\n'],
    [{ NODE_EXTRA_CA_CERTS: 'own.pem' }, 'own.pem|--require "/hook.cjs" |-e 1\n'],
    [{ NODE_OPTIONS: '--no-warnings' }, 'authority.pem|--require "/hook.cjs" --no-warnings|-e 1\n'],
    [{ NODE_OPTIONS: '--require "/hook.cjs"' }, 'authority.pem|--require "/hook.cjs"|-e 1\n'],
    [
      { NODE_OPTIONS: '--experimental-permission' },
      'authority.pem|--require "/hook.cjs" --experimental-permission|--allow-fs-read=/hook.cjs -e 1\n',
    ],
  ])('are added by the wrapper of node where the program has none: %j', async (own, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'petri-'))
    const script = nodeWrapper({ folder, hook: '/hook.cjs', run: 'run', authority: 'authority.pem' })
    writeFileSync(join(folder, 'node'), script, { mode: 0o700 })
    const next = join(folder, 'next')
    mkdirSync(next)
    const print = '#!/bin/sh\necho "$NODE_EXTRA_CA_CERTS|$NODE_OPTIONS|$*"\n'
    writeFileSync(join(next, 'node'), print, { mode: 0o700 })
    const env = { PATH: `${folder}:${next}:/usr/bin:/bin`, ...own }
    const { stdout } = await promisify(execFile)(join(folder, 'node'), ['-e', '1'], { env })
    expect(stdout).toBe(expected)
  })

  it('have a trust store that names each certificate', () => {
    const store = javaTrustStore([
      rootCertificates[0] ?? '',
      rootCertificates[1] ?? '',
      rootCertificates[0] ?? '',
    ])
    expect(store.readUInt32BE(0)).toBe(0xfeedfeed)
    expect(store.readUInt32BE(8)).toBe(2)
    expect(store.includes(new X509Certificate(rootCertificates[1] ?? '').raw)).toBe(true)
  })
})

describe('the proxy', () => {
  const answer: RequestListener = ({ url, headers }, response) => response.end(`petri ${headers.host} ${url}`)

  async function start(options: { upstream?: URL; refused?: boolean } = {}) {
    const authority = createAuthority(liveHosts, validity)
    const certified = issueCertificate(authority, liveHosts, validity)
    const live: LiveServer = await serveLiveHosts(answer, { host: '127.0.0.1', port: 0, certified })
    const { upstream } = options
    const proxy = await startProxy({
      live,
      answer,
      upstream: { http: upstream, https: upstream },
      refuses: () => options.refused ?? false,
    })
    closing.push(live.close, proxy.close)
    return { port: proxy.port, tlsPort: live.port, ca: authority.cert }
  }

  async function otherServer() {
    const server = createServer(({ method, url, headers }, response) =>
      response.end(`other ${method} ${url} ${headers['proxy-authorization'] ?? headers.host}`),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => server.close())
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Sends a request line with an absolute URL, as clients without tunnels do. */
  async function send(port: number, path: string, headers = {}) {
    const [response] = await once(
      request({ port, host: '127.0.0.1', path, headers, agent: false }).end(),
      'response',
    )
    return `${response.statusCode} ${await text(response)}`
  }

  async function tunnel(port: number, authority: string): Promise<{ status: number; socket: Socket }> {
    const sent = request({ port, host: '127.0.0.1', method: 'CONNECT', path: authority }).end()
    const [{ statusCode: status }, socket, head] = await once(sent, 'connect')
    socket.unshift(head)
    closing.push(() => socket.destroy())
    return { status, socket }
  }

  it('ends TLS for the live hosts', async () => {
    const { port, ca } = await start()
    const { socket } = await tunnel(port, 'api.tryvital.io:443')
    const secure = connectTls({ socket, servername: 'api.tryvital.io', ca })
    secure.end('GET /v2/user HTTP/1.1\r\nhost: api.tryvital.io\r\nconnection: close\r\n\r\n')
    expect(await text(secure)).toMatch(/petri api\.tryvital\.io \/v2\/user/)
  })

  it('speaks HTTP/1.1 with clients that offer HTTP/2 too, and refuses those that offer nothing else', async () => {
    const { port, ca } = await start()
    const offer = async (ALPNProtocols: string[]) => {
      const { socket } = await tunnel(port, 'api.tryvital.io:443')
      const secure = connectTls({ socket, servername: 'api.tryvital.io', ca, ALPNProtocols })
      closing.push(() => secure.destroy())
      await once(secure, 'secureConnect')
      return secure.alpnProtocol
    }
    expect(await offer(['h2', 'http/1.1'])).toBe('http/1.1')
    await expect(offer(['h2'])).rejects.toThrow(/no application protocol/)
  })

  it('serves the live hosts also without TLS, and to clients that send the whole URL', async () => {
    const { port } = await start()
    expect(await send(port, 'https://api.tryvital.io/v2/user?a=b', { host: 'api.tryvital.io' })).toBe(
      '200 petri api.tryvital.io /v2/user?a=b',
    )
    expect(await send(port, 'http://api.tryvital.io/', { host: 'api.tryvital.io' })).toBe(
      '200 petri api.tryvital.io /',
    )
    const { socket } = await tunnel(port, 'api.tryvital.io:80')
    socket.end('GET /x HTTP/1.1\r\nhost: api.tryvital.io\r\nconnection: close\r\n\r\n')
    expect(await text(socket)).toContain('petri api.tryvital.io /x')
  })

  it('passes other hosts untouched, with and without a tunnel', async () => {
    const { port } = await start()
    const other = await otherServer()
    expect(await send(port, `http://${other}/a?b`, { host: other })).toBe(`200 other GET /a?b ${other}`)
    const { socket } = await tunnel(port, other)
    socket.end(`GET /c HTTP/1.1\r\nhost: ${other}\r\nconnection: close\r\n\r\n`)
    expect(await text(socket)).toContain(`other GET /c ${other}`)
  })

  it('says why another host cannot be reached', async () => {
    const { port } = await start()
    expect(await send(port, 'http://127.0.0.1:9/', { host: '127.0.0.1:9' })).toMatch(
      /^502 127\.0\.0\.1:9 cannot be reached: /,
    )
    expect((await tunnel(port, '127.0.0.1:9')).status).toBe(502)
  })

  /** Asks a server that sends these bytes, and returns the status and body as far as they come. */
  async function askFor(bytes: string) {
    const other = createTcpServer((socket) => socket.once('data', () => socket.end(bytes, 'latin1')))
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    closing.push(() => other.close())
    const { port } = await start()
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`
    return send(port, `http://${host}/`, { host }).catch(({ message }: Error) => message)
  }

  it.each([
    ['an unknown status', 'HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nok', /^999 ok$/],
    ['a status that is none', 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n', /^502 .* no valid response/],
    ['a reason with control characters', 'HTTP/1.1 200 O\x01K\r\ncontent-length: 0\r\n\r\n', /^502 /],
    ['a header with control characters', 'HTTP/1.1 200 OK\r\na: \x7f\r\ncontent-length: 0\r\n\r\n', /^502 /],
    ['what is no HTTP', 'SSH-2.0-x\r\n\r\n', /^502 .* cannot be reached/],
    [
      'another protocol',
      'HTTP/1.1 101 Up\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      /^502 .* no response/,
    ],
    ['a body that breaks off', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab', /aborted/],
    ['nothing', '', /^502 /],
  ])('survives another host that sends %s', async (_, bytes, outcome) => {
    expect(await askFor(bytes)).toMatch(outcome)
  })

  it('reaches other hosts through the proxy that the environment names', async () => {
    const upstream = createServer(({ url, headers }, response) =>
      response.end(`upstream ${url} ${headers['proxy-authorization']}`),
    )
    upstream.on('connect', ({ url, headers }, socket: Socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n\r\nupstream ${url} ${headers['proxy-authorization']}`)
    })
    upstream.listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    closing.push(() => upstream.close())
    const { port: upstreamPort } = upstream.address() as AddressInfo
    const { port } = await start({ upstream: new URL(`http://user:pass@127.0.0.1:${upstreamPort}`) })
    const credentials = `Basic ${btoa('user:pass')}`
    expect(await send(port, 'http://example.com/a', { host: 'example.com' })).toBe(
      `200 upstream http://example.com/a ${credentials}`,
    )
    const { socket } = await tunnel(port, 'example.com:443')
    expect(await text(socket)).toBe(`upstream example.com:443 ${credentials}`)
  })

  it('refuses other hosts when it is told to', async () => {
    const { port } = await start({ refused: true })
    expect(await send(port, 'http://example.com/', { host: 'example.com' })).toMatch(
      /^403 petri exec --offline: refused/,
    )
    expect((await tunnel(port, 'example.com:443')).status).toBe(403)
  })

  it('survives a request that is none, and a tunnel that breaks', async () => {
    const { port } = await start()
    expect(await send(port, '/v2/user', { host: '127.0.0.1' })).toMatch(/^400 /)
    expect((await tunnel(port, 'x:99999').catch(() => ({ status: 400 }))).status).toBe(400)
    const raw = connect(port, '127.0.0.1')
    raw.write('CONNECT api.tryvital.io:443 HTTP/1.1\r\n\r\nnot TLS')
    await once(raw, 'data')
    raw.resetAndDestroy()
    expect(await send(port, 'http://api.tryvital.io/', { host: 'api.tryvital.io' })).toMatch(/^200 /)
  })

  it('serves no other host over TLS', async () => {
    const { tlsPort, ca } = await start()
    const secure = connectTls({ port: tlsPort, host: '127.0.0.1', servername: 'api.tryvital.io', ca })
    secure.end('GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n')
    expect(await text(secure)).toMatch(/^HTTP\/1\.1 421 /)
  })
})
