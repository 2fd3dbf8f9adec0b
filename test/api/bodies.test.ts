import { request as send } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it, vi } from 'vitest'
import { listen as listenTo } from '../../src/listen.ts'
import { KEY, startTestWorld, type TestPetri } from '../support/petri.ts'

// Bodies that come in pieces, of a length nobody told.

const MEGABYTE = 1024 * 1024

let close = () => undefined as unknown
afterEach(() => close())

async function listen(petri: TestPetri) {
  vi.unstubAllGlobals()
  const server = await listenTo(petri.petri.app, { host: '127.0.0.1', port: 0 })
  close = () => server.close()
  return Number(new URL(server.url).port)
}

/** Sends piece after piece until an answer is there or the sender has no more. */
async function inPieces(port: number, path: string, type: string, pieces: Iterable<Buffer>) {
  let sent = 0
  const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const outgoing = send(
      {
        port,
        path,
        method: 'POST',
        headers: { 'x-vital-api-key': KEY, 'content-type': type, 'transfer-encoding': 'chunked' },
      },
      (incoming) => {
        let body = ''
        incoming.setEncoding('utf8').on('data', (text) => {
          body += text
        })
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body }))
      },
    )
    outgoing.on('error', reject)
    const iterator = pieces[Symbol.iterator]()
    const next = () => {
      const { value, done } = iterator.next()
      if (done || outgoing.destroyed) return outgoing.end()
      sent += value.length
      return outgoing.write(value, () => setImmediate(next))
    }
    next()
  })
  return { ...answer, sent }
}

function* endless(most: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, 'x')
  for (let sent = 0; sent < most; sent += piece.length) yield piece
}

it('are read up to the limit', async () => {
  const port = await listen(await startTestWorld())
  const pieces = ['{"client_', 'user_id":', '"piecewise"}'].map((text) => Buffer.from(text))
  const { status, body } = await inPieces(port, '/v2/user', 'application/json', pieces)
  expect([status, JSON.parse(body).client_user_id]).toEqual([200, 'piecewise'])
})

it.each([
  ['/v2/user', 'application/json', '2 MiB'],
  ['/lab_report/v1/parser/job', 'multipart/form-data; boundary=x', '30.5 MiB'],
])('of %s are refused as soon as they exceed the limit', { tags: 'slow' }, async (path, type, most) => {
  const port = await listen(await startTestWorld())
  const { status, body } = await inPieces(port, path, type, endless(64 * MEGABYTE))
  expect(status).toBe(413)
  expect(JSON.parse(body).detail).toMatch(/larger than/)
  expect(JSON.parse(body).detail).toContain(most.split('.')[0])
})

it('name the wrong header of a refused one', async () => {
  const petri = await startTestWorld()
  const hintOf = async (headers: Record<string, string>, body = '{"client_user_id":"ada"}') => {
    const sent = { method: 'POST', headers: { 'x-vital-api-key': petri.key, ...headers }, body }
    const answer = await petri.petri.app.request('/v2/user', sent)
    return [answer.status, answer.headers.get('x-petri-hint')]
  }
  const json = { 'content-type': 'application/json' }
  expect(await hintOf({ 'content-type': 'application/x-www-form-urlencoded' })).toEqual([
    422,
    'this call takes JSON: send the header "content-type: application/json"',
  ])
  expect(await hintOf({ ...json, 'content-encoding': 'gzip' }, gzipSync('{}').toString('latin1'))).toEqual([
    422,
    'this call takes no compressed body: send it without content-encoding',
  ])
  expect(await hintOf(json, '{}')).toEqual([422, null])
  expect(await hintOf(json)).toEqual([200, null])
})
