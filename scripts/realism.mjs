// Compares the generated people with published figures: `npm run realism`, `npm run realism -- --only labs --people 60`,
// `npm run realism -- --write` for docs/evidence/realism.md.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, root } from './bundle.mjs'

const outfile = join(root, 'node_modules/.cache/petri/realism.mjs')
await bundle({ entryPoints: ['scripts/realism/main.ts'], outfile, packages: 'external' })
const start = performance.now()
try {
  const { runReport } = await import(pathToFileURL(outfile).href)
  await runReport(process.argv.slice(2), pathToFileURL(join(root, 'docs/evidence/realism.md')))
  console.log(`It took ${((performance.now() - start) / 1000).toFixed(0)} s.`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
