import childProcess, { execFile, execFileSync, execFileSync as imported } from 'node:child_process'
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener, request } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls, rootCertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import workerThreads from 'node:worker_threads'
import { JunctionEnvironment } from '@junction-api/sdk'
import { VitalEnvironment } from '@tryvital/vital-node'
import { build } from 'esbuild'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { authorityIn } from '../../src/intercept/authority-folder.ts'
import { createAuthority, issueCertificate } from '../../src/intercept/certificates.ts'
import { passOnToChildren, restoreProxies } from '../../src/intercept/child-environment.ts'
import { isListed, isLiveHost, liveHosts } from '../../src/intercept/hosts.ts'
import {
  type LiveServer,
  type LiveServerOptions,
  listenFor,
  type ProxyOptions,
  serveLiveHosts,
  startProxy,
} from '../../src/intercept/live-server.ts'
import { javaTrustStore, rootFiles, systemRoots } from '../../src/intercept/trust.ts'
import {
  hostsWithoutProxy,
  nodeWrapper,
  proxyIn,
  redirectionVariables,
} from '../../src/intercept/variables.ts'
import { isOwnServer } from '../../src/kernel/own-calls.ts'
import { freePort } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'

const validity = { now: Date.now(), days: 1 }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe('the hosts of the live service', () => {
  it('are those of each stage, region and brand, with all that the official clients name', () => {
    const ofStage = (stage: string) => [
      ...['api', 'auth'].flatMap((name) =>
        ['us', 'eu'].map((region) => `${name}.${stage}${region}.junction.com`),
      ),
      ...['', 'eu.'].map((region) => `api.${stage}${region}tryvital.io`),
    ]
    const others = ['api.management.junction.com', 'link.tryvital.io', 'link.dev.tryvital.io']
    expect([...liveHosts].sort()).toEqual([...others, ...['', 'sandbox.', 'dev.'].flatMap(ofStage)].sort())
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
  ['a.x.net', true],
  ['xcorp', false],
])('the host %s is in the list of a user: %s', (host, isIn) => {
  expect(isListed(['db', '.internal', '*.corp', 'x.net'], host)).toBe(isIn)
})

describe('the certificate authority', () => {
  it('certifies the live hosts, and no others', { tags: 'slow' }, async () => {
    const authority = createAuthority(liveHosts, validity)
    const folder = makeFolder('petri-')
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

  it('is valid from the day before, for the days that are asked for, and says what it is for', {
    tags: 'slow',
  }, () => {
    const hosts = ['api.tryvital.io', 'a.b']
    const validity = { now: Date.UTC(2049, 11, 31), days: 1 }
    const authority = createAuthority(hosts, validity)
    const told = [authority, issueCertificate(authority, hosts, validity)].map(({ cert }) => {
      const { subject, issuer, validFrom, validTo, serialNumber, raw } = new X509Certificate(cert)
      // A year from 2050 has four digits, in a type of its own.
      expect(raw.includes('\x17\x0d491230000000Z\x18\x0f20500101000000Z')).toBe(true)
      expect(serialNumber).toMatch(/^[4-7][0-9A-F]{39}$/)
      // The bits of the usage, after the number of those that are not used.
      const usage = /0603551d0f0101ff04040302(\w{4})/.exec(raw.toString('hex'))?.[1]
      const extensions = 'basicConstraints,keyUsage,nameConstraints,subjectAltName,extendedKeyUsage'
      const args = ['x509', '-noout', '-ext', extensions]
      const text = execFileSync('openssl', args, { input: cert, encoding: 'utf8' })
      return [subject, issuer, validFrom, validTo, usage, text.replace(/\s+/g, ' ').trim()]
    })
    const [name, from, to] = [
      'CN=Petri test CA\nO=Petri',
      'Dec 30 00:00:00 2049 GMT',
      'Jan  1 00:00:00 2050 GMT',
    ]
    const server = 'X509v3 Extended Key Usage: TLS Web Server Authentication'
    expect(told).toEqual([
      [
        name,
        name,
        from,
        to,
        '0106',
        'X509v3 Basic Constraints: critical CA:TRUE, pathlen:0 X509v3 Key Usage: critical Certificate Sign, CRL Sign ' +
          'X509v3 Name Constraints: critical Permitted: DNS:api.tryvital.io DNS:a.b ' +
          `Excluded: IP:0.0.0.0/0.0.0.0 IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0 ${server}`,
      ],
      [
        'O=Petri',
        name,
        from,
        to,
        '0780',
        'X509v3 Basic Constraints: critical CA:FALSE X509v3 Key Usage: critical Digital Signature ' +
          `X509v3 Subject Alternative Name: DNS:api.tryvital.io, DNS:a.b ${server}`,
      ],
    ])
  })
})

describe('the certificate authority in a folder', () => {
  const folderOf = () => makeFolder('petri-')
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

  it('may certify servers only, belongs to its key, and leaves no other file', () => {
    const folder = join(folderOf(), 'new')
    mkdirSync(folder)
    writeFileSync(join(folder, `ca-key.pem.${process.pid}`), 'of a start that was killed')
    const { cert, key } = authorityIn(folder, now)
    const certificate = new X509Certificate(cert)
    expect([certificate.keyUsage, certificate.validTo]).toEqual([
      ['1.3.6.1.5.5.7.3.1'],
      'Jan  3 00:00:00 2036 GMT',
    ])
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['ca-key.pem', 'ca.pem'])
    expect(authorityIn(folder, now)).toEqual({ cert, key })
  })

  it('takes the rights of others to its key away', () => {
    const folder = join(folderOf(), 'in', 'another')
    authorityIn(folder, now)
    chmodSync(join(folder, 'ca-key.pem'), 0o644)
    authorityIn(folder, now)
    const modes = ['ca-key.pem', 'ca.pem'].map((name) => statSync(join(folder, name)).mode & 0o777)
    expect(modes).toEqual([0o600, 0o644])
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
    expect(() => authorityIn(two, now)).toThrow(
      new Error('ca.pem does not belong to ca-key.pem; restore the missing one, or remove both'),
    )
    rmSync(join(one, 'ca-key.pem'))
    expect(() => authorityIn(one, now)).toThrow(
      new Error('ca.pem exists without ca-key.pem; remove it to create a new authority'),
    )
  })

  it('is refused in a sentence without its certificate, and with an empty file', () => {
    const { cert, key } = createAuthority(liveHosts, validity)
    const remedy = 'is not PEM; restore it, or remove ca.pem and ca-key.pem to create a new authority'
    for (const [files, message] of [
      [{ 'ca-key.pem': key }, 'ca-key.pem exists without ca.pem; restore ca.pem, or remove ca-key.pem'],
      [{ 'ca-key.pem': key, 'ca.pem': '' }, `ca.pem ${remedy}`],
      [{ 'ca-key.pem': '', 'ca.pem': cert }, `ca-key.pem ${remedy}`],
      [{ 'ca-key.pem': `${key}-----BEGIN CERTIFICATE-----` }, `ca-key.pem ${remedy}`],
    ] as const) {
      const folder = folderOf()
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      expect(() => authorityIn(folder, now)).toThrow(new Error(message))
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

const authorityOfServers = createAuthority(liveHosts, validity)
const certified = issueCertificate(authorityOfServers, liveHosts, validity)

describe('the server of the live hosts', { timeout: 5000 }, () => {
  async function start(more: Partial<LiveServerOptions> = {}) {
    const live = await serveLiveHosts(() => undefined, {
      host: '127.0.0.1',
      port: 0,
      certified,
      ...more,
    })
    closing.push(live.close)
    return live.port
  }
  /** What the server sends for these bytes. */
  function ask(port: number, bytes: string) {
    const socket = connectTls({ port, servername: 'api.tryvital.io', ca: authorityOfServers.cert })
    socket.write(bytes)
    return text(socket)
  }

  it('gives up requests that are not received in time', async () => {
    const timeouts = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 }
    const bytes = 'POST /v2/user HTTP/1.1\r\nhost: api.tryvital.io\r\ncontent-length: 9\r\n\r\n'
    expect(await ask(await start({ timeouts }), bytes)).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('serves no other host, and nothing without TLS', async () => {
    const port = await start()
    for (const [head, name] of [
      ['HTTP/1.1\r\nhost: evil.example\r\nconnection: close', 'evil.example'],
      ['HTTP/1.0', ''],
    ]) {
      const reply = await ask(port, `GET / ${head}\r\n\r\n`)
      expect(reply).toMatch(/^HTTP\/1\.1 421 [\s\S]*\r\ncontent-type: application\/json\r\n/)
      const detail = `Only the host names of the live service are served here, not "${name}".`
      expect(reply).toContain(JSON.stringify({ detail }))
    }
    const plain = connect(port, '127.0.0.1')
    plain.write('GET / HTTP/1.1\r\n\r\n')
    expect(await text(plain)).toBe(
      'HTTP/1.1 400 Bad Request\r\ncontent-length: 45\r\n\r\nThis port speaks TLS: call it with https://.\n',
    )
  })

  it('names the hosts whose certificate a program does not trust, and is silent about other failures', {
    tags: 'slow',
  }, async () => {
    const untrusted: string[] = []
    const port = await start({ onUntrusted: (host) => untrusted.push(host) })
    for (const name of [['-servername', 'api.tryvital.io'], []]) {
      const args = ['s_client', '-connect', `127.0.0.1:${port}`, '-verify_return_error', ...name]
      const client = execFile('openssl', args)
      client.stdin?.end()
      await once(client, 'close')
    }
    const other = connectTls({ port, ca: authorityOfServers.cert, ALPNProtocols: ['h2'] })
    await expect(once(other, 'secureConnect')).rejects.toThrow(/no application protocol/)
    expect(untrusted).toEqual(['api.tryvital.io', 'a live host'])
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
    const path = join(makeFolder('petri-'), 'own.pem')
    writeFileSync(path, text)
    return path
  }

  it('are the proxy for programs without the hook, and what the user has for the others', () => {
    const environment = { HTTPS_PROXY: 'http://company:3128', NO_PROXY: 'db', DENO_CERT: '/none' }
    const { variables, own } = files(environment)
    expect(variables).toMatchObject({
      HTTPS_PROXY: 'http://127.0.0.1:4081',
      http_proxy: 'http://127.0.0.1:4081',
      NO_PROXY: 'localhost,127.0.0.1,::1,db',
    })
    const direct = ['db', ...liveHosts].join(',')
    expect(own).toEqual({ ...environment, NO_PROXY: direct, no_proxy: direct })
    expect(Object.keys(own)).toEqual(Object.keys(variables))
  })

  it('have no proxy where the live hosts lead to Petri without one, except that of the user', () => {
    const environment = { HTTP_PROXY: 'http://company:3128', ALL_PROXY: 'socks5://company', no_proxy: '*' }
    const { variables } = files(environment, withoutProxy)
    expect(variables).toMatchObject({ ...environment, NO_PROXY: '*' })
    expect(variables.HTTPS_PROXY).toBeUndefined()
    expect(files({}, withoutProxy).variables.NO_PROXY).toBe(liveHosts.join(','))
    expect(files({ NO_PROXY: ' * ' }, withoutProxy).variables.NO_PROXY).toBe(' * ')
    const both = files({ NO_PROXY: 'one', no_proxy: 'two' }, withoutProxy).variables
    expect([both.NO_PROXY, both.no_proxy].map((text) => text?.split(',')[0])).toEqual(['one', 'two'])
  })

  it('leave the proxies of the user out of a run without other hosts', () => {
    const environment = { https_proxy: 'http://127.0.0.1:3128', ALL_PROXY: 'http://127.0.0.1:3128' }
    const { variables, own } = files(environment, { ...withoutProxy, isOffline: true })
    const none = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])
    for (const each of [variables, own])
      expect(each).toMatchObject(Object.fromEntries(none.map((name) => [name, undefined])))
  })

  it('load the hook before the modules that the user loads', () => {
    expect(files({}).variables.NODE_OPTIONS).toBe('--require "/hook.cjs"')
    const { variables } = files({ NODE_OPTIONS: '--require ./mine.cjs' })
    expect(variables.NODE_OPTIONS).toBe('--require "/hook.cjs" --require ./mine.cjs')
    expect(files({ NODE_OPTIONS: String(variables.NODE_OPTIONS) }).variables.NODE_OPTIONS).toBe(
      variables.NODE_OPTIONS,
    )
  })

  it('let each program trust what it trusted before, and the authority', () => {
    const folder = makeFolder('petri-')
    for (const [name, text] of [
      ['other.crt', other],
      ['readme', 'None.'],
    ] as const)
      writeFileSync(join(folder, name), text)
    const { variables, written } = files({
      SSL_CERT_FILE: fileOf(own),
      NODE_EXTRA_CA_CERTS: folder,
      DENO_CERT: join(folder, 'none'),
      PHP_INI_SCAN_DIR: '/php',
    })
    for (const name of ['SSL_CERT_FILE', 'CURL_CA_BUNDLE']) {
      expect(written.get(`${name}.pem`)).toBe(`${authority}\n${own}\n`)
      expect(variables[name]).toBe(`/tmp/a b/${name}.pem`)
    }
    expect(written.get('NODE_EXTRA_CA_CERTS.pem')).toBe(`${authority}\n${other}\n`)
    expect(written.get('DENO_CERT.pem')).toBe(`${authority}\n`)
    expect(files({}).written.get('NODE_EXTRA_CA_CERTS.pem')).toBe(`${authority}\n`)
    const both = files({ SSL_CERT_FILE: fileOf(own), CURL_CA_BUNDLE: fileOf(other) })
    for (const name of ['CURL', 'REQUESTS'])
      expect(both.written.get(`${name}_CA_BUNDLE.pem`)).toBe(`${authority}\n${other}\n`)
    expect(written.get('REQUESTS_CA_BUNDLE.pem')).toBe(`${[authority, ...systemRoots()].join('\n')}\n`)
    const [none, ownFile] = [join(folder, 'none'), fileOf(own)]
    expect([systemRoots([none, ownFile, fileOf(other)]), systemRoots([none])]).toEqual([
      [own],
      rootCertificates,
    ])
    const [certs, pki] = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki']
    const bundles = [`${pki}/tls/certs/ca-bundle.crt`, '/etc/ssl/ca-bundle.pem']
    const extracted = `${pki}/ca-trust/extracted/pem/tls-ca-bundle.pem`
    expect(rootFiles).toEqual([certs, ...bundles, extracted, '/etc/ssl/cert.pem'])
    const roots = '/tmp/a b/SSL_CERT_FILE.pem'
    expect(written.get('petri.ini')).toBe(`curl.cainfo="${roots}"\nopenssl.cafile="${roots}"\n`)
    const folders = [variables, files({}).variables].map(({ PHP_INI_SCAN_DIR }) => PHP_INI_SCAN_DIR)
    expect(folders).toEqual(['/php:/tmp/a b', ':/tmp/a b'])
    expect([...written.keys()].slice(5)).toEqual(['petri.ini', 'roots.jks'])
  })

  it('add the trust store and the proxy to the options of Java', { tags: 'slow' }, () => {
    const { variables, written } = files({
      JAVA_TOOL_OPTIONS: '-Xmx1g "-Dhttp.nonProxyHosts=db|*.internal"',
      NO_PROXY: '.corp',
    })
    const store = javaTrustStore([authority, ...systemRoots()])
    expect(store.equals(written.get('roots.jks') as Buffer)).toBe(true)
    expect(variables.JAVA_TOOL_OPTIONS).toBe(
      '-Xmx1g "-Dhttp.nonProxyHosts=db|*.internal" "-Djavax.net.ssl.trustStore=/tmp/a b/roots.jks" ' +
        '-Djavax.net.ssl.trustStoreType=JKS -Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=4081 ' +
        '-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=4081 ' +
        '"-Dhttp.nonProxyHosts=db|*.internal|localhost|127.0.0.1|::1|*.corp"',
    )
  })

  it('keep the proxy of Java, except for the live hosts', () => {
    const environment = { JAVA_TOOL_OPTIONS: `'-Dhttps.proxyHost=company' -Dhttps.proxyPort=3128` }
    const { JAVA_TOOL_OPTIONS } = files(environment, withoutProxy).variables
    expect(JAVA_TOOL_OPTIONS).not.toContain('127.0.0.1')
    expect(JAVA_TOOL_OPTIONS).toContain(`-Dhttp.nonProxyHosts=localhost|127.*|[::1]|${liveHosts.join('|')}"`)
    expect(proxyIn(environment, 'https')?.href).toBe('http://company:3128/')
    const named = (kind: 'http' | 'https') =>
      proxyIn({ JAVA_TOOL_OPTIONS: `-D${kind}.proxyHost=a -D${kind}.proxyHost=company` }, kind)?.href
    expect([named('http'), named('https')]).toEqual(['http://company/', 'http://company:443/'])
  })

  it('have a copy of the trust store of the user, to which the tool of Java adds the authority', () => {
    const folder = makeFolder('petri-')
    const keytool = '#!/bin/sh\necho "$@" > "$0.given"\n'
    writeFileSync(join(folder, 'keytool'), keytool, { mode: 0o700 })
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
    const optionsWith = (store: string, more = '') =>
      files({ JAVA_TOOL_OPTIONS: `-Djavax.net.ssl.trustStore=${store}${more}` })
    const given = 'trustStorePassword=secret -Djavax.net.ssl.trustStoreType=PKCS12'
    for (const [more, added] of [
      ['', 'changeit'],
      [` -Djavax.net.ssl.${given}`, 'secret -storetype PKCS12'],
    ] as const) {
      const { variables, written } = optionsWith(fileOf('store'), more)
      expect(variables.JAVA_TOOL_OPTIONS).toContain(
        `${more} "-Djavax.net.ssl.trustStore=/tmp/a b/own-trust-store" `,
      )
      expect(written.get('own-trust-store')).toEqual(Buffer.from('store'))
      expect(written.get('authority.pem')).toBe(authority)
      const files = '-file /tmp/a b/authority.pem -keystore /tmp/a b/own-trust-store'
      expect(readFileSync(join(folder, 'keytool.given'), 'utf8')).toBe(
        `-importcert -noprompt -alias petri ${files} -storepass ${added}\n`,
      )
    }
    expect(optionsWith('/none').variables.JAVA_TOOL_OPTIONS).toMatch(
      / -Djavax\.net\.ssl\.trustStore=\/none -Dhttp\./,
    )
    vi.unstubAllEnvs()
  })

  it('give a program with the hook the proxies of the user again, but for those it has set itself', () => {
    const environment = { HTTPS_PROXY: 'run', NO_PROXY: 'run', ALL_PROXY: 'program', NODE_OPTIONS: 'run' }
    const variables = { HTTPS_PROXY: 'run', NO_PROXY: 'run', ALL_PROXY: 'run', NODE_OPTIONS: 'run' }
    const own = { HTTPS_PROXY: 'user', ALL_PROXY: 'user', NODE_OPTIONS: 'user' }
    restoreProxies({ pid: 1, hook: '/hook.cjs', variables, own }, environment)
    expect(environment).toStrictEqual({ HTTPS_PROXY: 'user', ALL_PROXY: 'program', NODE_OPTIONS: 'run' })
  })

  it.each([
    [{}, ['localhost', '127.0.0.1', '::1']],
    [
      { NO_PROXY: 'db, .internal,,db,::1', no_proxy: 'a' },
      ['localhost', '127.0.0.1', '::1', 'db', '.internal'],
    ],
    [{ NO_PROXY: '*' }, ['localhost', '127.0.0.1', '::1']],
    [
      { no_proxy: '.tryvital.io,api.us.junction.com,junction.com:443,*.TRYVITAL.io,*junction.com,io,db' },
      ['localhost', '127.0.0.1', '::1', 'db'],
    ],
  ])('let no live host past the proxy: %j', (environment, expected) => {
    expect(hostsWithoutProxy(environment)).toEqual(expected)
  })

  it.each([
    [{ HTTPS_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
    [{ https_proxy: 'proxy:3128' }, 'http://proxy:3128/'],
    [{ ALL_PROXY: 'socks5://proxy:1080' }, undefined],
    [{ HTTPS_PROXY: 'xhttp://proxy:3128' }, undefined],
    [{ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: ' * ', no_proxy: 'db' }, undefined],
    [{ https_proxy: 'a', HTTPS_PROXY: 'b', ALL_PROXY: 'c' }, 'http://a/'],
    [{ HTTPS_PROXY: 'b', HTTP_PROXY: 'a', ALL_PROXY: 'c' }, 'http://b/'],
    [{ ALL_PROXY: 'https://c', all_proxy: 'd', http_proxy: 'a' }, 'https://c/'],
    [{ all_proxy: 'd', JAVA_TOOL_OPTIONS: '-Dhttps.proxyHost=e' }, 'http://d/'],
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
    const folder = makeFolder('petri-')
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
    const [one = '', two = ''] = rootCertificates
    const store = javaTrustStore([one, two, one])
    const entries = [one, two].flatMap((pem, at) => {
      const { raw } = new X509Certificate(pem)
      const head = `\0\0\0\x02\0\x06root-${at}${'\0'.repeat(8)}\0\x05X.509\0\0`
      return [Buffer.from(head), Buffer.of(raw.length >> 8, raw.length & 0xff), raw]
    })
    const content = Buffer.concat([Buffer.from('feedfeed0000000200000002', 'hex'), ...entries])
    // The password with two bytes for each letter, and a salt that is the same in all stores.
    const salted = `${[...'changeit'].map((letter) => `\0${letter}`).join('')}Mighty Aphrodite`
    const digest = createHash('sha1').update(salted).update(content).digest()
    expect(store.equals(Buffer.concat([content, digest]))).toBe(true)
  })
})

describe('the processes and threads that a program starts', () => {
  const hook = join(makeFolder('petri-'), 'hook.cjs')
  writeFileSync(hook, '')
  const { spawnSync, execFileSync, execSync, ChildProcess } = childProcess
  const { spawn } = ChildProcess.prototype as unknown as { spawn: unknown }
  const { Worker } = workerThreads
  afterEach(() => {
    Object.assign(childProcess, { spawnSync, execFileSync, execSync })
    Object.assign(ChildProcess.prototype, { spawn })
    Object.assign(workerThreads, { Worker })
    syncBuiltinESMExports()
  })
  const start = (pid = process.pid) => {
    const variables = { NO_PROXY: 'run', HTTPS_PROXY: 'run', DENO_CERT: 'run' }
    const inherited = { PETRI_EXEC_RUN: 'this', A: 'inherited' }
    passOnToChildren({ pid, hook, variables, own: { NO_PROXY: 'user' } }, inherited)
  }
  const env = { NO_PROXY: 'user', HTTPS_PROXY: 'program', A: 'b=c' }
  const added = {
    NO_PROXY: 'run',
    DENO_CERT: 'run',
    NODE_OPTIONS: `--require "${hook}"`,
    PETRI_EXEC_RUN: 'this',
  }
  const print = '/usr/bin/env'

  it.each([
    ['spawn', async () => text(childProcess.spawn(print, { env }).stdout)],
    ['spawnSync', () => childProcess.spawnSync(print, null as never, { env }).stdout],
    ['execFileSync', () => childProcess.execFileSync(print, [], { env })],
    ['execSync', () => childProcess.execSync(`${print} -u PWD`, { env })],
    ['an execFileSync that it has imported', () => imported(print, [], { env })],
    ['spawnSync with no environment of its own', () => childProcess.spawnSync(print).stdout],
  ])('have by %s the variables of the run, but for those that the program has set', async (how, run) => {
    const variables = async () => {
      const lines = String(await run())
        .split('\n')
        .filter(Boolean)
      return Object.fromEntries(lines.map((line) => line.split(/=(.*)/)))
    }
    start()
    const given = how.endsWith('own') ? { A: 'inherited', HTTPS_PROXY: 'run' } : env
    expect(await variables()).toEqual({ ...given, ...added })
  })

  it('have only their own variables once the run has ended', async () => {
    start(2 ** 31 - 1)
    // Names as on Windows.
    const env = { '=C:': 'a', '=D:': 'b', E: 'c' }
    expect(await text(childProcess.spawn(print, { env }).stdout)).toBe('=C:=a\n=D:=b\nE=c\n')
    expect(childProcess.execFileSync(print, { env: { A: 'b' }, encoding: 'utf8' })).toBe('A=b\n')
  })

  it('have them as threads with an environment of their own', { tags: 'slow' }, async () => {
    start()
    const code = "require('node:worker_threads').parentPort.postMessage({ ...process.env })"
    const told = async (given: NodeJS.ProcessEnv | null) => {
      const worker = new workerThreads.Worker(code, { eval: true, env: given as NodeJS.ProcessEnv })
      return (await once(worker, 'message'))[0]
    }
    expect(await told(env)).toEqual({ ...env, ...added })
    expect(await told(null)).not.toHaveProperty('DENO_CERT')
    expect(await once(new workerThreads.Worker(hook), 'exit')).toEqual([0])
  })
})

describe('the proxy', { timeout: 5000 }, () => {
  const answer: RequestListener = ({ url, headers }, response) => response.end(`petri ${headers.host} ${url}`)

  async function start({ upstream = {}, refuses = () => false }: Partial<ProxyOptions> = {}) {
    const live: LiveServer = await serveLiveHosts(answer, { host: '127.0.0.1', port: 0, certified })
    const proxy = await startProxy({ live, answer, upstream, refuses })
    closing.push(live.close, proxy.close)
    return { port: proxy.port, ca: authorityOfServers.cert, accept: proxy.accept }
  }

  async function otherServer() {
    const server = createServer(async (incoming, response) => {
      const { method, url, rawHeaders } = incoming
      response.writeHead(203, 'Mine', ['X-One', '1', 'x-one', '2'])
      response.end(`other ${method} ${url} ${rawHeaders}${await text(incoming)}`)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => server.close())
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Sends a request line with an absolute URL, as clients without tunnels do. */
  async function send(port: number, path: string, headers = {}, method = 'GET') {
    const [response] = await once(
      request({ port, host: '127.0.0.1', path, headers, method, agent: false }).end(),
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

  async function tunnelled(port: number, authority: string): Promise<string> {
    const { status, socket } = await tunnel(port, authority)
    return `${status} ${await text(socket)}`
  }

  it.each(['', ':443', ':79', ':81'])('ends TLS for the live hosts, asked for with "%s"', async (to) => {
    const { port, ca } = await start()
    const { socket } = await tunnel(port, `api.tryvital.io${to}`)
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
    for (const path of ['https://api.tryvital.io/v2/user?a=b', 'http://api.tryvital.io/', '/v2/user'])
      expect(await send(port, path, { host: 'api.tryvital.io' })).toBe(
        `200 petri api.tryvital.io ${path.replace(/^h.*io/, '')}`,
      )
    const { socket } = await tunnel(port, 'api.tryvital.io:80')
    socket.end('GET /x HTTP/1.1\r\nhost: api.tryvital.io\r\nconnection: close\r\n\r\n')
    expect(await text(socket)).toContain('petri api.tryvital.io /x')
  })

  it('passes other hosts untouched, with and without a tunnel', async () => {
    const { port } = await start()
    const other = await otherServer()
    const rawHeaders = ['X-proxy-a', 'b', 'host', other, 'content-length', '5', 'connection', 'close']
    const headers = [...rawHeaders.slice(0, 2), 'Proxy-Connection', 'no', ...rawHeaders.slice(2)]
    const options = { port, host: '127.0.0.1', path: `http://${other}/a?b`, headers, agent: false }
    const [response] = await once(request({ ...options, method: 'POST' }).end(' sent'), 'response')
    expect(await text(response)).toBe(`other POST /a?b ${rawHeaders} sent`)
    expect([response.statusCode, response.statusMessage]).toEqual([203, 'Mine'])
    expect(response.rawHeaders.slice(0, 4)).toEqual(['X-One', '1', 'x-one', '2'])
    // An address of this machine that is not loopback.
    const { socket } = await tunnel(port, other.replace('127.0.0.1', '0.0.0.0'))
    socket.end(`GET /c HTTP/1.1\r\nhost: ${other}\r\nconnection: close\r\n\r\n`)
    expect(await text(socket)).toContain(`other GET /c host,${other},connection,close`)
  })

  it('passes on what a program sends with the request for its tunnel', async () => {
    const { port } = await start()
    for (const [authority, said] of [
      [await otherServer(), 'other'],
      ['api.tryvital.io:80', 'petri'],
    ]) {
      const head = 'GET /c HTTP/1.1\r\nhost: api.tryvital.io\r\nconnection: close\r\n\r\n'
      const socket = connect(port, '127.0.0.1')
      socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n${head}`)
      expect(await text(socket)).toMatch(
        new RegExp(`^HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 20[^]*${said} `),
      )
    }
  })

  it('says why another host cannot be reached', async () => {
    const { port } = await start()
    const said = '502 127.0.0.1:9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9\n'
    expect(await send(port, 'http://127.0.0.1:9/', { host: '127.0.0.1:9' })).toBe(said)
    expect(await tunnelled(port, '127.0.0.1:9')).toBe(said)
    expect(await tunnelled(port, '[::1]:9')).toMatch(/^502 \[::1\]:9 cannot be reached: connect \w+ ::1:9/)
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
    [
      'a status that is none',
      'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n',
      /^502 127\.0\.0\.1:\d+ sent no valid response: .+\n$/,
    ],
    [
      'a reason with control characters',
      'HTTP/1.1 200 O\x01K\r\ncontent-length: 0\r\n\r\n',
      /^502 .* no valid response: /,
    ],
    ['a header with control characters', 'HTTP/1.1 200 OK\r\na: \x7f\r\ncontent-length: 0\r\n\r\n', /^502 /],
    ['what is no HTTP', 'SSH-2.0-x\r\n\r\n', /^502 .* cannot be reached/],
    [
      'another protocol',
      'HTTP/1.1 101 Up\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      /^502 127\.0\.0\.1:\d+ sent no response\.\n$/,
    ],
    ['a body that breaks off', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab', /aborted/],
    ['nothing', '', /^502 127\.0\.0\.1:\d+ cannot be reached: socket hang up\n$/],
  ])('survives another host that sends %s', async (_, bytes, outcome) => {
    expect(await askFor(bytes)).toMatch(outcome)
  })

  it('reaches other hosts through the proxies that the environment names, and this machine without', async () => {
    const upstream = createServer(({ method, url, headers }, response) =>
      response.end(`upstream ${method} ${url} ${headers['proxy-authorization']}`),
    )
    let refused: Promise<unknown> | undefined
    upstream.on('connect', ({ url, headers }, socket: Socket) => {
      const { host, 'proxy-authorization': given } = headers
      if (given) return void socket.end(`HTTP/1.1 200 Said\r\n\r\nupstream ${url} ${host} ${given}`)
      refused = once(socket.resume(), 'end')
      socket.write('HTTP/1.1 407 Said\r\n\r\n')
    })
    upstream.listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    closing.push(() => upstream.close())
    const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`
    const [open, secured] = [new URL(`http://${host}`), new URL(`http://us%40er:p%3Ass@${host}`)]
    const { port } = await start({ upstream: { http: open, https: secured } })
    const credentials = `Basic ${btoa('us@er:p:ss')}`
    expect(await send(port, 'http://example.com/a')).toBe('200 upstream GET http://example.com/a undefined')
    const url = 'https://example.com:8443/a'
    expect(await send(port, url, {}, 'DELETE')).toBe(`200 upstream DELETE ${url} ${credentials}`)
    const tunnelTo = 'example.com:443'
    expect(await tunnelled(port, tunnelTo)).toBe(`200 upstream ${tunnelTo} ${tunnelTo} ${credentials}`)
    const { port: without } = await start({ upstream: { http: secured, https: open } })
    expect(await tunnelled(without, tunnelTo)).toBe(
      `502 ${tunnelTo} cannot be reached: the proxy answered 407\n`,
    )
    await refused
    const other = await otherServer()
    expect(await send(port, `http://${other}/`)).toMatch(/^203 other /)
    expect(await tunnel(without, other)).toAnswer(200)
    const [broken, ofIpv6] = ['127.0.0.1', '[::1]'].map((at) => new URL(`http://${at}:9`))
    const { port: without9 } = await start({ upstream: { http: ofIpv6, https: broken } })
    expect(await tunnelled(without9, tunnelTo)).toBe(
      `502 ${tunnelTo} cannot be reached: connect ECONNREFUSED 127.0.0.1:9\n`,
    )
    // With TLS, which that proxy does not speak.
    const { port: secure } = await start({ upstream: { http: new URL(`https://${host}`) } })
    expect(await send(secure, 'http://example.com/')).toMatch(/^502 /)
    expect(await send(without9, 'http://example.com/')).toMatch(
      /^502 example\.com cannot be reached: connect \w+ ::1:9/,
    )
  })

  it('refuses other hosts when it is told to', async () => {
    const asked: string[] = []
    const { port } = await start({ refuses: (host, to) => asked.push(`${host} ${to}`) > 0 })
    const refusal = (host: string) => `403 petri exec --offline: refused a connection to ${host}.\n`
    for (const [url, host] of [
      ['HTTP://example.com/', 'example.com'],
      ['https://example.com/', 'example.com'],
      ['http://example.com:8080/', 'example.com:8080'],
    ] as const)
      expect(await send(port, url)).toBe(refusal(host))
    for (const authority of ['example.com:8443', 'example.com'])
      expect(await tunnelled(port, authority)).toBe(refusal('example.com'))
    expect(asked).toEqual([80, 443, 8080, 8443, 443].map((to) => `example.com ${to}`))
    for (const path of ['/v2/user', 'xhttp://example.com/', 'http://['])
      expect(await send(port, path)).toBe('400 This is the proxy of "petri exec".\n')
    expect(await tunnelled(port, 'x:99999')).toBe('400 "x:99999" is not a host and port.\n')
  })

  it('serves connections that another server accepts, and ends all once it is closed', async () => {
    const { port, accept } = await start()
    const other = Number(await freePort())
    const close = await listenFor('127.0.0.1', other, accept)
    const host = { host: 'api.tryvital.io' }
    expect(await send(other, '/v2/user', host)).toBe('200 petri api.tryvital.io /v2/user')
    for (const each of [port, other]) {
      expect(isOwnServer('127.0.0.1', each)).toBe(true)
      await expect(once(connect(each, '::1'), 'connect')).rejects.toThrow('connect')
    }
    await close()
    const { socket } = await tunnel(port, 'api.tryvital.io:443')
    const ended = once(socket, 'close')
    await Promise.all(closing.splice(0, 2).map((close) => close()))
    await ended
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  })

  it('gives up the call to another host when the program does', async () => {
    const { port } = await start()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    closing.push(() => other.close())
    const path = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    const sent = request({ port, host: '127.0.0.1', path, agent: false }).on('error', () => undefined)
    const asked = once(other, 'request')
    sent.end()
    const [, response] = await asked
    sent.destroy()
    await once(response, 'close')
  })

  it('survives a tunnel that breaks', async () => {
    const { port } = await start({ refuses: () => true })
    for (const to of ['api.tryvital.io', 'example.com']) {
      const raw = connect(port, '127.0.0.1')
      raw.write(`CONNECT ${to}:443 HTTP/1.1\r\n\r\nnot TLS`)
      await once(raw, 'data')
      raw.resetAndDestroy()
    }
    expect(await send(port, 'http://api.tryvital.io/', { host: 'api.tryvital.io' })).toMatch(/^200 /)
  })
})
