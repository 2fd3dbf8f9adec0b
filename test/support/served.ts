import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { onTestFinished } from 'vitest'
import { listen } from '../../src/listen.ts'
import { listening } from './listening.ts'
import { startTestPetri } from './petri.ts'

/** A Petri that listens on a free port until the test is finished. */
export async function servePetri(options: Parameters<typeof startTestPetri>[0] = {}) {
  const petri = await startTestPetri(options)
  const { url, close } = await listen(petri.petri.app, { host: '127.0.0.1', port: 0 })
  onTestFinished(close)
  return { ...petri, url }
}

export type ServedPetri = Awaited<ReturnType<typeof servePetri>>

/** A host that responds to every request what `respond` returns, until the test is finished. */
export async function serveHost(
  respond: (request: Request) => Response | Promise<Response>,
): Promise<string> {
  const server = createAdaptorServer({ fetch: respond, overrideGlobalObjects: false }) as Server
  const url = await listening(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return url
}

/** A host that passes requests on to a Petri, and may change the text of its replies. */
export const serveChanged = (petri: ServedPetri, change: (text: string, path: string) => string) =>
  serveHost(async (request) => {
    request.headers.delete('accept-encoding')
    const response = await petri.petri.app.fetch(request)
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    const text = change(await response.text(), new URL(request.url).pathname)
    return new Response(text, { status: response.status, headers })
  })
