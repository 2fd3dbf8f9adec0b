/** @module-tag slow */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createInterface } from 'node:readline'
import { Webhook } from 'svix'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort, main, petri, type Started, startPetri, stop } from '../support/cli.ts'
import { cliSession } from '../support/cli-in-process.ts'
import { field } from '../support/field.ts'
import { listening } from '../support/listening.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'

openNetwork()

const SECRET = `whsec_${btoa('a secret of this test, 32 bytes!')}`

const toStop: (ChildProcess | Server)[] = []
afterEach(async () => {
  for (const each of toStop.splice(0)) {
    if ('kill' in each) await (each.exitCode ?? each.signalCode ?? stop(each))
    else each.close()
  }
})

const flags = ['--frozen', '--webhook-secret', SECRET]
let usual: Started
beforeAll(async () => {
  usual = await startPetri(flags)
})
afterAll(() => stop(usual.child))

let started: Started
const { json, orderKit, run } = cliSession(() => started.ready.url)
beforeEach(async () => {
  started = usual
  await run('reset')
})

/** Starts a Petri of the test's own. */
async function start(...args: string[]) {
  started = await startPetri([...flags, ...args])
  toStop.push(started.child)
}

interface Heard {
  readonly id: string
  readonly event_type: string
}

/** A receiver that verifies what it gets with the official library, and tells it in order. */
async function receive(statusOf: () => number = () => 204) {
  const heard: Heard[] = []
  const waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const text of request.setEncoding('utf8')) body += text
    const { event_type } = new Webhook(SECRET).verify(body, request.headers as never) as Heard
    heard.push({ id: String(request.headers['svix-id']), event_type })
    response.writeHead(statusOf()).end()
    for (const tell of waiting.splice(0)) tell()
  })
  const url = await listening(server)
  toStop.push(server)
  const until = async (count: number) => {
    while (heard.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    return heard
  }
  return { url: `${url}/webhooks`, heard, until }
}

const listen = (to: string, ...args: string[]) => follow('listen', '--forward-to', to, ...args)

/** A command that runs until it is stopped, and the lines it prints. */
async function follow(...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH ?? '', PETRI_URL: started.ready.url, PETRI_WEBHOOK_SECRET: SECRET },
  })
  toStop.push(child)
  const reader = (stream: NodeJS.ReadableStream) => {
    const lines = createInterface({ input: stream })[Symbol.asyncIterator]()
    return async () => (await lines.next()).value as string
  }
  const [next, nextError] = [reader(child.stdout), reader(child.stderr)]
  return { child, next, nextError }
}

describe('petri listen --forward-to', () => {
  it('brings every event to an address of this machine, signed with the secret of the world', async () => {
    const receiver = await receive()
    const { next, child } = await listen(receiver.url)
    expect(await next()).toBe(
      `Forwarding the webhooks of world "Petri" at ${started.ready.url} to ${receiver.url}`,
    )
    expect(await next()).toBe(`Signing secret: ${SECRET}`)
    await orderKit()
    await run('clock', 'advance', '2d')
    const heard = await receiver.until(3)
    expect(heard.map(field('event_type'))).toEqual([
      'labtest.order.created',
      'labtest.order.updated',
      'labtest.order.updated',
    ])
    expect(new Set(heard.map(field('id'))).size).toBe(3)
    expect(await next()).toMatch(/^[\d:]{8} {2}labtest\.order\.created {2}msg_\w{27} {2}204 {2}\d+ ms$/)
    expect(await json('webhook', 'endpoints')).toMatchObject({ data: [] })
    expect(await stop(child)).toBe(0)
  })

  it('takes only the event types it is told, and stops after so many', async () => {
    const receiver = await receive()
    const { next, child } = await listen(
      receiver.url,
      '--events',
      'labtest.order.created',
      '--json',
      '--count',
      '2',
    )
    expect(JSON.parse(await next())).toMatchObject({ world: 'Petri', webhook_secret: SECRET })
    const ended = once(child, 'close')
    await orderKit('one')
    await orderKit('two')
    expect((await ended)[0]).toBe(0)
    expect(receiver.heard.map(field('event_type'))).toEqual(Array(2).fill('labtest.order.created'))
    expect(JSON.parse(await next())).toMatchObject({ event_type: 'labtest.order.created', status: 204 })
  })

  it('sends an event once, and tells what became of it', async () => {
    const receiver = await receive(() => 500)
    const failing = await listen(receiver.url, '--json')
    const nowhere = await listen('http://127.0.0.1:9/hook', '--json')
    await Promise.all([failing.next(), nowhere.next()])
    await orderKit()
    expect(JSON.parse(await failing.next())).toAnswer(500)
    expect(JSON.parse(await nowhere.next())).toMatchObject({ status: null, error: expect.any(String) })
    await run('clock', 'advance', '1h')
    await orderKit('another')
    const [, second] = [await failing.next(), JSON.parse(await failing.next())]
    expect(second.event_type).toBe('labtest.order.created')
    expect(new Set(receiver.heard.map(field('id'))).size).toBe(receiver.heard.length)
  })

  it('goes on after a reset, and after Petri was started again', async () => {
    const data = makeFolder('petri-listen-')
    const port = await freePort()
    await start('--data', data, '--port', port)
    const receiver = await receive()
    const { nextError, next } = await listen(receiver.url)
    await next()
    await run('reset')
    expect(await nextError()).toBe('Petri ended the stream; connecting again.')
    expect(await nextError()).toMatch(/^Events may be missing/)
    await orderKit()
    await receiver.until(1)
    await stop(started.child, 'SIGKILL')
    let line = await nextError()
    await start('--data', data, '--port', port)
    while (!line.startsWith('Events may be missing')) line = await nextError()
    await orderKit('later')
    await receiver.until(2)
  })

  it('is refused in words', async () => {
    const wrong = await run('listen', '--forward-to', 'localhost:3000')
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('an http or https URL') })
    const key = await run('listen', '--forward-to', 'http://127.0.0.1:9', '--api-key', 'sk_us_nobody')
    expect(key).toMatchObject({ status: 1, stderr: expect.stringContaining('does not know this API key') })
    const nobody = await petri([
      'listen',
      '--forward-to',
      'http://127.0.0.1:9',
      '--url',
      'http://127.0.0.1:9',
    ])
    expect(nobody).toMatchObject({ status: 1, stderr: expect.stringContaining('No answer from') })
  })
})

