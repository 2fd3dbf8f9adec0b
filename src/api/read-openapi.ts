import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'

/** The server in the document that the build writes: the address at which it is read. */
export const relativeServer = { url: '/' } as const

/** The OpenAPI document as JSON, which the build writes, compressed, with `scripts/openapi-document.ts`. */
export const readOpenApi = once(async () => {
  const compressed = await readFile(join(packageFolder('dist'), 'openapi.json.gz'))
  return (await promisify(gunzip)(compressed)).toString()
})

/** The document with the address of the service, which generators of clients that read a file do not know. */
export async function openApiAt(base: URL): Promise<string> {
  const server = JSON.stringify({ url: base.href.replace(/\/$/, '') })
  return (await readOpenApi()).replace(JSON.stringify(relativeServer), () => server)
}
