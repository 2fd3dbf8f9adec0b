import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import type { Environment } from '../kernel/platform.ts'
import { quoted as shellWord } from '../kernel/shell.ts'
import { loopbackHosts } from '../kernel/this-machine.ts'
import { nodeOptions } from './child-environment.ts'
import { containsLiveHost, liveHosts, runVariable } from './hosts.ts'
import { bundleOf, certificatesIn, javaTrustStore, systemRoots } from './trust.ts'

/** Writes a file for the programs, and returns its path. */
type WriteFile = (name: string, content: string | Buffer) => string

interface VariableRow {
  readonly name: string
  readonly readBy: string
  /** Whether its file has the only roots of a program, or others than its own. */
  readonly roots?: 'all' | 'added'
  /** The variable that the program reads without this one. */
  readonly otherwise?: string
}

/** The variables of a run. docs/exec.md lists them. */
// biome-ignore format: a table is read by its columns.
export const variableTable: readonly VariableRow[] = [
  { name: 'NODE_OPTIONS',        readBy: 'Node' },
  { name: 'NODE_EXTRA_CA_CERTS', readBy: 'Node, Bun',                              roots: 'added' },
  { name: 'DENO_CERT',           readBy: 'Deno',                                   roots: 'added' },
  { name: 'SSL_CERT_FILE',       readBy: 'OpenSSL (Python, Ruby, .NET), Go, Rust', roots: 'all' },
  { name: 'CURL_CA_BUNDLE',      readBy: 'curl',                                   roots: 'all', otherwise: 'SSL_CERT_FILE' },
  { name: 'REQUESTS_CA_BUNDLE',  readBy: 'Python requests',                        roots: 'all', otherwise: 'CURL_CA_BUNDLE' },
  { name: 'PHP_INI_SCAN_DIR',    readBy: 'PHP' },
  { name: 'JAVA_TOOL_OPTIONS',   readBy: 'Java, which says so on standard error' },
  { name: 'NO_PROXY',            readBy: 'programs with a proxy' },
  { name: 'HTTP(S)_PROXY',       readBy: 'programs without the hook, where they need a proxy' },
]

type Variables = Readonly<Record<string, string | undefined>>

export interface RedirectionFiles {
  /** The certificate of the authority that programs must trust, in PEM. */
  readonly authority: string
  /** The file that Node loads first. */
  readonly hook: string
  /** The port of the proxy; undefined where the live hosts lead to Petri without one. */
  readonly proxyPort: number | undefined
  /** Whether the user's own proxies are left out, which would lead to other hosts. */
  readonly isOffline: boolean
  readonly write: WriteFile
}

/** The variables of a run, and the values that the same ones would have without it. */
export function redirectionVariables(
  environment: Environment,
  { authority, hook, proxyPort, isOffline, write }: RedirectionFiles,
): { readonly variables: Variables; readonly own: Variables } {
  const ownProxies = proxiesOfUser(environment, isOffline)
  const certificates = certificateVariables(environment, authority, write)
  const phpRoots = certificates.SSL_CERT_FILE
  const phpFile = write('petri.ini', `curl.cainfo="${phpRoots}"\nopenssl.cafile="${phpRoots}"\n`)
  const variables: Variables = {
    ...certificates,
    ...ownProxies,
    ...(proxyPort !== undefined && proxyVariables(proxyPort, hostsWithoutProxy(environment))),
    NODE_OPTIONS: nodeOptions(environment.NODE_OPTIONS, hook),
    // PHP takes no file from the environment, only folders of settings; the empty part stands for its own.
    PHP_INI_SCAN_DIR: [environment.PHP_INI_SCAN_DIR, dirname(phpFile)].join(delimiter),
    JAVA_TOOL_OPTIONS: javaToolOptions(environment, { authority, proxyPort, write }),
  }
  const own = Object.fromEntries(Object.keys(variables).map((name) => [name, environment[name]]))
  return { variables, own: { ...own, ...ownProxies } }
}

/** Each program trusts the roots that it trusted before, and the authority. */
function certificateVariables(environment: Environment, authority: string, write: WriteFile) {
  const files = variableTable.flatMap(({ name, roots, otherwise = name }) => {
    if (roots === undefined) return []
    const trusted = certificatesIn(environment[name] ?? environment[otherwise])
    const all = roots === 'all' && trusted.length === 0 ? systemRoots() : trusted
    return [[name, write(`${name}.pem`, bundleOf([authority, ...all]))] as const]
  })
  return Object.fromEntries(files)
}

const inBothSpellings = (names: readonly string[]) => names.flatMap((name) => [name, name.toLowerCase()])

const sameFor = (names: readonly string[], value: string) =>
  Object.fromEntries(inBothSpellings(names).map((name) => [name, value]))

const proxyVariables = (port: number, direct: readonly string[]) => ({
  ...sameFor(['HTTPS_PROXY', 'HTTP_PROXY'], `http://127.0.0.1:${port}`),
  ...sameFor(['NO_PROXY'], direct.join(',')),
})

/** The proxies that the user has named, which the live hosts must not be called through. */
function proxiesOfUser(environment: Environment, isOffline: boolean): Variables {
  const proxies = inBothSpellings(['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'])
  const exemptions = inBothSpellings(['NO_PROXY'])
  return {
    ...Object.fromEntries(proxies.map((name) => [name, isOffline ? undefined : environment[name]])),
    ...Object.fromEntries(
      exemptions.map((name) => [name, withLiveHosts(environment[name] ?? noProxyOf(environment))]),
    ),
  }
}

const noProxyOf = (environment: Environment) => environment.NO_PROXY ?? environment.no_proxy ?? ''

