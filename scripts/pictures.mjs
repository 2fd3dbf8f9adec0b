// Takes the pictures of docs/page.md and README.md again: `npm run pictures`. Needs Chromium. A test fails
// when the page has changed since.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from './built.mjs'
import { root } from './bundle.mjs'
import { buildPage } from './page.mjs'

const folder = join(root, 'docs/pictures')
await buildPage()
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    '--project=browser',
    'test/browser/views.test.ts',
    '-t',
    'is pictured for the documentation',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, BROWSER_TESTS: 'required', PICTURES: folder },
  },
)
if (status === 0) writeFileSync(join(folder, 'page.sha256'), `${hashOf(['src/page'])}\n`)
else process.exitCode = 1
