import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeTools } from '../../scripts/describe-tools.ts'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import { field } from '../support/field.ts'
import { useTool } from '../support/mcp.ts'
import { forEachTest, KEY, NOBODY, startTestPetri } from '../support/petri.ts'

const petri = forEachTest(startTestPetri)
let client: Client
beforeEach(async () => {
  client = await connect({ 'x-service-api-key': KEY })
})
afterEach(() => client.close())

/** The official client over streamable HTTP, in this process. */
async function connect(headers: Record<string, string>): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/_petri/mcp'), {
    requestInit: { headers },
    fetch: async (url, init) => petri.petri.app.fetch(new Request(url, init)),
  })
  const connected = new Client({ name: 'test', version: '1' })
  await connected.connect(transport as Transport)
  return connected
}

const lost = `name: quick-loss
summary: The kit is lost at once.
method: testkit
steps:
  - { after: 1h, status: requisition_created, only: registered_kit }
  - { after: 1h, status: transit_customer }
  - { after: 1h, status: lost }
`

const use = (name: string, args?: Record<string, unknown>) => useTool(client, name, args)

const post = (body: unknown, headers: Record<string, string> = {}) =>
  petri.petri.app.request('/_petri/mcp', {
    method: 'POST',
    headers: { 'x-service-api-key': KEY, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('the tools', () => {
  it('are those that operations declare, with their arguments, as the build has written them', async () => {
    const declared = describeTools(petri.petri.operations)
    expect(JSON.parse(readFileSync(join(packageFolder('dist'), 'mcp-tools.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(declared)),
    )
    const { tools } = await client.listTools()
    expect(tools.map(field('name'))).toEqual(declared.map(field('name')))
    expect(new Set(tools.map(field('name'))).size).toBe(tools.length)
    expect(tools.find(({ name }) => name === 'get_webhook')).toMatchObject({
      inputSchema: {
        type: 'object',
        properties: { message_id: { type: 'string' } },
        required: ['message_id'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })
    expect(JSON.stringify(tools)).not.toContain('$ref')
  })

  it('belong to the world of the key alone, and to the control API', () => {
    const declared = petri.petri.operations.filter(({ tool }) => tool)
    expect(declared.filter(({ access = 'world' }) => access !== 'world')).toEqual([])
    expect(declared.filter(({ route }) => !route.includes(' /_petri/'))).toEqual([])
  })

  it('place an order by its scenario, advance the clock, and explain the order', async () => {
    const placed = await use('place_order', { scenario: 'happy-path' })
    expect(placed).toMatchObject({
      isError: false,
      value: { details: { type: 'testkit' }, status: 'received' },
    })
    const advanced = await use('advance_clock', { until: 'idle' })
    expect(advanced.value.effects.length).toBeGreaterThan(3)
    const { value } = await use('explain_order', { order_id: placed.value.id })
    expect(value).toMatchObject({ order: { status: 'completed' }, scenario: { scenario: 'happy-path' } })
  })

  it('leave no trace in the journal and the coverage', async () => {
    await use('place_order')
    await use('list_orders')
    expect((await use('list_requests')).value.data).toEqual([])
    const { value } = await use('get_coverage')
    expect(JSON.stringify(value)).not.toContain('"calls":1')
  })

  it('inject faults, list and remove them', async () => {
    await use('add_faults', { faults: [{ operation: 'user_get_all', times: 1, respond: { status: 503 } }] })
    expect((await use('list_faults')).value.faults).toHaveLength(1)
    expect(await petri.get('/v2/user')).toAnswer(503)
    expect(await use('remove_faults')).toEqual({ isError: false, text: 'Done.', value: undefined })
    expect((await use('list_faults')).value.faults).toEqual([])
  })

  it('check a scenario, upload it, and place an order by it', async () => {
    const checked = await use('check_scenario', { scenario: lost })
    expect(checked).toMatchObject({ isError: false })
    const wrong = await use('check_scenario', { scenario: lost.replace('status: lost', 'status: completed') })
    expect(wrong.text).toMatch(/line|step/)
    expect(await use('upload_scenario', { name: 'quick-loss', scenario: lost })).toMatchObject({
      isError: false,
    })
    const refused = await use('upload_scenario', { name: 'quick-loss', scenario: 'name: quick-loss' })
    expect(refused.isError).toBe(true)
    const { value } = await use('place_order', { scenario: 'quick-loss' })
    await use('advance_clock', { by: '4h' })
    expect((await use('explain_order', { order_id: value.id })).value.order.last_event.status).toBe(
      'failed.testkit.lost',
    )
  })

  it('wait, and tell what was nearest when that fails', async () => {
    const { value } = await use('place_order', { scenario: 'manual' })
    expect(await use('wait', { order_id: value.id, status: 'ordered' })).toMatchObject({ isError: false })
    const late = await use('wait', { order_id: value.id, status: 'completed', timeout: '1ms' })
    expect(late.isError).toBe(true)
    expect(late.text).toContain('nearest')
  })
})

describe('the lists', () => {
  it('return short pages with the newest first, and the rest by cursor', { tags: 'slow' }, async () => {
    await use('add_webhook_endpoint', { url: 'http://127.0.0.1:9/hook' })
    for (let count = 0; count < 25; count++) await petri.post('/v2/user', { client_user_id: `user-${count}` })
    for (let count = 0; count < 25; count++) await use('place_order', { scenario: 'manual' })
    for (const name of ['list_orders', 'list_requests', 'list_webhooks']) {
      const { value, text } = await use(name)
      expect([name, value.data.length, text.length < 20_000]).toEqual([name, 20, true])
      const rest = await use(name, { cursor: value.next_cursor })
      expect(rest.value.data.length).toBeGreaterThanOrEqual(5)
      expect(rest.value.data[0].id).not.toBe(value.data[0].id)
    }
    expect((await use('list_orders', { limit: 500 })).value.data).toHaveLength(25)
    const [newest] = (await use('list_requests')).value.data
    expect((await use('get_request', { request_id: newest.id })).value.body).toEqual({
      client_user_id: 'user-24',
    })
    const { value } = await use('list_webhooks', { limit: 1 })
    expect(value.data).toMatchObject([{ payload: null, attempts: [] }])
    const shown = await use('get_webhook', { message_id: value.data[0].id })
    expect(shown.value.payload).toMatchObject({ event_type: value.data[0].event_type })
    expect((await use('list_webhooks', { limit: 1, fields: null })).value.data[0].payload).not.toBeNull()
  })

  it('of scenarios and of coverage fit into one answer', { tags: 'slow' }, async () => {
    for (const name of ['list_scenarios', 'get_coverage', 'get_world'])
      expect([name, (await use(name)).text.length < 50_000]).toEqual([name, true])
  })
})

describe('an error is a result with a message', () => {
  it.each([
    ['the service refuses it', 'explain_order', { order_id: NOBODY }, /order/i],
    ['an id is none', 'explain_order', { order_id: 'nonsense' }, /order_id: /],
    ['an id is a path', 'get_request', { request_id: '../../v2/user' }, /./],
    ['a field is missing', 'get_webhook', {}, /message_id: Field required/],
    ['an argument is misspelt', 'place_order', { scenaro: 'lost' }, /scenaro: .* "?scenario"?/],
    ['the scenario is not there', 'place_order', { scenario: 'happy-pth' }, /happy-path/],
    [
      'the scenario is of another method',
      'place_order',
      { scenario: 'happy-path', method: 'walk_in_test' },
      /testkit/,
    ],
    ['a value is wrong', 'advance_clock', { by: 'soon' }, /by/],
    ['a value is of another kind', 'set_clock', { frozen: { no: 1 } }, /frozen: /],
    ['the tool is not there', 'place_ordr', {}, /place_order/],
  ])('when %s', async (_, name, args, words) => {
    const answer = await use(name, args)
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(words) })
    expect(answer.text).not.toMatch(/\bat .*\.ts:|Internal Server Error/)
  })

  it('and a refused order leaves no user behind', async () => {
    await use('place_order', { scenario: 'nothing' })
    await use('place_order', { scenario: 'happy-path', method: 'walk_in_test' })
    await use('place_order', { registrable: true, method: 'walk_in_test' })
    expect((await petri.read('/v2/user')).users).toEqual([])
  })
})

describe('the resources', () => {
  it('are the OpenAPI document, the documentation and the scenarios of the world', {
    tags: 'slow',
  }, async () => {
    const { resources } = await client.listResources()
    const uris = resources.map(field('uri'))
    expect(uris).toEqual(
      expect.arrayContaining([
        'petri://openapi.json',
        'petri://docs/control.md',
        'petri://scenarios/happy-path',
      ]),
    )
    const without = resources.filter(({ description = '' }) => !/^.{20,300}$/.test(description))
    expect(without.map(field('name'))).toEqual([])
    expect(resources.find(({ name }) => name === 'scenarios.md')).toMatchObject({
      title: expect.any(String),
      description: expect.stringMatching(/scenario/),
    })
    for (const uri of ['petri://openapi.json', 'petri://docs/control.md', 'petri://scenarios/happy-path']) {
      const { contents } = await client.readResource({ uri })
      expect((contents[0] as { text: string }).text.length).toBeGreaterThan(200)
    }
  })

  it.each([
    'petri://docs/../package.json',
    'petri://docs/nothing.md',
    'petri://scenarios/nothing',
    'file:///etc/passwd',
  ])('are no other: %s', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toThrow(/There is no|is not/)
  })
})

describe('the endpoint', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('answers without a session, so that any message may come first', async () => {
    const response = await post(ping)
    expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
    const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([notified.status, await notified.text()]).toEqual([202, ''])
    const unknown = await post({ ...ping, method: 'nothing' })
    expect([unknown.status, await unknown.json()]).toMatchObject([200, { error: { code: -32_601 } }])
  })

  it('tells the client that the key is missing', async () => {
    await expect(connect({})).rejects.toThrow(/401|Missing x-vital-api-key/)
  })

  it.each([
    ['tools/call', { name: 5 }, 'Invalid params: params.name: expected string, received number'],
    ['tools/call', undefined, 'Invalid params: params: expected object, received undefined'],
    [
      'tools/call',
      { name: 'wait', arguments: [] },
      'Invalid params: params.arguments: expected record, received array',
    ],
    ['resources/read', { uri: 7 }, 'Invalid params: params.uri: expected string, received number'],
    ['tools/list', { cursor: 5 }, 'Invalid params: params.cursor: expected string, received number'],
    ['initialize', {}, 'Invalid params: params.protocolVersion: expected string, received undefined'],
    ['resources/read', { uri: 'petri://nothing' }, 'There is no resource petri://nothing.'],
  ])('names the parameter that is wrong: %s %j', async (method, params, message) => {
    const answer = await post({ jsonrpc: '2.0', id: 1, method, params })
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32_602, message } })
  })

  const noMessage = 'Invalid request: not a JSON-RPC 2.0 message'

  it.each([
    ['broken JSON', '{"jsonrpc": ', 400, -32_700, /^Parse error: .*JSON decode error/],
    ['JSON of great depth', '['.repeat(100_000), 400, -32_700, /^Parse error: .*JSON decode error/],
    ['nothing', '', 400, -32_600, /^Invalid request: .*Field required/],
    ['a text', '"ping"', 400, -32_600, /^Invalid request: /],
    ['an object without a method', '{}', 400, -32_600, noMessage],
    ['an id that is none', '{"jsonrpc":"2.0","id":{}}', 400, -32_600, noMessage],
    [
      'parameters that are none',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":5}',
      400,
      -32_600,
      noMessage,
    ],
    ['an empty batch', '[]', 400, -32_600, noMessage],
    ['a batch with something else in it', JSON.stringify([ping, 5]), 400, -32_600, /^Invalid request: /],
    ['a batch that is too long', `[${'0,'.repeat(150_000)}0]`, 400, -32_600, /at most \d+ items/],
    ['more than it takes', `{"method":"${'x'.repeat(1024 * 1024)}"}`, 413, -32_600, /larger than 1 MiB/],
  ])('refuses %s by an error of JSON-RPC', async (_, body, status, code, message) => {
    const response = await post(body)
    expect([response.status, await response.json()]).toEqual([
      status,
      { jsonrpc: '2.0', id: null, error: { code, message: expect.stringMatching(message) } },
    ])
  })

  it('refuses a body of another type by an error of JSON-RPC', async () => {
    const response = await post(ping, { 'content-type': 'text/plain' })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: -32_600, message: expect.stringContaining('content type is text/plain') } },
    ])
  })

  it('takes POST alone', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await petri.petri.app.request('/_petri/mcp', {
        method,
        headers: { 'x-service-api-key': KEY, accept: 'text/event-stream' },
      })
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST'])
    }
  })

  it('opens the world of its key, and no other', async () => {
    const { body } = await petri.post('/_petri/worlds', { frozen: true })
    const other = await connect({ 'x-service-api-key': body.api_key })
    await useTool(other, 'place_order')
    expect((await useTool(other, 'list_orders')).value.data).toHaveLength(1)
    expect((await use('list_orders')).value.data).toEqual([])
    await other.close()
  })
})