describe('petri listen --add', () => {
  it('adds itself again after a reset, and removes itself at its end', async () => {
    const { child, next, nextError } = await follow('listen', '--add', '--port', '0', '--json')
    const { listening } = JSON.parse(await next())
    const urls = async () => (await json('webhook', 'endpoints')).data.map(field('url'))
    expect(await urls()).toEqual([listening])
    await run('reset')
    expect(await nextError()).toBe('Petri ended the stream; connecting again.')
    expect(await nextError()).toBe('The world was reset; this receiver is added again.')
    expect(await urls()).toEqual([listening])
    await orderKit()
    expect(JSON.parse(await next())).toMatchObject({
      refused: null,
      payload: { event_type: 'labtest.order.created' },
    })
    await stop(child)
    expect(await urls()).toEqual([])
  })

  it('follows the world before it is added, and warns when Petri cannot reach its address', async () => {
    const calls: string[] = []
    const detail = 'Connection refused: nothing listens at 127.0.0.1:4444. Petri runs in a container'
    const elsewhere = createServer((request, response) => {
      calls.push(`${request.method} ${request.url}`)
      const endpoint = { id: 'ep_1', url: 'http://127.0.0.1:4444/' }
      const answer = request.url?.endsWith('/reach') ? { reachable: false, detail } : endpoint
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    const url = await listening(elsewhere)
    toStop.push(elsewhere)
    const child = spawn(process.execPath, [main, 'listen', '--add', '--port', '0', '--url', url], {
      env: { PATH: process.env.PATH ?? '' },
    })
    toStop.push(child)
    const errors = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
    const warning = (await errors.next()).value
    expect(warning).toMatch(/^warning: Petri at \S+ cannot reach http:\/\/127\.0\.0\.1:\d+\/\. /)
    expect(warning).toContain(detail)
    expect((await errors.next()).value).toContain('"npx petri-sandbox listen --forward-to http://127.0.0.1:')
    const reach = 'POST /_petri/webhooks/endpoints/ep_1/reach'
    expect(calls.slice(0, 3)).toEqual([
      'GET /_petri/events?kinds=world',
      'POST /_petri/webhooks/endpoints',
      reach,
    ])
  })
})

describe('the reach of an endpoint', () => {
  it('is tried from where Petri runs, and nothing is sent', async () => {
    const receiver = await receive()
    const reach = async (url: string) => {
      const { id } = await json('webhook', 'add', url)
      const response = await fetch(`${started.ready.url}/_petri/webhooks/endpoints/${id}/reach`, {
        method: 'POST',
        headers: { 'x-service-api-key': 'sk_us_petri' },
      })
      return response.json()
    }
    expect(await reach(receiver.url)).toMatchObject({ reachable: true, detail: null })
    expect(await reach('http://127.0.0.1:9/hook')).toMatchObject({
      reachable: false,
      detail: expect.stringContaining('nothing listens at 127.0.0.1:9'),
    })
    expect((await run('webhook', 'add', 'http://127.0.0.1:9/other')).stderr).toMatch(
      /cannot reach http:\/\/127\.0\.0\.1:9\/other\. .*nothing listens.*\nFailed webhooks are sent again by "npx petri-sandbox webhook resend --endpoint ep_\w+" once it listens\.\n$/,
    )
    expect((await run('webhook', 'add', `${receiver.url}other`)).stderr).toBe('')
    expect(await run('webhook', 'add', 'http://169.254.169.254/latest')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('169.254.169.254'),
    })
    expect(receiver.heard).toEqual([])
  })
})
