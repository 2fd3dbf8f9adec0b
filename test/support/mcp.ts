import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

/** What a tool answers: its text, as a value where it is JSON, and whether that is an error. */
export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly value: any
}

/** Calls a tool through the official client, as a coding agent does. */
export async function useTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const { content, isError = false } = (await client.callTool({ name, arguments: args })) as CallToolResult
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  try {
    return { isError, text, value: JSON.parse(text) }
  } catch {
    return { isError, text, value: undefined }
  }
}
