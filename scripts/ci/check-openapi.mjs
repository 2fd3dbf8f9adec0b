// Checks /openapi.json of the built Petri with the linters of its readers, and compiles the clients that generators make of it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bundle.mjs'
import { withRunningPetri } from '../running-petri.mjs'

const folder = join(root, 'test/openapi')
const clients = join(folder, 'clients')
const document = join(clients, 'openapi.json')

/** Each line is a command of a package in test/openapi. */
const checks = [
  'redocly lint ./clients/openapi.json --format=summary',
  'spectral lint ./clients/openapi.json --ruleset spectral.json --fail-severity error --quiet',
  'openapi-typescript ./clients/openapi.json -o clients/openapi-typescript.d.ts',
  'openapi-ts -i ./clients/openapi.json -o clients/hey-api -p @hey-api/client-fetch @hey-api/typescript @hey-api/sdk',
  'swagger-typescript-api generate -p ./clients/openapi.json -o clients/swagger-typescript-api',
  'orval --input ./clients/openapi.json --output clients/orval.ts --client fetch',
  'tsc -p tsconfig.json',
]

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const run = (file, ...args) =>
  execFileSync(file, args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] })

run('npm', 'ci', '--silent')
rmSync(clients, { recursive: true, force: true })
await withRunningPetri(process.execPath, [join(root, 'dist/cli/main.js')], async (url) => {
  mkdirSync(clients)
  writeFileSync(document, await (await fetch(`${url}/openapi.json`)).text())
})
for (const check of checks) {
  console.log(`\n${check}`)
  const [command, ...args] = check.split(' ')
  run(join(folder, 'node_modules/.bin', command), ...args)
}
