import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { version } from '../../src/api/version.ts'
import { connectToPetri } from '../../src/index.ts'
import { petri as runPetri } from '../support/cli.ts'
import { listening } from '../support/listening.ts'
import { openNetwork } from '../support/open-network.ts'

openNetwork()

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Answers as a Petri of a version that has none of the paths asked for. */
async function petriOf(petri: string): Promise<string> {
  const server = createServer((request, response) => {
    const isHealth = request.url === '/_petri/health'
    response.writeHead(isHealth ? 200 : 404, isHealth ? {} : { 'x-petri-hint': 'GET /_petri/world' })
    response.end(JSON.stringify(isHealth ? { status: 'ok', version: petri } : { detail: 'Not Found' }))
  })
  servers.push(server)
  return await listening(server)
}

const older = (url: string) =>
  `Petri 0.0.9 at ${url} is older than this client, ${version.petri}: update Petri, or use version 0.0.9 of the client.`

describe('a Petri that is older than the client', () => {
  it('is named by the testing kit', async () => {
    const url = await petriOf('0.0.9')
    await expect(connectToPetri({ url })).rejects.toThrow(older(url))
  })

  it('is named by a command that it does not know', { tags: 'slow' }, async () => {
    const url = await petriOf('0.0.9')
    const { status, stderr } = await runPetri(['clock', '--url', url])
    expect({ status, stderr }).toEqual({ status: 1, stderr: `${older(url)}\n` })
  })

  it('is no reason to refuse a newer one', async () => {
    const url = await petriOf('10.0.0')
    await expect(connectToPetri({ url })).rejects.toThrow('Not Found')
  })
})
