import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { delimiter, join } from 'node:path'
import { compact } from '../kernel/list.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import type { Environment } from '../kernel/platform.ts'
import { createAuthority, issueCertificate } from './certificates.ts'
import { isListed, isLoopback, liveHosts, runVariable } from './hosts.ts'
import { type LiveServer, listenFor, serveLiveHosts, startProxy } from './live-server.ts'
import { createNamespace, type Wrap } from './namespace.ts'
import type { HookOptions, HookReport } from './node-hook.ts'
import { createRunFolder } from './run-folder.ts'
import { hostsWithoutProxy, nodeOptions, nodeWrapper, proxyIn, redirectionVariables } from './variables.ts'

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
  readonly variables: Readonly<Record<string, string>>
  /** Runs a command where the live hosts lead here whatever its variables; undefined where the system has no such thing. */
  readonly wrap: Wrap | undefined
  /** Events so far, each once. */
  reports(): readonly HookReport[]
  close(): Promise<void>
}

/** Days for which the certificates of a run are valid. */
const VALID_DAYS = 7

export async function startRedirection(options: RedirectionOptions): Promise<Redirection> {
  const { answer, environment, isOffline, now } = options
  const { folder, remove } = createRunFolder()
  try {
    const happened: HookReport[] = []
    const validity = { now, days: VALID_DAYS }
    const authority = createAuthority(liveHosts, validity)
    const live = await serveLiveHosts(answer, {
      host: '127.0.0.1',
      port: 0,
      certified: issueCertificate(authority, liveHosts, validity),
      onUntrusted: (host) => happened.push({ what: 'untrusted', host }),
    })
    const direct = hostsWithoutProxy(environment)
    const proxy = await startProxy({
      live,
      answer,
      upstream: { http: proxyIn(environment, 'http'), https: proxyIn(environment, 'https') },
      refuses(host, port) {
        if (!isOffline || isLoopback(host) || isListed(direct, host)) return false
        happened.push({ what: 'refused', host: `${host}:${port}` })
        return true
      },
    })
    const write = (name: string, content: string | Buffer, mode = 0o600) => {
      const path = join(folder, name)
      writeFileSync(path, content, { mode })
      return path
    }
    const reports = write('reports.jsonl', '')
    const run = JSON.stringify({
      pid: process.pid,
      tlsPort: live.port,
      plainPort: proxy.port,
      onlyHosts: isOffline ? direct : undefined,
      reports,
    } satisfies HookOptions)
    const variables = redirectionVariables(environment, {
      authority: authority.cert,
      proxyPort: proxy.port,
      direct,
      write,
    })
    const hook = join(packageFolder('dist'), 'chunks/node-hook.cjs')
    const commands = join(folder, 'bin')
    mkdirSync(commands, { mode: 0o700 })
    write('bin/node', nodeWrapper({ folder: commands, hook, run, authority: join(folder, 'ca.pem') }), 0o700)
    const address = addressOfRun()
    const roots = readFileSync(join(folder, 'roots.pem'), 'utf8')
    const wrap = createNamespace({ address, roots, write })
    const closeDoors = wrap === undefined ? [] : await openDoors(address, live, proxy)
    return {
      variables: {
        ...variables,
        NODE_OPTIONS: nodeOptions(environment, hook),
        [runVariable]: run,
        PATH: [commands, environment.PATH].join(delimiter),
      },
      wrap,
      reports: () => unique([...happened, ...readReports(reports)]),
      async close() {
        await Promise.all([proxy.close(), live.close(), ...closeDoors.map((close) => close())])
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** Serves the live hosts at the ports that URLs mean, where this user may listen there. Otherwise connections are refused. */
async function openDoors(address: string, live: LiveServer, proxy: LiveServer) {
  const opened = [listenFor(address, 443, live.accept), listenFor(address, 80, proxy.accept)]
  return compact(await Promise.all(opened.map((each) => each.catch(() => undefined))))
}

/** An address of this machine that no other run has. */
const addressOfRun = () =>
  `127.${80 + (process.pid >>> 16)}.${(process.pid >>> 8) & 0xff}.${process.pid & 0xff}`

function readReports(file: string): HookReport[] {
  // The program may have removed it.
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return lines.map((line) => JSON.parse(line) as HookReport)
}

const unique = (reports: readonly HookReport[]) => [
  ...new Map(reports.map((report) => [`${report.what} ${report.host}`, report])).values(),
]
