// Copies the published types to where `require` looks for them, in a folder whose files are CommonJS.
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './bundle.mjs'

const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
for (const path of files.filter((file) => file.endsWith('.d.ts') && !file.startsWith('!'))) {
  await cp(join(root, path), join(root, path.replace('dist/types/', 'dist/cjs/')))
}
