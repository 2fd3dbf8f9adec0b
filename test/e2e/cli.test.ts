import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/api/version.ts'
import { stackOf } from '../../src/cli/stack.ts'
import { freePort, main, petri, startPetri, stop } from '../support/cli.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { eventually } from '../support/timing.ts'

openNetwork()

const storedFolder = makeFolder('petri-stored-')
const born = ['--seed', 'blue', '--frozen', '--now', '2026-01-05T09:00:00Z']

describe('petri start', { tags: 'slow' }, () => {
  it('prints its address and key, answers there, and stops without waiting for idle connections', async () => {
    const { child, ready } = await startPetri()
    expect(ready).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      api_key: 'sk_us_petri',
      webhook_secret: expect.stringMatching(/^whsec_/),
      curl: expect.stringContaining(ready.url),
      client: expect.stringContaining(ready.url),
      webhooks: expect.stringMatching(
        /^npx petri-sandbox webhook add http:\/\/127\.0\.0\.1:3000\/webhooks --url http:\/\/127\.0\.0\.1:\d+$/,
      ),
    })
    const agent = new Agent({ keepAlive: true })
    const headers = { 'x-vital-api-key': ready.api_key }
    const [answer] = await once(get(`${ready.url}/v2/user`, { agent, headers }), 'response')
    expect(answer.statusCode).toBe(200)
    await once(answer.resume(), 'end')
    const asked = performance.now()
    expect(await stop(child)).toBe(0)
    // A server that waits for a connection that its client keeps waits for 75 seconds.
    expect(performance.now() - asked).toBeLessThan(60_000)
    agent.destroy()
  })

  it.each([
    ['where its output is piped', [], {}, /^Petri is ready at http:\S+\n\n {2}Page /],
    [
      'as a line of JSON with PETRI_LOG_FORMAT',
      [],
      { PETRI_LOG_FORMAT: 'json' },
      /^\{"time":.*"url":"http:.*\}\n$/,
    ],
    ['as a line of JSON with --log-format', ['--log-format', 'json'], {}, /^\{"time":.*"url":"http:.*\}\n$/],
  ])('prints what is needed to connect %s', async (_, flags, env: Record<string, string>, expected) => {
    const args = [main, 'start', '--port', '0', '--data', 'memory', ...flags]
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH ?? '', ...env } })
    const [text] = await once(child.stdout, 'data')
    expect(String(text)).toMatch(expected)
    expect(await stop(child)).toBe(0)
  })

  it('finishes a call that is under way when it is told to stop', async () => {
    const { child, ready } = await startPetri()
    const headers = { 'x-service-api-key': ready.api_key, 'content-type': 'application/json' }
    const call = async (method: string, path: string, body?: object) =>
      fetch(`${ready.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    // Petri itself is late, and not this process: it gives a call that is under way half a second.
    await call('PUT', '/_petri/faults', { faults: [{ operation: 'POST /v2/user', latency: '200ms' }] })
    const answer = call('POST', '/v2/user', { client_user_id: 'late' })
    await eventually(async () =>
      expect(await (await call('GET', '/_petri/faults')).json()).toMatchObject({ faults: [{ hits: 1 }] }),
    )
    expect(await stop(child)).toBe(0)
    expect(await answer).toAnswer(200)
  })

  it('stops when its standard input ends, if it is attached to it', async () => {
    const { child } = await startPetri(['--attached'])
    const closed = once(child, 'close')
    child.stdin?.end()
    expect(await closed).toEqual([0, null])
  })

  it('says in words that a port is taken', async () => {
    const { child, ready } = await startPetri()
    const { port } = new URL(ready.url)
    const { status, stderr } = await petri(['start', '--port', port, '--data', 'memory'])
    expect(status).toBe(1)
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is taken.`)
    expect(stderr).toContain(`A Petri answers there; "npx petri-sandbox stop --url ${ready.url}" stops it.`)
    await stop(child, 'SIGINT')
  })

  it('keeps its world and its options in a folder, for one Petri at a time', async () => {
    const data = ['--data', makeFolder('petri-data-')]
    const first = await startPetri([...data, '--seed', 'blue'])
    const headers = { 'x-service-api-key': first.ready.api_key, 'content-type': 'application/json' }
    const body = JSON.stringify({ client_user_id: 'ada' })
    await fetch(`${first.ready.url}/v2/user`, { method: 'POST', headers, body })
    const second = await petri(['start', '--port', '0', ...data])
    expect(second).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('another Petri uses this folder'),
    })
    await stop(first.child, 'SIGKILL')
    const again = await startPetri(data)
    expect(again.before).toEqual([])
    const answer = await fetch(`${again.ready.url}/v2/user/resolve/ada`, { headers })
    expect(answer).toAnswer(200)
    await stop(again.child)
    const told = await startPetri([...data, '--seed', 'blue', '--webhook-url', 'http://127.0.0.1:9/hook'])
    const endpoints = await (await fetch(`${told.ready.url}/_petri/webhooks/endpoints`, { headers })).json()
    expect(endpoints).toMatchObject({ data: [{ url: 'http://127.0.0.1:9/hook', disabled: false }] })
    await stop(told.child)
  })

  it('keeps a world as its flags made it', async () => {
    const { child } = await startPetri(['--data', storedFolder, ...born])
    expect(await stop(child)).toBe(0)
  })

  it.each([
    [['--seed', 'red'], {}, '--seed (it is blue)'],
    [['--now', '2026-02-01'], {}, '--now (it is 2026-01-05T09:00:00.000Z)'],
    [['--pace', '1'], {}, '--pace (it is 8640)'],
    [[], { PETRI_FROZEN: 'false' }, 'PETRI_FROZEN (it is true)'],
    [['--like', 'sandbox'], {}, '--like (it is none)'],
    [[], { PETRI_FROZEN: 'false' }, 'to continue it, which "petri clock run" can then change, with --fresh'],
    [
      ['--pace', '2', '--like', 'production'],
      {},
      'which "petri clock pace 2" and "petri world like production" can then change',
    ],
    [['--scenario', 'manual'], {}, '--scenario (it is happy-path)'],
    [['--webhook-secret', `whsec_${btoa('x'.repeat(24))}`], {}, '--webhook-secret (its value differs)'],
  ])('refuses %j %j on a folder whose world has other settings', async (flags, env, expected) => {
    const refused = await runPetri(['start', '--port', '0', '--data', storedFolder, ...flags], env)
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toContain(`${storedFolder} has a world with other settings: `)
    expect(refused.stderr).toContain(expected)
    expect(refused.stderr).toContain('with --fresh to delete it and start empty, or with --data DIR')
  })

  it('refuses another API key than that of the world in the folder', async () => {
    const both = { PETRI_API_KEY: 'sk_us_other', PETRI_SEED: 'other' }
    for (const env of [{ PETRI_API_KEY: 'sk_us_other' }, both, {}] as const) {
      const data = makeFolder('petri-data-')
      const first = 'PETRI_API_KEY' in env ? {} : { PETRI_API_KEY: 'sk_us_pinned' }
      await stop((await startPetri(['--data', data], first)).child)
      const refused = await runPetri(['start', '--port', '0', '--data', data], env)
      expect(refused).toMatchObject({ status: 2, stdout: '' })
      expect(refused.stderr).toContain(`${data} has a world with another API key than`)
      expect(refused.stderr).toContain('"petri world key NEW"')
    }
  })

  it('changes the API key of a world, and the old key opens nothing any more', async () => {
    const data = makeFolder('petri-data-')
    const { child, ready } = await startPetri(['--data', data])
    const changed = await runPetri(['world', 'key', 'sk_us_new', '--url', ready.url])
    expect(changed).toMatchObject({ status: 0, stderr: '' })
    const statusOf = async (key: string) =>
      (await fetch(`${ready.url}/v2/user`, { headers: { 'x-vital-api-key': key } })).status
    expect([await statusOf('sk_us_new'), await statusOf('sk_us_petri')]).toEqual([200, 401])
    await stop(child)
    const again = await startPetri(['--data', data], { PETRI_API_KEY: 'sk_us_new' })
    expect(again.before).toEqual([])
    await stop(again.child)
  })

  it('begins anew with --fresh', async () => {
    const { child, ready } = await startPetri(['--data', storedFolder, '--fresh', '--seed', 'red'])
    const headers = { 'x-service-api-key': ready.api_key }
    const world = await (await fetch(`${ready.url}/_petri/world`, { headers })).json()
    expect(world).toMatchObject({ seed: 'red', clock: { frozen: false }, counts: { users: 0 } })
    await stop(child)
    const worlds = await runPetri(['start', '--port', '0', '--data', storedFolder, '--seed', 'blue'])
    expect(worlds.stderr).toContain('--seed (it is red)')
  })

  it('refuses a variable that it does not know, naming the nearest', async () => {
    const variable = await petri(['start'], { PETRI_WEBHOKS_URL: 'http://127.0.0.1:1' })
    expect(variable).toMatchObject({ status: 2, stdout: '' })
    expect(variable.stderr).toBe('There is no setting PETRI_WEBHOKS_URL. Did you mean "PETRI_WEBHOOK_URL"?\n')
  })
})

