/** @module-tag slow */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort, main, type Started, startPetri, stop } from '../support/cli.ts'
import { useTool } from '../support/mcp.ts'
import { openNetwork } from '../support/open-network.ts'
import { eventually } from '../support/timing.ts'

openNetwork()

const KEY = 'sk_us_petri'

let started: Started
let client: Client | undefined
beforeAll(async () => {
  started = await startPetri(['--frozen'])
})
afterAll(() => stop(started.child))
afterEach(() => client?.close())

/** `petri mcp`, as an agent starts it. */
async function overStdio(env: Record<string, string>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp'],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (text) => {
    stderr += text
  })
  client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return { client, stderr: () => stderr }
}

async function overHttp(url: string) {
  const transport = new StreamableHTTPClientTransport(new URL('/_petri/mcp', url), {
    requestInit: { headers: { 'x-service-api-key': KEY } },
  })
  client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as Transport)
  return { client }
}

describe.each([
  ['petri mcp, over standard input and output', () => overStdio({ PETRI_URL: started.ready.url })],
  ['/_petri/mcp, over streamable HTTP', () => overHttp(started.ready.url)],
])('%s', (_, connect) => {
  it('names itself and says how its tools go together', async () => {
    const { client } = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: 'petri' })
    expect(client.getInstructions()).toContain('place_order')
  })

  it('drives a running Petri', async () => {
    const { client } = await connect()
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(20)
    const placed = await useTool(client, 'place_order', { scenario: 'happy-path' })
    await useTool(client, 'advance_clock', { until: 'idle' })
    const life = await useTool(client, 'explain_order', { order_id: placed.value.id })
    expect(life.value.order.status).toBe('completed')
    const { contents } = await client.readResource({ uri: 'petri://scenarios/happy-path' })
    expect((contents[0] as { text: string }).text).toContain('name: happy-path')
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('petri://docs/control.md')
  })
})

describe('petri mcp', () => {
  it('says that no Petri runs, in each call and when it starts, and works once one does', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const { client, stderr } = await overStdio({ PETRI_URL: url })
    expect((await client.listTools()).tools.length).toBeGreaterThan(20)
    const refused = await useTool(client, 'get_world')
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^No answer from .*Is Petri running there\?/),
    })
    await eventually(() =>
      expect(stderr()).toMatch(/^No Petri answers at http.*; "npx petri-sandbox start" starts one\.\n$/),
    )
    const again = await startPetri(['--port', port])
    expect((await useTool(client, 'get_world')).value.api_key).toBe(KEY)
    await stop(again.child)
  })

  it('says which key was refused', async () => {
    const { client } = await overStdio({ PETRI_URL: started.ready.url, PETRI_API_KEY: 'sk_us_other' })
    expect(await useTool(client, 'get_world')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^invalid token\nSet the key .* with PETRI_API_KEY/),
    })
  })
})
