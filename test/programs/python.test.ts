import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../support/root.ts'

const folder = join(root, 'clients/python')

/** The first interpreter that has what the tests of the client need. */
const python = ['/usr/bin/python3', 'python3'].find((command) => {
  const needed = 'import sys, httpx, pytest, requests, yaml; assert sys.version_info >= (3, 10)'
  return spawnSync(command, ['-c', needed]).status === 0
})

it.skipIf(python === undefined)(
  'the Python client passes its tests and the conformance scripts (needs Python 3.10, httpx, pytest, requests, yaml)',
  { timeout: 600_000 },
  () => {
    const output = execFileSync(
      python ?? '',
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'petri_sandbox.pytest_plugin', 'tests'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          PYTHONPATH: 'src',
          PYTHONDONTWRITEBYTECODE: '1',
          PETRI_COMMAND: `${process.execPath} ${join(root, 'dist/cli/main.js')}`,
        },
      },
    )
    expect(output).toMatch(/^\d+ passed/m)
  },
)
