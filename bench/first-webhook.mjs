// node bench/first-webhook.mjs [--runs N] -- COMMAND: the time from a command that starts Petri to the first webhook that svix verifies.
// The command gets PETRI_PORT, PETRI_WEBHOOK_URL, PETRI_WEBHOOK_SECRET and PETRI_DATA. Prints each time and the median, in milliseconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Webhook } from 'svix'
import { freePort } from './processes.mjs'
import { sandbox } from './sandbox.mjs'
import { median } from './statistics.mjs'

const SECRET = `whsec_${Buffer.from('the-secret-of-this-bench').toString('base64')}`
const POLL_MS = 20
const TIMEOUT_MS = 120_000

const { values, positionals: command } = parseArgs({
  options: { runs: { type: 'string', default: '3' } },
  allowPositionals: true,
})
const times = []
for (let run = 0; run < Number(values.runs); run++) times.push(Math.round(await measure()))
console.log(`${times.join(', ')}: median ${median(times)} ms`)

async function measure() {
  const { receiver, url: webhookUrl, verified } = await receive()
  const port = String(await freePort())
  const started = performance.now()
  const settings = {
    PETRI_PORT: port,
    PETRI_WEBHOOK_URL: webhookUrl,
    PETRI_WEBHOOK_SECRET: SECRET,
    PETRI_DATA: 'memory',
  }
  const env = { ...process.env, ...settings }
  const [file, ...args] = command
  const petri = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'inherit'], detached: true })
  const ended = once(petri, 'exit')
  try {
    const url = `http://127.0.0.1:${port}`
    await Promise.race([untilHealthy(url), ended.then(([status]) => fail(`it ended with status ${status}`))])
    const { placeKit } = await sandbox(url)
    await placeKit()
    await verified
    return performance.now() - started
  } finally {
    // With what it started, as npx and podman do.
    if (petri.exitCode === null) process.kill(-petri.pid)
    await ended
    receiver.close()
  }
}

/** A receiver of webhooks, and a promise of the first that is verified. */
async function receive() {
  const webhook = new Webhook(SECRET)
  const receiver = createServer()
  const verified = new Promise((resolve, reject) => {
    receiver.on('request', async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      try {
        resolve(webhook.verify(body, request.headers))
      } catch (error) {
        reject(error)
      }
      response.end()
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  return { receiver, url: `http://127.0.0.1:${receiver.address().port}/`, verified }
}

async function untilHealthy(url) {
  const end = performance.now() + TIMEOUT_MS
  while (performance.now() < end) {
    const answer = await fetch(`${url}/_petri/health`).catch(() => undefined)
    if (answer?.ok) return
    await delay(POLL_MS)
  }
  fail(`no Petri answers at ${url}`)
}

function fail(reason) {
  throw new Error(`${command.join(' ')}: ${reason}`)
}
