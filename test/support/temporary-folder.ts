import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives all tests one folder for their temporary files, and removes it when they are done. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'petri-tests-'))
  // Some tests run Petri as another user.
  chmodSync(folder, 0o755)
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
