// npm test [NAME] [-- arguments]: installs and builds what is missing, and runs a group of tests; the fast ones without a name.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { prepare } from './prepare.mjs'

/** Groups of vitest, with its arguments. */
const groups = {
  fast: ['--project=node', '--tags-filter=!slow'],
  slow: ['--project=node', '--tags-filter=slow'],
  programs: ['--project=programs'],
  browser: ['--project=browser'],
  load: ['--project=browser-load'],
  all: [],
}
/** Long tests that are programs of their own, in test/long. */
const programs = ['soak', 'fuzz-time', 'scale-out', 'many-worlds']

const names = [...Object.keys(groups), ...programs]
const [given, ...others] = process.argv.slice(2)
const [name, args] = names.includes(given) ? [given, others] : ['fast', process.argv.slice(2)]
prepare()
const inRepository = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const command = programs.includes(name)
  ? [inRepository(`test/long/${name}.mjs`)]
  : [inRepository('node_modules/vitest/vitest.mjs'), 'run', ...groups[name]]
const { status } = spawnSync(process.execPath, [...command, ...args], { stdio: 'inherit' })
if (status === 0 && name === 'fast') {
  console.log(
    'Left out: the slow tests, which count as skipped above (npm test slow), those that run other programs',
  )
  console.log(
    '(npm test programs), and those in a browser (npm test browser, npm test load). npm test all runs these too.',
  )
}
process.exitCode = status ?? 1