describe('the stateless revision of 2026-07-28', () => {
  const modern = (method: string, params: object = {}, version = '2026-07-28') => ({
    ...{ jsonrpc: '2.0', id: 7, method },
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })
  const ask = async (
    method: string,
    params: { name?: string; uri?: string; arguments?: object } = {},
    headers: object = {},
  ) => {
    const name = params.name ?? params.uri
    const response = await post(modern(method, params), {
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name && { 'mcp-name': name }) },
      ...headers,
    })
    return { status: response.status, body: (await response.json()) as { result?: object } }
  }
  const serverInfo = { name: 'petri', version: expect.any(String) }
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }

  it('needs no handshake, and is discovered', async () => {
    expect(await ask('server/discover')).toEqual({
      status: 200,
      body: {
        ...{ jsonrpc: '2.0', id: 7 },
        result: {
          ...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta },
          supportedVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']),
          capabilities: { tools: {}, resources: {} },
          instructions: expect.stringContaining('place_order'),
        },
      },
    })
  })

  it.each([
    ['tools/list', {}, { ttlMs: 0, cacheScope: 'private', tools: expect.any(Array) }],
    ['tools/call', { name: 'get_world' }, { content: expect.any(Array) }],
    ['resources/read', { uri: 'petri://docs/control.md' }, { ttlMs: 0, contents: expect.any(Array) }],
  ])('gets a complete result from %s', async (method, params, result) => {
    const { status, body } = await ask(method, params)
    expect([status, body.result]).toMatchObject([200, { resultType: 'complete', _meta, ...result }])
  })

  it.each([
    [{ 'mcp-method': 'tools/list' }, 'Header mismatch: mcp-method must be "tools/call"'],
    [{ 'mcp-name': 'place_order' }, 'Header mismatch: mcp-name must be "get_world"'],
    [{ 'mcp-protocol-version': '2025-11-25' }, 'Header mismatch: mcp-protocol-version must be "2026-07-28"'],
  ])('refuses headers that say something else than the body: %j', async (headers, message) => {
    expect(await ask('tools/call', { name: 'get_world' }, headers)).toAnswer(400, {
      id: 7,
      error: { code: -32020, message },
    })
  })

  it('adds a scenario to all worlds with the control token only, wherever the call comes from', async () => {
    const scenario = lost.replace('quick-loss', 'for-all')
    const args = { name: 'upload_scenario', arguments: { name: 'for-all', scenario, all_worlds: true } }
    expect((await ask('tools/call', args)).body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('only this machine') }],
    })
    expect(await petri.get('/_petri/scenarios/for-all')).toAnswer(404)
  })

  it('takes a name in Base64', async () => {
    const encoded = { 'mcp-name': `=?base64?${Buffer.from('get_world').toString('base64')}?=` }
    expect(await ask('tools/call', { name: 'get_world' }, encoded)).toAnswer(200)
  })

  it('names the supported versions for another one, and has no method of the handshake', async () => {
    const headers = { 'mcp-protocol-version': '1900-01-01', 'mcp-method': 'tools/list' }
    const response = await post(modern('tools/list', {}, '1900-01-01'), headers)
    expect(response).toAnswer(400)
    expect(await response.json()).toMatchObject({
      error: {
        code: -32022,
        message: 'Unsupported protocol version',
        data: { requested: '1900-01-01', supported: expect.arrayContaining(['2026-07-28', '2025-11-25']) },
      },
    })
    for (const method of ['initialize', 'ping', 'logging/setLevel'])
      expect(await ask(method)).toAnswer(404, { error: { code: -32601 } })
  })
})
