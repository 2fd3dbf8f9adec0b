import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { version } from '../api/version.ts'
import { callTool, type Send } from './call-tool.ts'
import { listResources, readResource } from './resources.ts'
import { readTools, type Tool } from './tool.ts'

const instructions = `Petri is an offline sandbox of the Lab Testing and Health Data Service. The program under test calls it over
HTTP as it would call the service; these tools drive and watch it. get_world tells the API key and the webhook secret.
Orders follow scenarios on a clock: place_order, then advance_clock (or wait), then explain_order and list_webhooks.
list_requests with unread=true shows calls with fields that nothing read, which are usually mistakes of the program.
Read petri://docs/control.md for what there is, and petri://docs/scenarios.md before writing a scenario.`

/** An MCP server whose tools and resources are calls of a Petri. */
export function createMcpServer(send: Send): Server {
  const server = new Server(
    { name: 'petri', version: version.petri },
    { capabilities: { tools: {}, resources: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: (await readTools()).map(asListed) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) =>
    callTool(await readTools(), { name: params.name, args: params.arguments ?? {} }, send, signal),
  )
  server.setRequestHandler(ListResourcesRequestSchema, () =>
    inWords(async () => ({ resources: await listResources(send) })),
  )
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    inWords(() => readResource(params.uri, send)),
  )
  return server
}

const asListed = ({ name, description, inputSchema, annotations }: Tool) => ({
  name,
  description,
  inputSchema: {
    ...inputSchema,
    required: [...inputSchema.required],
    properties: { ...inputSchema.properties },
  },
  annotations: { ...annotations, openWorldHint: false },
})

/** Turns a failure to read a resource into an MCP error with the message of the service. */
async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new McpError(ErrorCode.InvalidParams, (error as Error).message)
  }
}
