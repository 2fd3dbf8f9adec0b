// A process that starts processes and threads, as test runners do.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const script = new URL('fetch.mjs', import.meta.url)
process.stdout.write(execFileSync(process.execPath, [script.pathname]))
await once(fork(script), 'exit')
await once(new Worker(script), 'exit')
