import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Listening, listen } from '../../src/listen.ts'
import { KEY, startTestWorld, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
let server: Listening
beforeEach(async () => {
  vi.unstubAllGlobals()
  petri = await startTestWorld()
  server = await listen(petri.petri.app, { host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await server.close()
  await petri.close()
})

/** Sends lines, and returns everything received until the connection is closed. */
const talk = (...lines: string[]) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
      socket.write(lines.map((line) => `${line}\r\n`).join('')),
    )
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    socket.on('error', reject).on('close', () => {
      const [head = '', body = ''] = received.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), body })
    })
  })

describe('a request of HTTP/1.0 without a host', () => {
  it.each(['/_petri/health', '/v2/user', '/_petri/world'])('is answered: %s', async (path) => {
    const { status, body } = await talk(`GET ${path} HTTP/1.0`, `x-vital-api-key: ${KEY}`, '')
    expect([status, typeof JSON.parse(body)]).toEqual([200, 'object'])
  })
})

describe('what is no request gets one clear error', () => {
  it.each([
    [
      'an id of 100 kB',
      [`GET /v3/order/${'x'.repeat(100_000)} HTTP/1.1`, 'host: localhost', ''],
      431,
      'longer than 16 KiB',
    ],
    ['a text', ['hello', ''], 400, 'not an HTTP request'],
    ['a handshake of TLS', ['\x16\x03\x01', ''], 400, 'without TLS: call it with http://'],
  ] as const)('%s', async (_, lines, status, words) => {
    const reply = await talk(...lines)
    expect(reply).toAnswer(status)
    expect(JSON.parse(reply.body).detail).toContain(words)
  })
})

describe('JSON that breaks off', () => {
  it.each([
    ['{"client_user_id": "a"', 22],
    ['{"client_user_id": "a",}', 23],
    ['', 0],
  ])('is one entry with the position: %s', async (body, at) => {
    const reply = await petri.call('POST', '/v2/user', body)
    expect(reply).toAnswer(422)
    expect(reply.body.detail).toHaveLength(1)
    if (body !== '') expect(reply.body.detail[0]).toMatchObject({ type: 'json_invalid', loc: ['body', at] })
  })
})
