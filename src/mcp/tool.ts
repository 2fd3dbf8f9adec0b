import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'

/** A tool for coding agents, and the call it makes. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, object>>
    readonly required: readonly string[]
    readonly additionalProperties: false
  }
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }
  /** Method and path, such as `GET /_petri/orders/{order_id}`. */
  readonly route: string
  /** Names of the arguments that go into the query. */
  readonly query: readonly string[]
  /** Names of the arguments that are fields of the body. */
  readonly body: readonly string[]
  /** Name of the argument that is the whole body. */
  readonly bodyArgument?: string
}

/** All tools. The build writes them, by `describe-tools.ts`. */
export const readTools = once(
  async (): Promise<readonly Tool[]> =>
    JSON.parse(await readFile(join(packageFolder('dist'), 'mcp-tools.json'), 'utf8')),
)
