import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isProcessAlive } from '../kernel/process-alive.ts'

/** Creates a temporary folder for a run, and removes those of runs that were killed. */
export function createRunFolder(): { readonly folder: string; remove(): void } {
  // Absolute, because programs change their folder.
  const parent = resolve(tmpdir())
  // Process ids mean nothing on another machine, or in another container.
  const prefix = `petri-exec-${processSpace()}-`
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (pid > 0 && !isProcessAlive(pid)) removeFolder(join(parent, name))
  }
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  return { folder, remove: () => removeFolder(folder) }
}

/** One that cannot be removed, such as that of another user, is left. */
function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // The outcome of the command counts.
  }
}

function processSpace(): string {
  const namespace = '/proc/self/ns/pid'
  // Where only a program was copied, there may be no /proc.
  const container = existsSync(namespace) ? readlinkSync(namespace) : ''
  return createHash('sha256')
    .update(hostname() + container)
    .digest('hex')
    .slice(0, 8)
}
