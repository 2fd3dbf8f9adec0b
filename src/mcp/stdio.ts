import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Send } from './call-tool.ts'
import { createMcpServer } from './server.ts'

/** Serves an MCP client over standard input and output until the input ends. */
export async function serveStdio(send: Send): Promise<void> {
  await createMcpServer(send).connect(new StdioServerTransport())
}