const withLiveHosts = (noProxy: string) =>
  noProxy.trim() === '*' ? noProxy : [noProxy, ...liveHosts].filter(Boolean).join(',')

/** Java reads none of the other variables. Source: java.net.doc-files.net-properties, "Proxies". */
function javaToolOptions(
  environment: Environment,
  { authority, proxyPort, write }: Pick<RedirectionFiles, 'authority' | 'proxyPort' | 'write'>,
): string {
  const own = environment.JAVA_TOOL_OPTIONS
  const ownStore = javaProperty(environment, 'javax.net.ssl.trustStore')
  const trust = ownStore
    ? { 'javax.net.ssl.trustStore': copyOfTrustStore(environment, ownStore, authority, write) }
    : {
        'javax.net.ssl.trustStore': write('roots.jks', javaTrustStore([authority, ...systemRoots()])),
        'javax.net.ssl.trustStoreType': 'JKS',
      }
  const proxy = proxyPort !== undefined && {
    'http.proxyHost': '127.0.0.1',
    'http.proxyPort': proxyPort,
    'https.proxyHost': '127.0.0.1',
    'https.proxyPort': proxyPort,
  }
  const hosts = proxy ? hostsWithoutProxy(environment).map((host) => host.replace(/^\./, '*.')) : liveHosts
  const exempt = javaProperty(environment, 'http.nonProxyHosts') ?? 'localhost|127.*|[::1]'
  const properties = { ...trust, ...proxy, 'http.nonProxyHosts': [exempt, ...hosts].join('|') }
  const options = Object.entries(properties).map(([name, value]) => quoted(`-D${name}=${value}`))
  return [own, ...options].filter(Boolean).join(' ')
}

const quoted = (option: string) => (/[\s|]/.test(option) ? `"${option}"` : option)

/** The value of a property in the user's options of Java. */
function javaProperty({ JAVA_TOOL_OPTIONS = '' }: Environment, name: string): string | undefined {
  const options = JAVA_TOOL_OPTIONS.matchAll(/"-D([^=]+)=([^"]*)"|'-D([^=]+)=([^']*)'|-D([^=\s]+)=(\S*)/g)
  const pairs = [...options].map((match) => match.slice(1).filter((part) => part !== undefined))
  return pairs.findLast(([found]) => found === name)?.[1]
}

/** A copy of the user's trust store with the authority, if the tool of Java can open it. */
function copyOfTrustStore(
  environment: Environment,
  own: string,
  authority: string,
  write: WriteFile,
): string {
  if (!existsSync(own)) return own
  const copy = write('own-trust-store', readFileSync(own))
  const password = javaProperty(environment, 'javax.net.ssl.trustStorePassword') ?? 'changeit'
  const type = javaProperty(environment, 'javax.net.ssl.trustStoreType')
  const command = ['-importcert', '-noprompt', '-alias', 'petri', '-file', write('authority.pem', authority)]
  const store = ['-keystore', copy, '-storepass', password, ...(type ? ['-storetype', type] : [])]
  spawnSync('keytool', [...command, ...store])
  return copy
}

/**
 * A `node` for the start of `PATH`, which runs the next one there with the hook: a script in a package.json may set
 * `NODE_OPTIONS` itself.
 */
export const nodeWrapper = ({
  folder,
  hook,
  run,
  authority,
}: Readonly<Record<'folder' | 'hook' | 'run' | 'authority', string>>): string => `#!/bin/sh
case "$NODE_OPTIONS" in
  *${shellWord(hook)}*) ;;
  *) NODE_OPTIONS=${shellWord(`--require ${JSON.stringify(hook)}`)}" $NODE_OPTIONS" ;;
esac
case "$NODE_OPTIONS $*" in
  # Node 20 does not read the hook without it.
  *--experimental-permission*) set -- --allow-fs-read=${shellWord(hook)} "$@" ;;
esac
${runVariable}=${shellWord(run)}
NODE_EXTRA_CA_CERTS=\${NODE_EXTRA_CA_CERTS:-${shellWord(authority)}}
export NODE_OPTIONS ${runVariable} NODE_EXTRA_CA_CERTS
rest=
IFS=:
for each in $PATH; do
  [ "$each" = ${shellWord(folder)} ] || rest="$rest\${rest:+:}$each"
done
node=$(PATH=$rest command -v node) || { echo 'node: not found' >&2; exit 127; }
unset IFS
exec "$node" "$@"
`

/** The hosts that are called without a proxy: this machine, and those that `NO_PROXY` names, except live hosts. */
export function hostsWithoutProxy(environment: Environment): readonly string[] {
  const listed = noProxyOf(environment)
    .split(',')
    .map((host) => host.trim())
  const others = listed.filter((host) => host !== '' && host !== '*' && !containsLiveHost(host))
  return [...new Set([...loopbackHosts, ...others])]
}

/** The proxy that the environment already names for a protocol; none for all hosts if `NO_PROXY` is `*`. */
export function proxyIn(environment: Environment, protocol: 'http' | 'https'): URL | undefined {
  const name = `${protocol}_proxy`
  const given =
    environment[name] ??
    environment[name.toUpperCase()] ??
    environment.ALL_PROXY ??
    environment.all_proxy ??
    javaProxyIn(environment, protocol)
  const isDirect = noProxyOf(environment).trim() === '*'
  if (!given || isDirect) return undefined
  const text = given.includes('://') ? given : `http://${given}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

function javaProxyIn(environment: Environment, protocol: 'http' | 'https'): string | undefined {
  const host = javaProperty(environment, `${protocol}.proxyHost`)
  const port = javaProperty(environment, `${protocol}.proxyPort`) ?? (protocol === 'https' ? 443 : 80)
  return host && `${host}:${port}`
}
