import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { petri, type Started, startPetri, stop } from '../support/cli.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'

// Every symptom of docs/troubleshooting.md is provoked, and what Petri says to it is compared with the page.

openNetwork()

const page = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| (?!Symptom|-)(.+?) \| .+? \| (.+?) \| .+? \|$/gm)].map(
  ([, symptom = '', sentence = '']) => ({ symptom, sentence }),
)

let started: Started
beforeAll(async () => {
  started = await startPetri(['--frozen'])
})
afterAll(() => stop(started.child))

/** A world of its own in the running Petri. */
async function openWorld() {
  const { url } = started.ready
  const response = await fetch(`${url}/_petri/worlds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ frozen: true }),
  })
  const { api_key } = (await response.json()) as { api_key: string }
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runPetri(args, { PETRI_URL: url, PETRI_API_KEY: api_key })
    return stdout + stderr
  }
  return {
    run,
    async place(...options: string[]): Promise<string> {
      return JSON.parse(await run('order', 'place', ...options, '--json')).id
    },
    call: (path: string, init: RequestInit = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { 'x-vital-api-key': api_key, 'content-type': 'application/json' },
      }),
  }
}

type TestWorld = Awaited<ReturnType<typeof openWorld>>

/** Explains an order after some time. */
async function explained({ run, place }: TestWorld, ...options: string[]): Promise<string> {
  const id = await place(...options)
  await run('clock', 'advance', '--until', 'idle')
  return run('explain', id)
}

const unused = 'http://127.0.0.1:9/hook'
const folder = () => makeFolder('petri-')

/** Provokes a symptom, and returns what Petri says to it. */
const provoke: Readonly<Record<string, (world: TestWorld) => Promise<string>>> = {
  'No webhook at all': ({ run }) => run('doctor'),
  async 'The receiver is not running'({ run, place }) {
    await run('webhook', 'add', unused)
    const id = await place()
    await run('clock', 'advance', '1m')
    return run('explain', id)
  },
  async 'The receiver answers with an error'({ run, place }) {
    const receiver = createServer((_, response) => response.writeHead(500).end()).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    await run('webhook', 'add', `http://127.0.0.1:${port}/hook`)
    const id = await place()
    await run('clock', 'advance', '6h')
    receiver.close()
    return run('explain', id)
  },
  async 'Webhooks stopped days ago'({ run, place }) {
    await run('webhook', 'add', unused)
    await place()
    await run('clock', 'advance', '20d')
    return run('doctor')
  },
  async 'New orders send nothing'({ run, place }) {
    const [id = ''] = /ep_\w+/.exec(await run('webhook', 'add', unused)) ?? []
    await run('webhook', 'disable', id)
    return run('explain', await place())
  },
  'After a reset, the receiver answers 200 and stores nothing': ({ run }) => run('reset'),
  'A URL is refused': ({ run }) => run('webhook', 'add', 'http://169.254.169.254/'),
  async 'Nothing happens, however long you wait'({ run, place }) {
    return run('explain', await place())
  },
  'A kit stays `with_customer`': (world) => explained(world, '--registrable'),
  'A visit is never booked': (world) => explained(world, '--scenario', 'walk-in-waits-for-booking'),
  'It has no next step': (world) => explained(world, '--scenario', 'manual'),
  async 'It has stopped after a manual move'({ run, place }) {
    const id = await place()
    await run('order', 'move', id, 'cancelled')
    return run('explain', id)
  },
  async 'Its scenario does nothing'(world) {
    const steps = [{ after: '1h', status: 'requisition_created', only: 'registered_kit' }]
    const scenario = { name: 'mine', summary: 'x', method: 'testkit', steps }
    await world.call('/_petri/scenarios/mine', { method: 'PUT', body: JSON.stringify(scenario) })
    return explained(world, '--registrable', '--scenario', 'mine')
  },
  async 'A move is refused'({ run, place }) {
    return run('order', 'move', await place(), 'completed')
  },
  'A call answers 401': ({ run }) => run('order', 'list', '--api-key', 'sk_us_unknown'),
  '404 for a path': async ({ call }) => String((await call('/v2/usr')).headers.get('x-petri-hint')),
  async '404 for an order that exists'({ call }) {
    const other = await openWorld()
    return String((await call(`/v3/order/${await other.place()}`)).headers.get('x-petri-hint'))
  },
  async 'A provider is refused with 422'({ call }) {
    const body = JSON.stringify({ user_id: '00000000-0000-4000-8000-000000000000', provider: 'peloton' })
    const refused = await call('/v2/link/connect/demo', { method: 'POST', body })
    return String(refused.headers.get('x-petri-hint'))
  },
  async 'A field has no effect'({ run, call }) {
    await call('/v2/user', { method: 'POST', body: '{"client_user_id":"a","nickname":"b"}' })
    return run('requests', 'list', '--ignored')
  },
  'A scenario is not found': ({ run }) => run('order', 'place', '--scenario', 'hapy-path'),
  'Commands find no Petri': ({ run }) => run('order', 'list', '--url', 'http://127.0.0.1:9'),
  'The port is taken': async () =>
    (await petri(['start', '--data', 'memory', '--port', new URL(started.ready.url).port])).stderr,
  async 'The data folder is in use'() {
    const data = folder()
    const { child } = await startPetri(['--data', data])
    const { stderr } = await petri(['start', '--port', '0', '--data', data])
    await stop(child)
    return stderr
  },
  'A setting is refused': async () => (await petri(['start'], { PETRI_FROZN: '1' })).stderr,
}

/** Without line breaks; `…` of the page stands for any text. */
function matches(sentence: string): RegExp {
  const parts = sentence.split('…').map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(parts.join('.*?'))
}

it('the page lists twenty symptoms at least, and none that is not provoked here', () => {
  expect(rows.length).toBeGreaterThanOrEqual(20)
  expect(rows.map(({ symptom }) => symptom)).toEqual(Object.keys(provoke))
})

it.each(rows)('says what the page promises: $symptom', { timeout: 60_000 }, async ({ symptom, sentence }) => {
  const said = await provoke[symptom]?.(await openWorld())
  expect(said?.replace(/\s+/g, ' ')).toMatch(matches(sentence))
})
