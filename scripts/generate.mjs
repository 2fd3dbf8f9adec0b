// Writes the generated files.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, root } from './bundle.mjs'

const outfile = join(root, 'node_modules/.cache/petri/generated.mjs')
await bundle({ entryPoints: ['scripts/generate/files.ts'], outfile, packages: 'external' })
const { generatedFiles } = await import(pathToFileURL(outfile).href)
for (const [path, text] of Object.entries(await generatedFiles())) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
  console.log(`wrote ${path}`)
}
