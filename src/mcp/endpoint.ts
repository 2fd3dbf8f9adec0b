import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CustomResponse } from '../api/operation.ts'
import type { Send } from './call-tool.ts'
import { createMcpServer } from './server.ts'

/** Answers one message of an MCP client. There is no session, so the next message may go to another instance. */
export async function answerMessage(
  message: unknown,
  protocolVersion: string | undefined,
  send: Send,
): Promise<CustomResponse<unknown>> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(send)
  await server.connect(transport)
  try {
    const response = await transport.handleRequest(requestFor(protocolVersion), { parsedBody: message })
    const text = await response.text()
    return new CustomResponse(response.status, text === '' ? undefined : JSON.parse(text))
  } finally {
    await server.close()
  }
}

const requestFor = (protocolVersion: string | undefined) =>
  new Request('http://localhost/_petri/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    },
  })
