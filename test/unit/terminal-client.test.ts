import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClient } from '../../src/terminal/client.ts'
import { listening } from '../support/listening.ts'
import { useFakeTimers, useRealTimers } from '../support/timing.ts'

// These tests call a server of their own on this machine.
beforeEach(() => {
  vi.unstubAllGlobals()
  useFakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval')
})
afterEach(() => void useRealTimers())

const access = { apiKey: 'k', controlToken: undefined, managementKey: 'm', webhookSecret: 's' }

async function startServer() {
  const server = createServer()
  const url = await listening(server)
  return { server, client: createClient({ ...access, url }), url }
}

it('a call ends when the server accepts connections but answers nothing, not even for its health', async () => {
  const { server, client, url } = await startServer()
  const call = client.call('GET /v2/user').catch(String)
  await once(server, 'request')
  vi.advanceTimersByTime(5000)
  await once(server, 'request')
  vi.advanceTimersByTime(5000)
  expect(await call).toContain(`No answer from ${url}: no answer within 5 seconds.`)
  server.closeAllConnections()
  server.close()
})

it('a call may take longer while the server answers for its health', async () => {
  const { server, client } = await startServer()
  const call = client.call('POST /_petri/clock/advance', { by: 'P1Y' })
  const [, advanced] = await once(server, 'request')
  const checked = once(server, 'request')
  vi.advanceTimersByTime(5000)
  const [{ socket, url }, health] = await checked
  expect(url).toBe('/_petri/health')
  health.end('{"contract_version":"1","version":"0.1.0"}')
  await once(socket, 'close')
  advanced.end('{"done":true}')
  expect(await call).toEqual({ done: true })
  server.closeAllConnections()
  server.close()
})
