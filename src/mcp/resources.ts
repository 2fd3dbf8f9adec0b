import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js'
import { detailText } from '../kernel/detail-text.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import type { Send } from './call-tool.ts'

const OPENAPI = 'petri://openapi.json'
const SCENARIO = 'petri://scenarios/'
const DOC = 'petri://docs/'

/** The MCP resources: documentation pages, the OpenAPI document, and the scenarios of the world. */
export async function listResources(send: Send): Promise<Resource[]> {
  const { data } = (await read(send, '/_petri/scenarios')) as { data: { name: string; summary: string }[] }
  return [
    {
      uri: OPENAPI,
      name: 'openapi.json',
      mimeType: 'application/json',
      description: 'Every operation, with its schemas',
    },
    ...docNames().map((name) => ({ uri: `${DOC}${name}`, name, mimeType: 'text/markdown' })),
    ...data.map(({ name, summary }) => ({
      uri: `${SCENARIO}${name}`,
      name,
      mimeType: 'application/yaml',
      description: summary,
    })),
  ]
}

export async function readResource(uri: string, send: Send): Promise<ReadResourceResult> {
  if (uri === OPENAPI) {
    return contents(uri, 'application/json', JSON.stringify(await read(send, '/openapi.json')))
  }
  if (uri.startsWith(SCENARIO)) {
    const name = encodeURIComponent(uri.slice(SCENARIO.length))
    const { source } = (await read(send, `/_petri/scenarios/${name}`)) as { source: string }
    return contents(uri, 'application/yaml', source)
  }
  const name = docNames().find((known) => uri === `${DOC}${known}`)
  if (!name) throw new Error(`There is no resource ${uri}.`)
  return contents(uri, 'text/markdown', await readFile(join(packageFolder('docs'), name), 'utf8'))
}

const contents = (uri: string, mimeType: string, text: string): ReadResourceResult => ({
  contents: [{ uri, mimeType, text }],
})

function docNames(): string[] {
  const folder = packageFolder('docs')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : []
}

async function read(send: Send, path: string): Promise<unknown> {
  const response = await send({ method: 'GET', path })
  const answer = (await response.json()) as { detail?: unknown }
  if (!response.ok) throw new Error(detailText(answer.detail))
  return answer
}