describe('petri', () => {
  it('tells its version and what it can do', { tags: 'slow' }, async () => {
    expect(await petri(['--version'])).toMatchObject({ status: 0, stdout: `${version.petri}\n` })
    const help = await petri(['--help'])
    expect(help).toMatchObject({ status: 0, stderr: '' })
    expect((await runPetri(['help'])).stdout).toBe(help.stdout)
    const all = (await runPetri(['help', 'all'])).stdout
    const shown = [...help.stdout.matchAll(/^ {2}petri (\w+)/gm)].map(([, name]) => name)
    expect(shown).toHaveLength(12)
    for (const name of [...shown, 'completion']) expect(all).toMatch(RegExp(`^ {2}${name}\\b`, 'm'))
    expect(help.stdout).not.toContain('completion')
    expect((await runPetri(['start', '--help'])).stdout).toContain('PETRI_WEBHOOK_URL')
    for (const name of ['start', 'order', 'stop'])
      expect(await runPetri(['help', name]), name).toMatchObject({ status: 0, stderr: '' })
  })

  it('knows no shell by a name that every object has', async () => {
    for (const args of [
      ['env', '--shell', 'constructor'],
      ['completion', 'toString'],
    ])
      expect(await runPetri(args)).toMatchObject({ status: 2, stderr: expect.stringContaining('shell') })
  })

  it('shows, tries and checks scenarios without a server', { tags: 'slow' }, async () => {
    const list = await runPetri(['scenario', 'list'])
    expect(list.stdout).toMatch(/problem-in-transit-customer +00112/)
    const tried = await runPetri(['scenario', 'try', 'sample-hemolyzed', '--registrable'])
    expect(tried).toMatchObject({ status: 0, stderr: '' })
    expect(tried.stdout).toContain(
      'received.testkit.testkit_registered  (when the customer registers the kit)',
    )
    expect(tried.stdout).toContain('failed.testkit.sample_error  sample_hemolyzed')
    const shown = await runPetri(['scenario', 'show', 'happy-path'])
    const file = join(makeFolder('petri-scenario-'), 'mine.yaml')
    const mine = shown.stdout.replace('happy-path', 'mine').replace('00100', '00199')
    writeFileSync(file, mine)
    expect(await runPetri(['scenario', 'check', file])).toMatchObject({
      status: 0,
      stdout: `${file}: valid\n`,
    })
    writeFileSync(file, mine.replace('status: transit_customer', 'status: transit_lab'))
    const refused = await runPetri(['scenario', 'check', file])
    expect(refused).toAnswer(1)
    expect(refused.stdout).toMatch(
      /mine\.yaml:\d: step 2: .*cannot become transit_lab; legal: transit_customer, cancelled/,
    )
  })

  it('reads standard input, and ends quietly when nobody reads on', { tags: 'slow' }, async () => {
    const { child, ready } = await startPetri()
    const petriIn = `'${process.execPath}' '${main}'`
    const script = `${petriIn} state export | ${petriIn} state import - --json; ${petriIn} --help | head -n 1; echo "\${PIPESTATUS[0]}"`
    const env = { PATH: process.env.PATH ?? '', PETRI_URL: ready.url }
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { env, encoding: 'utf8', stdio: [...stdio] })
    await stop(child)
    expect(stderr).toBe('')
    expect(stdout).toContain(ready.api_key)
    expect(stdout).toMatch(/\nUsage: petri .*\n0\n$/)
  })

  it('probes a running Petri for containers', { tags: 'slow' }, async () => {
    const port = await freePort()
    const { child, ready } = await startPetri(['--port', port])
    expect(await petri(['health', '--url', ready.url])).toAnswer(0)
    expect(await petri(['health'], { PETRI_PORT: port })).toAnswer(0)
    await stop(child)
    const gone = await petri(['health', '--url', ready.url])
    expect(gone).toAnswer(1)
    expect(gone.stderr).toContain(`No answer from ${ready.url}`)
  })
})

describe('a stack that the command line prints', () => {
  it('names the sources, not the bundle', () => {
    const thrown = 'throw new TypeError'
    const chunks = new URL('../../dist/chunks/', import.meta.url)
    const bundle = readdirSync(chunks)
      .map((name) => new URL(name, chunks))
      .find(
        ({ pathname }) => /chunk-.*\.js$/.test(pathname) && readFileSync(pathname, 'utf8').includes(thrown),
      )
    if (!bundle) expect.fail('no chunk throws a TypeError')
    const before = readFileSync(bundle, 'utf8').split(thrown)[0]?.split('\n') ?? []
    const place = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
    const error = { stack: `TypeError: x\n    at instantOf (${fileURLToPath(bundle)}:${place})` }
    expect(stackOf(error)).toMatch(/^TypeError: x\n {4}at instantOf \([\w@/.-]+\.m?[jt]s:\d+:\d+\)$/)
    const elsewhere = { stack: 'Error: y\n    at /nowhere/x.js:1:1' }
    expect(stackOf(elsewhere)).toBe(elsewhere.stack)
    expect(stackOf('text')).toBe('text')
  })
})
