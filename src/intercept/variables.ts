import { delimiter, dirname } from 'node:path'
import type { Environment } from '../kernel/platform.ts'
import { quoted as shellWord } from '../kernel/shell.ts'
import { containsLiveHost, runVariable } from './hosts.ts'
import { bundleOf, certificatesIn, javaTrustStore, systemRoots } from './trust.ts'

/** Writes a file for the programs, and returns its path. */
type WriteFile = (name: string, content: string | Buffer) => string

/** Variables whose file replaces the roots of a program: OpenSSL (Python, Ruby, .NET), Go and Rust; requests; curl. */
const replacing = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']
/** Variables whose file is added to the roots of a program: Node and Bun; Deno. */
const adding = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT']

export interface RedirectionFiles {
  /** The certificate of the authority that programs shall trust, in PEM. */
  readonly authority: string
  readonly proxyPort: number
  /** Hosts that are called without the proxy. */
  readonly direct: readonly string[]
  readonly write: WriteFile
}

/** The variables with which programs use a proxy of this machine, and trust an authority besides those that they trust already. */
export function redirectionVariables(
  environment: Environment,
  { authority, proxyPort, direct, write }: RedirectionFiles,
): Record<string, string> {
  const trusted = (variables: readonly string[]) => [
    authority,
    // Often the same file.
    ...[...new Set(variables.map((name) => environment[name]))].flatMap(certificatesIn),
  ]
  const all = [...trusted([...replacing, ...adding]), ...systemRoots()]
  const roots = write('roots.pem', bundleOf(all))
  const proxy = `http://127.0.0.1:${proxyPort}`
  const phpFile = write('petri.ini', `curl.cainfo="${roots}"\nopenssl.cafile="${roots}"\n`)
  return {
    ...sameFor(replacing, roots),
    ...sameFor(adding, write('ca.pem', bundleOf(trusted(adding)))),
    ...sameFor(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'], proxy),
    ...sameFor(['NO_PROXY', 'no_proxy'], direct.join(',')),
    // For processes of Node without the hook, from 22.21 and 24.5 on.
    NODE_USE_ENV_PROXY: '1',
    // PHP takes no file from the environment, only folders of settings; the empty part stands for its own.
    PHP_INI_SCAN_DIR: [environment.PHP_INI_SCAN_DIR ?? '', dirname(phpFile)].join(delimiter),
    JAVA_TOOL_OPTIONS: joined(
      environment.JAVA_TOOL_OPTIONS,
      ...javaOptions(proxyPort, direct, write('roots.jks', javaTrustStore(all))),
    ),
  }
}

const sameFor = (names: readonly string[], value: string) =>
  Object.fromEntries(names.map((name) => [name, value]))

const joined = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(' ')

/** Java reads none of the other variables. Source: java.net.doc-files.net-properties, "Proxies". */
function javaOptions(proxyPort: number, direct: readonly string[], trustStore: string): string[] {
  const properties = {
    'javax.net.ssl.trustStore': trustStore,
    'javax.net.ssl.trustStoreType': 'JKS',
    'http.proxyHost': '127.0.0.1',
    'http.proxyPort': proxyPort,
    'https.proxyHost': '127.0.0.1',
    'https.proxyPort': proxyPort,
    'http.nonProxyHosts': ['127.*', ...direct.map((host) => host.replace(/^\./, '*.'))].join('|'),
  }
  return Object.entries(properties).map(([name, value]) => quoted(`-D${name}=${value}`))
}

const quoted = (option: string) => (/[\s|]/.test(option) ? `"${option}"` : option)

/** Adds the hook to the options of Node. `--require`, because `--import` loads the module system of each process 15 ms earlier. */
export const nodeOptions = (environment: Environment, hook: string): string =>
  joined(environment.NODE_OPTIONS, `--require ${JSON.stringify(hook)}`)

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
  *) NODE_OPTIONS="$NODE_OPTIONS --require "${shellWord(JSON.stringify(hook))} ;;
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

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/** The hosts that are called without a proxy: this machine, and those that `NO_PROXY` names, except live hosts. */
export function hostsWithoutProxy(environment: Environment): readonly string[] {
  const listed = (environment.NO_PROXY ?? environment.no_proxy ?? '').split(',').map((host) => host.trim())
  const others = listed.filter((host) => host !== '' && host !== '*' && !containsLiveHost(host))
  return [...new Set([...LOOPBACK, ...others])]
}

/** The proxy that the environment already names for a protocol; none for all hosts if `NO_PROXY` is `*`. */
export function proxyIn(environment: Environment, protocol: 'http' | 'https'): URL | undefined {
  const name = `${protocol}_proxy`
  const given =
    environment[name] ?? environment[name.toUpperCase()] ?? environment.ALL_PROXY ?? environment.all_proxy
  const isDirect = (environment.NO_PROXY ?? environment.no_proxy ?? '').trim() === '*'
  if (!given || isDirect) return undefined
  const text = given.includes('://') ? given : `http://${given}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}
