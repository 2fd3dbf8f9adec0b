import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The process that listens on a port, if this user may see it; Linux only. Source: proc(5), /proc/net/tcp. */
export function holderOfPort(port: number): string | undefined {
  const inodes = new Set(['tcp', 'tcp6'].flatMap((protocol) => listeningInodes(protocol, port)))
  if (inodes.size === 0) return undefined
  for (const pid of list('/proc').filter((name) => /^\d+$/.test(name))) {
    const owns = list(`/proc/${pid}/fd`).some((descriptor) => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${descriptor}`))?.[1]
      return inode !== undefined && inodes.has(inode)
    })
    if (owns) return `process ${pid} (${textOf(`/proc/${pid}/comm`).trim()})`
  }
  return undefined
}

/** The state LISTEN of a socket, in hexadecimal. */
const LISTEN = '0A'

function listeningInodes(protocol: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return textOf(`/proc/net/${protocol}`)
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      return state === LISTEN && local.endsWith(`:${wanted}`) && inode !== undefined ? [inode] : []
    })
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
