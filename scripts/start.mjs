// npm start [-- flags of `petri start`]: builds Petri if something has changed since the last build, and starts it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './built.mjs'

if (!isBuilt()) {
  console.error('Building…')
  // In a process of its own, whose memory Petri does not keep.
  const build = fileURLToPath(new URL('build.mjs', import.meta.url))
  const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
process.argv.splice(2, 0, 'start')
await import('../dist/cli/main.js')
