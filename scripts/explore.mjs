// Measures `petri explore` with the sample app of its tests: `npm run histories -- --soak 10000`,
// `npm run histories` for all planted bugs, `npm run histories -- correction_ignored` for one.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, root } from './bundle.mjs'

const outfile = join(root, 'node_modules/.cache/petri/explore.mjs')
await bundle({ entryPoints: ['scripts/explore/main.ts'], outfile, packages: 'external' })
const { measure } = await import(pathToFileURL(outfile).href)
process.exitCode = await measure(process.argv.slice(2))
