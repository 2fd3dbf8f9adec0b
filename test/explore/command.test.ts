import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defaults } from '../../src/defaults.ts'
import { freePort } from '../support/cli.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { serveHost, servePetri } from '../support/served.ts'
import { type Bug, createSampleApp } from './sample-app.ts'

// These tests call programs of their own on this machine.
beforeEach(() => void vi.unstubAllGlobals())

const folder = () => makeFolder('explore-')

const listen = (app: Hono) => serveHost((request) => app.fetch(request))

/** The sample app; it gets what it reads from nobody. */
const sampleUrl = (bug?: Bug) =>
  listen(
    createSampleApp(async () => Response.json({ metadata: {}, results: null }), defaults.webhookSecret, bug)
      .app,
  )

const explore = (...args: string[]) => runPetri(['explore', '--port', '0', ...args])
/** Neither needs calls of the program. */
const narrow = ['--only', 'webhook_faults', '--runs', '10', '--max', '1']

describe('petri explore', { timeout: 120_000 }, () => {
  it('finds what a running program shows wrongly, and plays it again from its file', {
    tags: 'slow',
  }, async () => {
    const url = await sampleUrl('last_webhook_wins')
    const found = folder()
    const program = ['--webhook', `${url}/webhooks`, '--check', `${url}/orders/{order_id}`, '--at', 'status']
    const { status, stdout } = await explore(...program, ...narrow, '--found', found)
    expect(status).toBe(1)
    expect(stdout).toMatch(/The program says .*; expected "completed.testkit.completed"/)
    const [file = '', test] = readdirSync(found).sort().reverse()
    expect([file, test]).toEqual([expect.stringMatching(/\.yaml$/), expect.stringMatching(/\.test\.js$/)])
    const again = await explore(...program, '--replay', join(found, file), '--json')
    expect(again).toAnswer(1)
    expect(JSON.parse(again.stdout).findings).toMatchObject([{ known: true, oracle: 'check' }])
    const fixed = await sampleUrl()
    const right = await explore('--webhook', `${fixed}/webhooks`, '--replay', join(found, file))
    expect(right).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 finding played again: nothing wrong'),
    })
  })

  it('accepts findings that are on file, and writes reports for CI', { tags: 'slow' }, async () => {
    const url = await sampleUrl('dedupe_by_type')
    const found = folder()
    const junit = join(found, 'junit.xml')
    const program = ['--webhook', `${url}/webhooks`, '--check', `${url}/orders/{order_id}`, '--at', 'status']
    const options = [...program, ...narrow, '--found', found, '--junit', junit]
    expect(await explore(...options)).toAnswer(1)
    expect(readFileSync(junit, 'utf8')).toContain('<failure message="The program says')
    expect(await explore(...program, '--runs', '0', '--found', found)).toAnswer(1)
    expect(await explore(...program, '--runs', '0', '--found', found, '--accept')).toAnswer(0)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'keeps what it has found when %s ends it',
    { tags: 'slow' },
    async (signal) => {
      const others = new Set(process.listeners(signal))
      const { app } = createSampleApp(
        async () => Response.json({ metadata: {}, results: null }),
        defaults.webhookSecret,
        'last_webhook_wins',
      )
      let reads = 0
      const url = await serveHost((request) => {
        if (request.method === 'GET' && ++reads === 60)
          for (const interrupt of process.listeners(signal)) if (!others.has(interrupt)) interrupt(signal)
        return app.fetch(request)
      })
      const found = folder()
      const program = [
        '--webhook',
        `${url}/webhooks`,
        '--check',
        `${url}/orders/{order_id}`,
        '--at',
        'status',
      ]
      const many = ['--only', 'webhook_faults', '--runs', '10000', '--max', '100']
      const { status, stdout } = await explore(...program, ...many, '--found', found)
      expect(status).toBe(1)
      expect(stdout).toContain(', then stopped:')
      expect(readdirSync(found).some((file) => file.endsWith('.yaml'))).toBe(true)
    },
  )

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'ends with the status of %s if nothing was found by then',
    { tags: 'slow' },
    async (signal, expected) => {
      const others = new Set(process.listeners(signal))
      const url = await serveHost(() => {
        for (const interrupt of process.listeners(signal)) if (!others.has(interrupt)) interrupt(signal)
        return new Response(null, { status: 204 })
      })
      const { status, stdout } = await explore('--webhook', url, '--found', folder())
      expect([status, stdout]).toEqual([expected, ''])
    },
  )

  it('ends early when each history fails in the same way, and keeps the tests that were there', {
    tags: 'slow',
  }, async () => {
    const url = await serveHost(() => new Response('no', { status: 500 }))
    const found = folder()
    writeFileSync(join(found, 'found-happy-path.test.js'), 'mine')
    const { status, stdout, stderr } = await explore(
      '--webhook',
      url,
      '--found',
      found,
      '--only',
      'webhook_faults',
    )
    expect(status).toBe(1)
    expect(stdout).toMatch(/Ended early: nothing but (found-\S+) was found in the last 20 histories\./)
    expect(stdout).toMatch(/^20 histories: 1 finding/m)
    expect(stderr).toMatch(/^Petri listens at http:\/\/127\.0\.0\.1:\d+, and plays the happy path first\.$/m)
    expect(readFileSync(join(found, 'found-happy-path.test.js'), 'utf8')).toBe('mine')
  })

  it('prints the whole command that plays a finding again, without secrets', { tags: 'slow' }, async () => {
    const url = await sampleUrl('last_webhook_wins')
    const found = folder()
    const invariants = join(found, 'my rules.json')
    const rule = { url: `${url}/orders/{order_id}`, at: 'status', equals: 'status' }
    writeFileSync(invariants, JSON.stringify({ invariants: [rule] }))
    const options = ['--webhook', `${url}/webhooks`, '--invariants', invariants, '--ready', `${url}/orders/1`]
    const key = 'sk_us_of_mine'
    const { stdout } = await explore(...options, '--api-key', key, ...narrow, '--found', found)
    expect(stdout).not.toContain(key)
    const [, again] = /Again: petri (.*)/.exec(stdout) ?? []
    expect(again).toMatch(
      new RegExp(
        `^explore --replay \\S+ --webhook \\S+ --invariants '${invariants}' --ready \\S+ --port 0 --api-key "\\$PETRI_API_KEY"$`,
      ),
    )
  })

  it('says which Petri to stop if another one listens at its port', async () => {
    const { url } = await servePetri()
    const { port } = new URL(url)
    const { status, stderr } = await runPetri(['explore', '--port', port, '--webhook', 'http://127.0.0.1:1/'])
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^Another Petri listens at \S+\. Stop it/)])
  })

  it('starts the program, waits until it is ready, and stops it', { tags: 'slow' }, async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const server = `require('http').createServer((_, answer) => answer.writeHead(204).end()).listen(${new URL(url).port})`
    const start = ['--start', `"${process.execPath}" -e "${server}"`, '--ready', `${url}/`]
    const { status, stdout } = await explore('--webhook', url, ...start, '--runs', '2', '--found', folder())
    expect([status, stdout]).toEqual([0, expect.stringContaining('2 histories: nothing wrong')])
    await expect(fetch(url)).rejects.toThrow()
  })

  it('runs a command in each history', { tags: 'slow' }, async () => {
    const passes = await explore('--runs', '1', '--found', folder(), '--', process.execPath, '--version')
    expect(passes).toAnswer(0)
  })

  describe('with bad input', () => {
    const fails = async (...args: string[]) => {
      const { status, stderr } = await explore(...args)
      expect(status).toBe(2)
      return stderr.replace(/^Petri listens at .*\n/, '').trim()
    }
    const html = new Hono()
      .post('/webhooks', (c) => c.body(null, 204))
      .get('/orders/:id', (c) => c.html('<p>Sign in</p>'))

    it('names the missing receiver', { tags: 'slow' }, async () => {
      expect(await fails()).toMatch(/--webhook/)
      expect(await fails('--webhook', 'http://127.0.0.1:1/webhooks')).toMatch(
        /^No webhook can be sent to .*Connection refused.*\.$/,
      )
      expect(await fails('--webhook', 'http://127.0.0.1:1/', '--ready', 'x')).toBe(
        '--ready should be an http or https URL; it is "x".',
      )
      const start = ['--start', 'echo broken && exit 3', '--ready', 'http://127.0.0.1:9/']
      const ended = await fails('--webhook', 'http://127.0.0.1:1/', ...start)
      const [, output = ''] = /ended with status 3; its output is in (\S+)\.$/.exec(ended) ?? []
      expect(readFileSync(output, 'utf8')).toBe('broken\n')
    })

    it('says that a check answers HTML', { tags: 'slow' }, async () => {
      const url = await listen(html)
      const webhook = ['--webhook', `${url}/webhooks`]
      expect(await fails(...webhook, '--check', `${url}/orders/{order_id}`, '--at', 'status')).toMatch(
        /answered text\/html.* instead of JSON: <p>Sign in<\/p>$/,
      )
    })

    it('says what is wrong with a check that is slow or silent', { tags: 'slow' }, async () => {
      const url = await serveHost((request) => {
        const { pathname } = new URL(request.url)
        if (pathname.startsWith('/silent')) return new Promise(() => undefined)
        if (!pathname.startsWith('/slow')) return new Response(null, { status: 204 })
        return new Response(new ReadableStream({ start: (body) => body.enqueue(Buffer.from('{"a":')) }))
      })
      const check = (path: string) =>
        fails('--webhook', url, '--check', `${url}/${path}/{order_id}`, '--at', 'status')
      const [silent, slow] = await Promise.all([check('silent'), check('slow')])
      expect(silent).toMatch(/cannot be read: No reply within 5 s\.$/)
      expect(slow).toMatch(/did not send the whole response within 5 s\.$/)
    })

    it('names the nearest status of a mapping, and parts that do not exist', async () => {
      const webhook = ['--webhook', 'http://127.0.0.1:1/', '--check', 'http://127.0.0.1:1/{order_id}']
      expect(await fails(...webhook, '--map', 'complete=done')).toBe(
        '--map: "complete" is not a status of an order. Did you mean "completed"?',
      )
      expect(await fails(...webhook, '--only', 'order')).toContain('Did you mean "orders"?')
    })

    it('says in words what is wrong with an invariant', async () => {
      const file = join(folder(), 'invariants.json')
      writeFileSync(file, '{}')
      expect(await fails('--webhook', 'http://127.0.0.1:1/', '--invariants', file)).toContain(
        `${file} is not a file of invariants: `,
      )
    })

    it('refuses no runs at all if no finding is on file', async () => {
      const receiver = await listen(new Hono().post('/webhooks', (c) => c.body(null, 204)))
      const found = folder()
      expect(await fails('--webhook', `${receiver}/webhooks`, '--found', found, '--runs', '0')).toBe(
        `--runs 0 plays only the findings on file, and ${found} has none.`,
      )
    })

    it('says that a command fails before it calls Petri', { tags: 'slow' }, async () => {
      const problem = await fails(
        '--runs',
        '1',
        '--found',
        folder(),
        '--',
        process.execPath,
        '-e',
        'process.exit(3)',
      )
      expect(problem).toMatch(/^The command failed before it called Petri: ".*" ended with status 3\.$/)
    })
  })
})
