// npm test [-- arguments of vitest]: installs and builds what is missing, and runs all tests but those in a browser and of other programs.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { prepare } from './prepare.mjs'

prepare()
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const args = [vitest, 'run', '--project=node', ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
if (status === 0) {
  console.log('Left out: the tests of the page in a browser (npm run test:browser), and those that run')
  console.log('other programs and what the documentation prints (npm run test:programs).')
}
process.exitCode = status ?? 1
