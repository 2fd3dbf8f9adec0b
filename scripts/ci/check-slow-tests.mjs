// check-slow-tests.mjs REPORT [arguments of vitest]: fails for tests without the tag slow that take long. Those that took long in
// REPORT, a JSON report of npm test, run again with their files alone, because other tests and their garbage make quick ones slow.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'

/** Ten times what the tag allows, because machines differ. */
const MAX_MS = 2000
/** The first test of a file also loads the modules that the others use. */
const MAX_FIRST_MS = 6000

const [report, ...args] = process.argv.slice(2)
const suspects = slowTests(report)
if (suspects.length > 0) for (const test of slowTests(runAlone(suspects))) complain(test)

function runAlone(tests) {
  const again = `${report}.again`
  rmSync(again, { force: true })
  const files = new Set(tests.map(({ file }) => file))
  const options = ['--tags-filter=!slow', '--maxWorkers=1', '--reporter=json', `--outputFile=${again}`]
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...options, ...args], {
    stdio: 'inherit',
  })
  return again
}

function complain({ file, name, duration }) {
  const seconds = (duration / 1000).toFixed(1)
  console.error(
    `${relative('.', file)}: ${name} took ${seconds} s. Make it cheaper, or tag it: { tags: 'slow' }.`,
  )
  process.exitCode = 1
}

function slowTests(path) {
  const { testResults } = JSON.parse(readFileSync(path, 'utf8'))
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'skipped')
      .filter(({ duration }, index) => duration > (index === 0 ? MAX_FIRST_MS : MAX_MS))
      .map(({ fullName, duration }) => ({ file, name: fullName, duration })),
  )
}
