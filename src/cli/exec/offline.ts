import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server, Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { findUnshare } from '../../intercept/namespace.ts'
import { byName } from '../../kernel/fields.ts'
import { startInterval } from '../../kernel/pause.ts'
import { platform } from '../../kernel/platform.ts'
import { listeningSockets } from './proc-files.ts'

/** A message to the process without a network: the open ports of this machine, or the connection of a socket. */
type Told = { readonly ports: readonly number[] } | { readonly connection: number }
interface Asked {
  readonly port: number
  readonly connection: number
}

/** Milliseconds between two looks at the ports of this machine. */
const LOOK_MS = 250
const LOOPBACK = '127.0.0.1'

/** Returns the command that runs this process again without a network, where the kernel lets this user create a namespace. */
export function commandWithoutNetwork(): readonly string[] | undefined {
  const unshare = platform.hasProcFileSystem && findUnshare()
  if (!unshare) return undefined
  const flags = process.getuid?.() === 0 ? '-n' : '-rn'
  const args = [flags, '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  if (spawnSync(unshare, [...args, 'true'], { stdio: 'ignore' }).status !== 0) return undefined
  const [, file, ...rest] = process.argv
  // The single executable is its own program.
  const program = file === undefined || file === process.execPath ? [] : [file]
  return [unshare, ...args, process.execPath, ...process.execArgv, ...program, ...rest]
}

/** Connects to the ports of this machine for a process without a network. Returns the function that ends it. */
export function servePorts(child: ChildProcess): () => void {
  let known: string | undefined
  const tell = (message: Told, socket?: Socket) => {
    if (child.connected) child.send(message, socket, () => undefined)
    else socket?.destroy()
  }
  const look = () => {
    const ports = [...openPorts().keys()]
    if (known !== String(ports)) tell({ ports })
    known = String(ports)
  }
  child.on('message', ({ port, connection }: Asked) => {
    const socket = new Socket()
    // The receiver of the socket reads from it.
    socket.pause()
    const fail = () => tell({ connection })
    socket.once('error', fail)
    socket.connect({ port, host: openPorts().get(port) ?? LOOPBACK }, () => {
      socket.off('error', fail)
      tell({ connection }, socket)
    })
  })
  look()
  return startInterval(LOOK_MS, look)
}

/** In the process without a network: opens the ports that are open on this machine, and follows them. */
export async function openPortsOfMachine(): Promise<() => void> {
  const servers = new Map<number, Server>()
  const waiting = new Map<number, (socket: Socket | undefined) => void>()
  let connections = 0
  const accept = (port: number) => (inside: Socket) => {
    const connection = ++connections
    waiting.set(connection, (outside) => {
      waiting.delete(connection)
      if (!outside) return void inside.destroy()
      pipeline(inside, outside, () => undefined)
      pipeline(outside, inside, () => undefined)
    })
    inside.on('error', () => undefined)
    process.send?.({ port, connection } satisfies Asked)
  }
  const follow = async (ports: readonly number[]) => {
    for (const [port, server] of servers) if (!ports.includes(port)) server.close(() => servers.delete(port))
    const opened = ports
      .filter((port) => !servers.has(port))
      .map((port) => {
        const server = createServer(accept(port))
        servers.set(port, server)
        // A program of the run may have the port.
        server
          .on('error', () => servers.delete(port))
          .listen(port, LOOPBACK)
          .unref()
        return Promise.race([once(server, 'listening'), once(server, 'close')]).catch(() => undefined)
      })
    await Promise.all(opened)
  }
  const receive = (told: Told, socket?: Socket) => {
    if ('ports' in told) return follow(told.ports)
    return waiting.get(told.connection)?.(socket)
  }
  process.on('message', receive)
  const [first] = (await once(process, 'message')) as [Told]
  await receive(first)
  process.channel?.unref()
  return () => {
    process.off('message', receive)
    for (const server of servers.values()) server.close()
  }
}

const addresses = byName<string>({
  '00000000': LOOPBACK,
  '0100007F': LOOPBACK,
  '00000000000000000000000000000000': '::1',
  '00000000000000000000000001000000': '::1',
})

/** The ports of this machine that programs listen at, each with an address. */
const openPorts = (): Map<number, string> =>
  new Map(
    listeningSockets().flatMap(({ address, port }) => {
      const host = addresses[address]
      return host === undefined ? [] : [[port, host] as const]
    }),
  )
