import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { delimiter, join } from 'node:path'
import { parseJson } from '../kernel/json.ts'
import { append, compact } from '../kernel/list.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import type { Environment } from '../kernel/platform.ts'
import { codeOf } from '../kernel/reason.ts'
import { isThisMachine } from '../kernel/this-machine.ts'
import { createAuthority, issueCertificate } from './certificates.ts'
import { isListed, liveHosts, runVariable } from './hosts.ts'
import { type LiveServer, listenFor, serveLiveHosts, startProxy } from './live-server.ts'
import { createNamespace, hasNetwork, type Wrap } from './namespace.ts'
import type { HookOptions, HookReport } from './node-hook.ts'
import { createRunFolder } from './run-folder.ts'
import { bundleOf, systemRoots } from './trust.ts'
import { hostsWithoutProxy, nodeWrapper, proxyIn, redirectionVariables } from './variables.ts'

export interface RedirectionOptions {
  /** Serves the requests for the live hosts. */
  readonly answer: RequestListener
  /** The environment to which the variables are added. */
  readonly environment: Environment
  /** Refuses all hosts but the live ones, those of this machine, and those in `NO_PROXY`. */
  readonly isOffline: boolean
  /** The wall clock, in milliseconds since 1970. */
  readonly now: number
}

/** Redirects the programs that run with its variables from the live hosts to Petri. */
export interface Redirection {
  readonly variables: Environment
  /** Runs a command where the live hosts lead here whatever its variables; undefined where the system has no such thing. */
  readonly wrap: Wrap | undefined
  /** Events so far, each once. */
  reports(): readonly HookReport[]
  close(): Promise<void>
}

/** Days for which the certificates of a run are valid. */
const VALID_DAYS = 7

export async function startRedirection(options: RedirectionOptions): Promise<Redirection> {
  const { folder, remove } = createRunFolder()
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    await Promise.all(closers.map((each) => each()))
    remove()
  }
  try {
    return { ...(await redirectInto(folder, options, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function redirectInto(
  folder: string,
  options: RedirectionOptions,
  closers: (() => Promise<void>)[],
): Promise<Omit<Redirection, 'close'>> {
  const { environment, isOffline, now } = options
  const happened: HookReport[] = []
  const answer: RequestListener = (incoming, outgoing) => {
    // A browser may trust a host only after it has asked its user, or at the second attempt.
    forget(happened, { what: 'untrusted', host: incoming.headers.host ?? '' })
    options.answer(incoming, outgoing)
  }
  const validity = { now, days: VALID_DAYS }
  const authority = createAuthority(liveHosts, validity)
  const live = await serveLiveHosts(answer, {
    host: '127.0.0.1',
    port: 0,
    certified: issueCertificate(authority, liveHosts, validity),
    onUntrusted: (host) => happened.push({ what: 'untrusted', host }),
  })
  closers.push(live.close)
  const direct = hostsWithoutProxy(environment)
  const proxy = await startProxy({
    live,
    answer,
    upstream: { http: proxyIn(environment, 'http'), https: proxyIn(environment, 'https') },
    refuses(host, port) {
      if (!isOffline || isThisMachine(host) || isListed(direct, host)) return false
      happened.push({ what: 'refused', host: `${host}:${port}` })
      return true
    },
  })
  closers.push(proxy.close)
  const write = (name: string, content: string | Buffer, mode = 0o600) => {
    const path = join(folder, name)
    writeFileSync(path, content, { mode })
    return path
  }
  const address = addressOfRun()
  const namespace = createNamespace({ address, roots: bundleOf([authority.cert, ...systemRoots()]), write })
  if (namespace) closers.push(async () => namespace.restoreHosts())
  const doors = namespace ? await openDoors(address, live, proxy) : []
  append(closers, doors)
  // Without a proxy, only the lack of a network refuses the other hosts.
  const needsProxy = doors.length < DOORS || (isOffline && hasNetwork())
  const hook = join(packageFolder('dist'), 'chunks/node-hook.cjs')
  const { variables, own } = redirectionVariables(environment, {
    authority: authority.cert,
    hook,
    proxyPort: needsProxy ? proxy.port : undefined,
    isOffline,
    write,
  })
  const reports = write('reports.jsonl', '')
  const run = JSON.stringify({
    pid: process.pid,
    tlsPort: live.port,
    plainPort: proxy.port,
    onlyHosts: isOffline ? direct : undefined,
    reports,
    hook,
    variables,
    own,
  } satisfies HookOptions)
  const commands = join(folder, 'bin')
  mkdirSync(commands, { mode: 0o700 })
  const wrapper = { folder: commands, hook, run, authority: variables.NODE_EXTRA_CA_CERTS ?? '' }
  write('bin/node', nodeWrapper(wrapper), 0o700)
  return {
    variables: {
      ...variables,
      [runVariable]: run,
      PATH: [commands, environment.PATH].join(delimiter),
    },
    wrap: namespace?.wrap,
    reports: () => unique([...happened, ...readReports(reports)]),
  }
}

function forget(reports: HookReport[], { what, host }: HookReport): void {
  const at = reports.findIndex((report) => report.what === what && report.host === host)
  if (at !== -1) reports.splice(at, 1)
}

/** The ports that URLs mean, with TLS and without. */
const DOORS = 2

/** Serves the live hosts at the ports that URLs mean, where this user may listen there. Otherwise connections are refused. */
async function openDoors(address: string, live: LiveServer, proxy: LiveServer) {
  const opened = [listenFor(address, 443, live.accept), listenFor(address, 80, proxy.accept)]
  return compact(await Promise.all(opened.map((each) => each.catch(() => undefined))))
}

/** An address of this machine that no other run has. */
const addressOfRun = () =>
  `127.${80 + (process.pid >>> 16)}.${(process.pid >>> 8) & 0xff}.${process.pid & 0xff}`

const unreadable: HookReport = { what: 'unreadable', host: '' }

function readReports(file: string): HookReport[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => {
      const report = parseJson(line) as Partial<HookReport> | null | undefined
      return typeof report?.host === 'string' ? (report as HookReport) : unreadable
    })
  } catch (error) {
    // The program may have removed it.
    return codeOf(error) === 'ENOENT' ? [] : [unreadable]
  }
}

const unique = (reports: readonly HookReport[]) => [
  ...new Map(reports.map((report) => [`${report.what} ${report.host}`, report])).values(),
]
