import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'

/** The OpenAPI document, as JSON. The build writes it, by `openapi-document.ts`. */
export const readOpenApi = once(() => readFile(join(packageFolder('dist'), 'openapi.json'), 'utf8'))
