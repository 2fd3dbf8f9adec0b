// npm test, npm run test:all and so on [-- arguments of vitest]: installs and builds what is missing, and runs a group of tests.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { prepare } from './prepare.mjs'

const groups = {
  fast: ['--project=node', '--tags-filter=!slow'],
  slow: ['--project=node', '--tags-filter=slow'],
  programs: ['--project=programs'],
  browser: ['--project=browser'],
  load: ['--project=browser-load'],
  all: [],
}

const [group = 'all', ...args] = process.argv.slice(2)
prepare()
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [vitest, 'run', ...groups[group], ...args], {
  stdio: 'inherit',
})
if (status === 0 && group === 'fast') {
  console.log(
    'Left out: the slow tests, which count as skipped above (npm run test:slow), those that run other',
  )
  console.log('programs (npm run test:programs), and those in a browser (npm run test:browser, test:load).')
  console.log('npm run test:all runs everything.')
}
process.exitCode = status ?? 1
