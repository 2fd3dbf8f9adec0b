import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { platform } from '../kernel/platform.ts'
import { quoted } from '../kernel/shell.ts'
import { liveHosts } from './hosts.ts'
import { rootFiles } from './trust.ts'

const HOSTS = '/etc/hosts'
const READABLE = 0o644
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

export interface NamespaceOptions {
  /** The address of this machine to which the live hosts are resolved. */
  readonly address: string
  /** The certificates that the programs trust, in PEM. */
  readonly roots: string
  readonly write: (name: string, content: string) => string
}

/** Returns the command that runs another one where files of this run replace those of the system. */
export type Wrap = (command: readonly string[]) => readonly string[]

export interface Namespace {
  readonly wrap: Wrap
  /** Lets the live hosts resolve as before, for programs that outlive the run. */
  restoreHosts(): void
}

/** The path of the program that creates namespaces, because the environment of a program may have no PATH; empty without it. */
export const findUnshare = (): string =>
  spawnSync('sh', ['-c', 'command -v unshare'], { encoding: 'utf8' }).stdout.trim()

/**
 * Prepares a mount namespace in which the live hosts resolve to this machine, and the authority of the run is trusted, whatever
 * variables a program sets. Returns undefined where the kernel does not let this user create one.
 */
export function createNamespace({ address, roots, write }: NamespaceOptions): Namespace | undefined {
  if (!platform.hasProcFileSystem || !existsSync(HOSTS)) return undefined
  const unshare = findUnshare()
  if (!unshare) return undefined
  // Other users that a program runs as must be able to read these.
  const publicFile = (name: string, content: string) => {
    const path = write(name, content)
    chmodSync(path, READABLE)
    return path
  }
  // The second address serves look-ups of IPv6 addresses, which would reach DNS.
  const entries = [address, `::ffff:${address}`].map((each) => `${each} ${liveHosts.join(' ')}\n`)
  const own = readFileSync(HOSTS, 'utf8')
  const hosts = publicFile('hosts', entries.join('') + own)
  const trusted = publicFile('system-roots.pem', roots)
  const mounts = [[hosts, HOSTS], ...rootFiles.filter(existsSync).map((file) => [trusted, file])]
  const { isRoot, asUser } = identity()
  const script = [
    'set -e',
    ...mounts.map(([from = '', to = '']) => `PATH=${SYSTEM_PATH} mount --bind ${quoted(from)} ${to}`),
    // Users other than root keep their id.
    `exec ${isRoot ? '' : `${unshare} ${asUser} -- `}"$@"`,
  ].join('\n')
  const prefix = [unshare, process.getuid?.() === 0 ? '-m' : '-rm', '--', '/bin/sh', '-c', script, 'sh']
  const wrap: Wrap = (command) => [...prefix, ...command]
  const [command = '', ...args] = wrap(['true'])
  if (spawnSync(command, args, { stdio: 'ignore' }).status !== 0) return undefined
  // The same file, because it stays mounted when its name is removed.
  return { wrap, restoreHosts: () => void (existsSync(hosts) && writeFileSync(hosts, own)) }
}

/** Whether this process has a network other than that of its machine. */
export const hasNetwork = (): boolean => Object.keys(networkInterfaces()).some((name) => name !== 'lo')

/** This user, by the ids outside of a namespace that has mapped it alone to root. */
function identity(): { readonly isRoot: boolean; readonly asUser: string } {
  const [user = 0, group = 0] = [outerId('uid', process.getuid?.()), outerId('gid', process.getgid?.())]
  return { isRoot: user === 0, asUser: `--user --map-user=${user} --map-group=${group}` }
}

/** Source: user_namespaces(7), "User and group ID mappings". */
function outerId(kind: 'uid' | 'gid', id: number | undefined): number | undefined {
  const [, outer, count] = readFileSync(`/proc/self/${kind}_map`, 'utf8').trim().split(/\s+/)
  return count === '1' ? Number(outer) : id
}
