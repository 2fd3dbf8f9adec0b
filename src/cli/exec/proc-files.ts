import { readdirSync, readFileSync } from 'node:fs'

/** A TCP socket on which a program of this machine listens. */
interface ListeningSocket {
  /** In hexadecimal, as Linux writes it. */
  readonly address: string
  readonly port: number
  readonly inode: string
}

/** The state of a socket that listens. Source: include/net/tcp_states.h of Linux. */
const LISTENING = '0A'

/** Linux only; empty elsewhere. Source: proc_pid_net(5). */
export const listeningSockets = (): ListeningSocket[] =>
  ['/proc/self/net/tcp6', '/proc/self/net/tcp'].flatMap((file) =>
    rowsOf(file).flatMap(([, local = '', , state, , , , , , inode = '']) => {
      const [address = '', port = ''] = local.split(':')
      return state === LISTENING ? [{ address, port: Number.parseInt(port, 16), inode }] : []
    }),
  )

/** Without such a file, as on another system or a machine without IPv6, none. */
const rowsOf = (file: string): string[][] =>
  readOr('', () => readFileSync(file, 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

/** The ids of all processes that this user sees. */
export const processIds = (): string[] =>
  readOr([], () => readdirSync('/proc')).filter((name) => /^\d+$/.test(name))

export const processName = (pid: string | number): string =>
  readOr('', () => readFileSync(`/proc/${pid}/comm`, 'utf8').trim())

/** Reads a file or folder that may be gone or closed to this user. */
export function readOr<Value>(fallback: Value, read: () => Value): Value {
  try {
    return read()
  } catch {
    return fallback
  }
}
