import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFolder } from '../kernel/package-folder.ts'
import { createAuthority, issueCertificate } from './certificates.ts'
import { isListed, isLoopback, liveHosts } from './hosts.ts'
import { serveLiveHosts, startProxy } from './live-server.ts'
import type { HookOptions, HookReport } from './node-hook.ts'
import {
  type Environment,
  hostsWithoutProxy,
  nodeOptions,
  proxyIn,
  redirectionVariables,
} from './variables.ts'

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

/** Leads the programs that run with its variables from the live hosts to Petri. */
export interface Redirection {
  readonly variables: Readonly<Record<string, string>>
  /** What happened so far, each once. */
  reports(): readonly HookReport[]
  close(): Promise<void>
}

/** Days for which the certificates of a run are valid. */
const VALID_DAYS = 7

export async function startRedirection(options: RedirectionOptions): Promise<Redirection> {
  const { answer, environment, isOffline, now } = options
  const folder = mkdtempSync(join(tmpdir(), 'petri-exec-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
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
    const write = (name: string, content: string | Buffer) => {
      const path = join(folder, name)
      writeFileSync(path, content, { mode: 0o600 })
      return path
    }
    const reports = write('reports.jsonl', '')
    const hook: HookOptions = {
      tlsPort: live.port,
      plainPort: proxy.port,
      onlyHosts: isOffline ? direct : undefined,
      reports,
    }
    const files = { authority: authority.cert, proxyPort: proxy.port, direct, write }
    return {
      variables: {
        ...redirectionVariables(environment, files),
        NODE_OPTIONS: nodeOptions(environment, write('hook.cjs', scriptOf(hook))),
      },
      reports: () => unique([...happened, ...readReports(reports)]),
      async close() {
        await Promise.all([proxy.close(), live.close()])
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** The script that Node loads before a program. */
function scriptOf(options: HookOptions): string {
  const hook = join(packageFolder('dist'), 'chunks/node-hook.cjs')
  return `require(${JSON.stringify(hook)}).install(${JSON.stringify(options)})\n`
}

function readReports(file: string): HookReport[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as HookReport)
}

const unique = (reports: readonly HookReport[]) => [
  ...new Map(reports.map((report) => [`${report.what} ${report.host}`, report])).values(),
]
