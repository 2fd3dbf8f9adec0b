import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Starts a Petri on a free port with memory data, gives its URL to `use`, and stops it whatever happens. */
export async function withRunningPetri(command, args, use) {
  const settings = ['start', '--port', '0', '--data', 'memory', '--log-format', 'json']
  const child = spawn(command, [...args, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let result
  try {
    result = await use(await urlOf(child))
  } finally {
    child.kill('SIGTERM')
    await ended
  }
  const [status] = await ended
  if (status !== 0) throw new Error(`Petri ended with status ${status} instead of 0`)
  return result
}

async function urlOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line)
    if (url) return url
  }
  throw new Error('Petri ended before it was ready')
}
