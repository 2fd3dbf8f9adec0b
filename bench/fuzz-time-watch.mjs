// Sends small requests to Petri continuously, and reports the longest wait since the last report.
import { parentPort, workerData } from 'node:worker_threads'
import { Client } from 'undici'

const client = new Client(workerData.url)
let longest = 0
let since = performance.now()

parentPort.on('message', (what) => {
  if (what === 'end') parentPort.postMessage(Math.max(longest, performance.now() - since))
  longest = 0
})

for (;;) {
  since = performance.now()
  const { body } = await client.request({ method: 'GET', path: '/_petri/health' })
  await body.dump()
  longest = Math.max(longest, performance.now() - since)
  await new Promise((resolve) => setTimeout(resolve, 2))
}
