import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'

/** The OpenAPI document as JSON, which the build writes, compressed, with `scripts/openapi-document.ts`. */
export const readOpenApi = once(async () => {
  const compressed = await readFile(join(packageFolder('dist'), 'openapi.json.gz'))
  return (await promisify(gunzip)(compressed)).toString()
})
