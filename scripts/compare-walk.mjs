// Makes the same random legal sequences of calls at a running Petri and at another service, and prints the shortest that differ:
// `node scripts/compare-walk.mjs --against URL --key KEY`, for a maintainer with a key of the live sandbox.
//   --calls 400        the maximum number of calls to each service; a quarter of them is kept for shrinking
//   --seed NUMBER      repeats the sequences of an earlier run
//   --accept FILE      leaves out the differences in this file, a report of `petri verify --json`
//   --url, --api-key   the Petri and its world; by default those of the environment, as for `petri verify`
//   --write            writes the date and the result to docs/evidence/fidelity.md
// The exit status is 0 without differences, 1 with some, and 2 if the services could not be compared.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, root } from './bundle.mjs'

const outfile = join(root, 'node_modules/.cache/petri/compare-walk.mjs')
await bundle({ entryPoints: ['scripts/compare-walk/main.ts'], outfile, packages: 'external' })
try {
  const { compareWalk } = await import(pathToFileURL(outfile).href)
  process.exitCode = await compareWalk(process.argv.slice(2), root)
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
