// npm run dev [-- flags of `petri start`]: builds and starts Petri, and again whenever a source changes.
// A failed build is shown, and the last successful one keeps running.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './bundle.mjs'

const run = promisify(execFile)
/** Changes within so many milliseconds are built together: an editor writes several files at once. */
const QUIET_MS = 150

let server
let timer
let isBuilding = false
let isStale = false

for (const folder of ['src', 'scenarios', 'seeds'])
  watch(join(root, folder), { recursive: true }, (_, file) => changed(`${folder}/${file}`))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop().then(() => process.exit(0)))
await rebuild()

function changed(file) {
  clearTimeout(timer)
  timer = setTimeout(() => {
    console.log(`dev: ${file} has changed`)
    rebuild()
  }, QUIET_MS)
}

async function rebuild() {
  isStale = true
  if (isBuilding) return
  isBuilding = true
  while (isStale) {
    isStale = false
    const startedAt = performance.now()
    try {
      await run(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root })
      console.log(`dev: built in ${Math.round(performance.now() - startedAt)} ms`)
      if (!isStale) await restart()
    } catch ({ stderr, message }) {
      console.error(`dev: not built, the last Petri goes on\n${stderr || message}`)
    }
  }
  isBuilding = false
}

async function restart() {
  await stop()
  const args = [join(root, 'dist/cli/main.js'), 'start', ...process.argv.slice(2)]
  server = spawn(process.execPath, args, { stdio: 'inherit' })
}

async function stop() {
  if (server && server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  server = undefined
}
