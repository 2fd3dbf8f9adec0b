// The sample app of `test/explore`, bundled for the rows that play histories.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createSampleApp } from '../test/explore/sample-app.ts'

export { agreesWithPetri } from '../test/explore/property.ts'

/** Serves the app, which calls the Petri at a URL. Returns its URL, and what stops it. */
export async function serveSampleApp(petri: string, apiKey: string, secret: string) {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, petri), {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-service-api-key': apiKey },
    })
  const { app } = createSampleApp(call, secret)
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}
