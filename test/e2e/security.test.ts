import { type ChildProcess, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main, startPetri, stop } from '../support/cli.ts'

const TOKEN = 'control-token-of-this-run'
const KEY = 'sk_us_this_run'
const MEGABYTE = 1024 * 1024
const head = `host: 127.0.0.1\r\nx-service-api-key: ${KEY}\r\n`

let child: ChildProcess
let port: number
let written = ''
beforeAll(async () => {
  const started = await startPetri([], { PETRI_CONTROL_TOKEN: TOKEN, PETRI_API_KEY: KEY })
  child = started.child
  port = Number(new URL(started.ready.url).port)
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
})
afterAll(() => stop(child))

/** Resident memory of the process under attack, in bytes. Source: proc(5). */
const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024

/** Processor time that the process under attack has used, in seconds. Source: proc_pid_stat(5), fields 14 and 15. */
const seconds = () => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** What comes back on a connection until it is closed, or nothing more comes. */
function speak(talk: (socket: Socket) => void, patienceMs = 60_000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    const end = () => {
      socket.destroy()
      resolve(heard)
    }
    socket.setTimeout(patienceMs, end)
    socket.on('data', (bytes) => {
      heard += bytes
    })
    socket.on('error', end)
    socket.on('close', end)
    socket.on('connect', () => talk(socket))
  })
}

/** Writes the same again and again, as fast as it is taken, until so many bytes are written or the line is dead. */
function flood(socket: Socket, piece: Buffer, most: number): void {
  let sent = 0
  const more = () => {
    while (!socket.destroyed && sent < most) {
      sent += piece.length
      if (!socket.write(piece)) {
        socket.once('drain', more)
        return
      }
    }
  }
  more()
}

it('prints neither a key nor a secret that somebody has set', { tags: 'slow' }, async () => {
  const pinned = { PETRI_API_KEY: 'sk_us_pinned', PETRI_WEBHOOK_SECRET: `whsec_${btoa('p'.repeat(24))}` }
  for (const flags of [[], ['--log-format', 'pretty', '--log', 'info']]) {
    const args = [main, 'start', '--port', '0', '--data', 'memory', '--attached', 'true', ...flags]
    // Its input has ended, so it stops as soon as it is ready.
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      env: { PATH: process.env.PATH, PETRI_CONTROL_TOKEN: TOKEN, ...pinned },
      input: '',
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('Petri is ready')
    for (const secret of [...Object.values(pinned), TOKEN]) expect(stdout).not.toContain(secret)
  }
})

const isServed = async () => {
  const before = seconds()
  const { status } = await fetchPath('/v2/user')
  return status === 200 && seconds() - before < 10
}

async function fetchPath(path: string, headers: Record<string, string> = {}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${path} HTTP/1.1\r\n${head}${lines.join('')}connection: close\r\n\r\n`
  const text = await speak((socket) => socket.write(request))
  return { status: Number(text.slice(9, 12)), text }
}

const piece = Buffer.alloc(64 * 1024, 32)

// Attacks last until the process has been measured.
describe.skipIf(process.platform !== 'linux')(
  'a Petri on the network, under attack,',
  { timeout: 60_000 },
  () => {
    it('reads no body that is declared too long, nor more than it should of one that is not declared', {
      tags: 'slow',
    }, async () => {
      const before = memory()
      const declared = await speak((socket) => {
        socket.write(
          `POST /v2/user HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${500 * MEGABYTE}\r\n\r\n`,
        )
        flood(socket, piece, 200 * MEGABYTE)
      })
      const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
      const chunked = await speak((socket) => {
        socket.write(
          `POST /v2/user HTTP/1.1\r\n${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
        )
        flood(socket, chunk, 200 * MEGABYTE)
      })
      for (const text of [declared, chunked])
        expect(text === '' || text.startsWith('HTTP/1.1 413')).toBe(true)
      expect(memory() - before).toBeLessThan(100 * MEGABYTE)
      expect(await isServed()).toBe(true)
    })

    it('takes no flood of headers, and no request that two servers could read in two ways', async () => {
      const many = await speak((socket) => {
        socket.write(`GET /v2/user HTTP/1.1\r\n${head}`)
        flood(socket, Buffer.from(`x-a: ${'b'.repeat(1000)}\r\n`.repeat(50)), 20 * MEGABYTE)
      })
      expect(many === '' || many.startsWith('HTTP/1.1 431')).toBe(true)
      const twice = `POST /v2/user HTTP/1.1\r\n${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /_petri/world HTTP/1.1\r\n${head}\r\n`
      expect(await speak((socket) => socket.write(twice))).toMatch(/^HTTP\/1\.1 400/)
      const lengths = `POST /v2/user HTTP/1.1\r\n${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`
      expect(await speak((socket) => socket.write(lengths))).toMatch(/^HTTP\/1\.1 400/)
      expect(
        await speak((socket) => socket.write(`GET /v2/user HTTP/1.1\r\n${head}x-a: b\rc: d\r\n\r\n`)),
      ).toMatch(/^HTTP\/1\.1 400/)
      expect(await isServed()).toBe(true)
    })

    it('serves others while many speak slowly or not at all', { tags: 'slow' }, async () => {
      const slow = Array.from({ length: 300 }, (_, at) => {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined)
        if (at % 3 === 0) socket.write(`POST /v2/user HTTP/1.1\r\n${head}content-length: 1000\r\n\r\n{`)
        else if (at % 3 === 1) socket.write('GET /v2/user HTT')
        return socket
      })
      expect(await isServed()).toBe(true)
      for (const socket of slow) socket.destroy()
      expect(await isServed()).toBe(true)
    })

    it('keeps nothing for those who watch and never read', { tags: 'slow' }, async () => {
      const watchers = Array.from({ length: 10 }, () => {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined)
        socket.write(`GET /_petri/events HTTP/1.1\r\n${head}\r\n`)
        socket.pause()
        return socket
      })
      const busy = async (calls: number) => {
        for (let call = 0; call < calls; call += 50)
          await Promise.all(Array.from({ length: 50 }, () => fetchPath(`/v2/nothing/${'x'.repeat(12_000)}`)))
      }
      await busy(350)
      const before = memory()
      await busy(1000)
      expect(memory() - before).toBeLessThan(100 * MEGABYTE)
      expect(await isServed()).toBe(true)
      for (const socket of watchers) socket.destroy()
    })

    it('answers no page by a foreign name, and no stranger about all worlds', async () => {
      const foreign = await speak((socket) =>
        socket.write(
          `GET /_petri/world HTTP/1.1\r\nhost: evil.example\r\nx-service-api-key: ${KEY}\r\nconnection: close\r\n\r\n`,
        ),
      )
      expect(foreign).toMatch(/^HTTP\/1\.1 403/)
      expect(await fetchPath('/_petri/worlds')).toAnswer(401)
      expect(await fetchPath('/_petri/worlds', { authorization: `Bearer ${TOKEN}` })).toAnswer(200)
      for (const path of [
        '/%2e%2e/%2e%2e/etc/passwd',
        '/..%2f..%2fetc/passwd',
        '//etc/passwd',
        '/_petri/../_petri/worlds',
        '/\\..\\x',
      ]) {
        const { status, text } = await fetchPath(path)
        expect(status, path).toBeGreaterThanOrEqual(400)
        expect(status, path).toBeLessThan(500)
        expect(text).not.toMatch(/<html|root:x/i)
      }
    })

    it('writes no secret and no failure of its own', () => {
      expect(written).not.toContain(TOKEN)
      expect(written).not.toContain('A bug in Petri')
    })
  },
)
