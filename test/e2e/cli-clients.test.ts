import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { wholeProgram } from '../../src/cli/program.ts'
import { readableInstant } from '../../src/kernel/readable.ts'
import { main, type Started, startPetri, stop } from '../support/cli.ts'
import { cliSession, runPetri } from '../support/cli-in-process.ts'
import { field } from '../support/field.ts'
import { listening } from '../support/listening.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { useFakeTimers, useRealTimers, withoutWaiting } from '../support/timing.ts'

openNetwork()

const START = '2026-01-05T09:00:00Z'

let started: Started
let url: string
beforeAll(async () => {
  started = await startPetri(['--frozen', '--now', START])
  url = started.ready.url
})
afterAll(() => stop(started.child))
beforeEach(async () => {
  await run('reset')
  await run('world', 'features', 'redraws=default')
})

const { run, call, json, orderKit } = cliSession(() => url)

describe('petri clock', { tags: 'slow' }, () => {
  it('shows and moves the clock, and tells what happened on the way', async () => {
    const id = await orderKit()
    expect((await run('clock')).stdout).toBe(
      '5 Jan 2026 09:00:00  frozen\n1 pending job, the next at 6 Jan 2026 09:00:00\n',
    )
    const { stdout } = await run('clock', 'advance', '1d')
    expect(stdout).toContain(`${id.slice(0, 8)}  collecting_sample.testkit.transit_customer`)
    expect(await json('clock', 'advance', '--to', '2026-01-07T09:00:00Z')).toMatchObject({
      now: '2026-01-07T09:00:00.000Z',
      effects: [],
    })
    expect(await json('clock', 'set', '2026-01-07T10:00:00Z')).toMatchObject({
      now: '2026-01-07T10:00:00.000Z',
    })
    expect(await json('clock', 'pace', '60')).toMatchObject({ pace: 60 })
    expect(await json('clock', 'run')).toMatchObject({ frozen: false })
    expect((await run('clock', 'freeze')).stdout).toContain('frozen')
    expect(await json('clock', 'advance', '--until', 'idle')).toMatchObject({ pending: 0, next_due: null })
  })

  it('ends with 1 where Petri refuses, and with 2 for a usage error', async () => {
    const back = await run('clock', 'set', '2020-01-01')
    expect(back).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('cannot be set back'),
    })
    const told = await run('clock', 'set', '2020-01-01', '--json')
    expect(JSON.parse(told.stderr)).toMatchObject({ status: 400, detail: expect.stringContaining('cannot') })
    expect(await run('clock', 'advance')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--until'),
    })
    expect(await run('clock', 'pace', 'fast')).toAnswer(2)
    expect(await run('clock', 'stop')).toAnswer(2)
    expect(await run('clock', '--frist')).toAnswer(2)
  })
})

describe('petri order', { tags: 'slow' }, () => {
  it('places an order for a made-up patient, by scenario or by ZIP code', async () => {
    const placed = await json('order', 'place', '--scenario', 'walk-in-no-show')
    expect((await json('order', 'show', placed.id)).scenario).toMatchObject({ scenario: 'walk-in-no-show' })
    const again = await run('order', 'place', '--zip', '00112', '--user', placed.user_id)
    expect(again.stdout).toContain('received.testkit.ordered')
  })

  it('warns at once that a scenario has no steps for the kind of kit', async () => {
    await call('PUT', '/_petri/scenarios/one-kind', {
      ...{ name: 'one-kind', summary: 'x', method: 'testkit' },
      steps: [{ after: '1h', status: 'requisition_created', only: 'registered_kit' }],
    })
    const place = ['order', 'place', '--scenario', 'one-kind']
    const reason = 'This kit is registered later, and all steps of the scenario one-kind'
    expect((await run(...place, '--registrable')).stdout).toContain(`\nwarning: ${reason}`)
    expect((await json(...place, '--registrable')).warning).toContain(reason)
    expect((await run(...place)).stdout).not.toContain('warning')
  })

  it('shows an order, moves it, and tells the legal moves where it cannot', async () => {
    const id = await orderKit()
    expect((await run('order', 'show', id)).stdout).toContain(
      'scenario happy-path: next collecting_sample.testkit.transit_customer at 6 Jan 2026 09:00:00',
    )
    const illegal = await run('order', 'move', id, 'completed')
    expect(illegal).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/Legal from here: .*transit_customer/),
    })
    const moved = await json('order', 'move', id, 'completed', '--force')
    expect(moved.last_event.status).toBe('completed.testkit.completed')
    const shown = await json('order', 'show', id)
    expect(shown).toMatchObject({ order: { id }, scenario: { left_because: 'the order was moved manually' } })
    expect(await run('order', 'show', '00000000-0000-4000-8000-000000000000')).toAnswer(1)
  })
})

describe('petri world and reset', () => {
  it('makes a world with a key of its own, and drops it', { tags: 'slow' }, async () => {
    const made = await json('world', 'new', '--frozen', '--name', 'test 7', '--seed', 'blue', '--now', START)
    expect(made).toMatchObject({ name: 'test 7', seed: 'blue', clock: { frozen: true } })
    const own = await runPetri(['world', '--url', url, '--api-key', made.api_key, '--json'])
    expect(JSON.parse(own.stdout)).toEqual(made)
    expect((await run('world', 'list')).stdout).toContain(`${made.team_id}  test 7`)
    expect(await run('world', 'drop', made.team_id)).toAnswer(0)
    expect(await run('world', 'drop', made.team_id)).toAnswer(1)
    const gone = await runPetri(['clock', '--url', url, '--api-key', made.api_key])
    expect(gone).toMatchObject({ status: 1, stderr: expect.stringContaining('--api-key') })
  })

  it('sets features, and puts all back to birth', { tags: 'slow' }, async () => {
    await orderKit()
    expect((await run('world', 'features', 'redraws=true')).stdout).toMatch(/^redraws +true$/m)
    expect(await run('world', 'features', 'redraws')).toAnswer(2)
    expect(await json('reset', '--seed', '7')).toMatchObject({ seed: '7', counts: { orders: 0 } })
    await run('reset', '--seed', '1')
  })
})

interface Listener {
  readonly child: ChildProcess
  readonly url: string
  /** The next line it prints. */
  next(): Promise<string>
  /** Settles when it has ended, also when it ended before anybody asked. */
  readonly closed: Promise<unknown>
}

async function listen(...args: string[]): Promise<Listener> {
  const child = spawn(process.execPath, [main, 'listen', '--port', '0', ...args], {
    env: { PATH: process.env.PATH ?? '', PETRI_URL: url },
  })
  const closed = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value as string
  const [there = ''] = /http:\/\/[^\s"]+/.exec(await next()) ?? []
  return { child, url: there, next, closed }
}

describe('petri webhook', { tags: 'slow' }, () => {
  it('listen prints what is genuine and what is not, once a webhook fault makes it wrong', async () => {
    const listener = await listen('--add')
    const id = await orderKit()
    expect(await listener.next()).toMatch(
      new RegExp(
        `^[\\d:]{8}  labtest\\.order\\.created  received\\.testkit\\.ordered  ${id}  msg_\\w+  200  verified$`,
      ),
    )
    await listener.next()
    const tracking = { event_type: 'labtest.order_tracking.updated', data: { order_id: id } }
    await fetch(listener.url, { method: 'POST', body: JSON.stringify(tracking) })
    expect(await listener.next()).toMatch(
      new RegExp(`  labtest\\.order_tracking\\.updated  -  ${id}  -  401  REFUSED`),
    )
    await run('webhook', 'faults', '--bad-signature', '--duplicate', '1')
    await run('clock', 'advance', '--until', 'next')
    expect(await listener.next()).toMatch(/transit_customer .* 401 {2}REFUSED: no signature matches/)
    await run('webhook', 'faults', '--stale-timestamp')
    await run('clock', 'advance', '5s')
    expect(await listener.next()).toMatch(/REFUSED: svix-timestamp is 60\d s old/)
    await run('webhook', 'faults', '--duplicate', '1')
    await run('clock', 'advance', '5m')
    expect(await listener.next()).toMatch(/200 {2}verified$/)
    expect(await listener.next()).toMatch(/200 {2}again {2}verified$/)
    expect(await json('webhook', 'faults')).toMatchObject({ duplicate: 1, bad_signature: false })
    expect((await run('webhook', 'faults', '--off')).stdout).toBe('to all endpoints: no webhook faults\n')
    expect((await run('webhook', 'endpoints')).stdout).toContain(listener.url)
    expect(await stop(listener.child)).toBe(0)
    expect(await json('webhook', 'endpoints')).toMatchObject({ data: [] })
  })

  it('listen answers as it is told, prints JSON, and stops after so many', async () => {
    const listener = await listen('--status', '503', '--json', '--count', '1')
    await run('webhook', 'add', listener.url, '--type', 'labtest.order.created')
    await orderKit()
    const delivery = JSON.parse(await listener.next())
    expect(delivery).toMatchObject({ refused: null, again: false, answered: 503 })
    expect(delivery.payload.event_type).toBe('labtest.order.created')
    await listener.closed
    expect(listener.child.exitCode).toBe(0)
    const { data } = await json('webhook', 'messages', '--status', 'pending')
    expect(data).toMatchObject([{ attempts: [{ status: 503 }] }])
  })

  it('says why a receiver gets nothing, and retries and enables when asked', async () => {
    const { id } = await json('webhook', 'add', 'http://127.0.0.1:1/hook')
    await orderKit()
    await run('clock', 'advance', '1s')
    const [message] = (await json('webhook', 'messages', '--status', 'failing')).data
    const list = (await run('webhook', 'messages', '--status', 'failing')).stdout
    expect(list).toContain(readableInstant(message.next_attempt_at))
    expect(list).toContain('Connection refused: nothing listens at 127.0.0.1:1')
    expect((await run('webhook', 'resend', message.id.slice(0, 12))).stdout).toBe(
      'Sending 1 message again.\n',
    )
    expect(await json('webhook', 'resend', '--endpoint', id)).toEqual({ resent: 2 })
    await run('clock', 'advance', '5m')
    expect((await run('webhook', 'show', message.id)).stdout).toMatch(/#1 .*\n#2 .* after .*\n/)
    expect((await run('webhook', 'disable', id)).stdout).toContain('disabled')
    expect((await run('webhook', 'endpoints')).stdout).toContain(
      `${id} is disabled: Disabled by a call or on the page. Enable it: npx petri-sandbox webhook enable ${id}`,
    )
    expect((await run('webhook', 'resend')).stdout).toContain('is disabled; enable it first.')
    expect((await run('webhook', 'enable', id)).stdout).toContain('enabled')
    await run('webhook', 'remove', id)
  })

  it('shows calls with a wrong key, which reach no world', async () => {
    expect((await run('requests', 'refused')).stdout).toBe('No calls without a valid key.\n')
    await fetch(`${url}/v2/user`, { headers: { 'x-service-api-key': 'sk_us_wrong' } })
    expect((await run('requests', 'refused')).stdout).toMatch(/401 +invalid token +GET \/v2\/user\n/)
  })

  it('shows what has failed, sends it again, and forgets an endpoint', async () => {
    const { id } = await json('webhook', 'add', 'http://127.0.0.1:1/hook')
    await orderKit()
    await run('clock', 'advance', '2d')
    const failed = await run('webhook', 'messages', '--status', 'failed')
    expect(failed.stdout).toMatch(/msg_\w{27} {2}failed {2}8x +labtest\.order\.created/)
    expect(await json('webhook', 'resend', '--since', START)).toEqual({ resent: expect.any(Number) })
    const rotated = await json('webhook', 'rotate', id)
    expect(rotated.previous_secrets).toHaveLength(1)
    expect(await run('webhook', 'remove', id)).toAnswer(0)
    expect(await run('webhook', 'remove', id)).toAnswer(1)
    expect(await run('webhook', 'show', 'msg_no')).toAnswer(1)
    expect((await run('webhook', 'faults', '--drop-first', '9')).stderr).toContain('drop_first: ')
    expect(await run('webhook', 'faults', '--off', '--burst', '2')).toAnswer(2)
    expect(await run('listen', '--status', 'ok')).toAnswer(2)
    for (const flags of [['--add'], ['--port', '0']]) {
      const { status, stderr } = await run('listen', '--forward-to', 'http://127.0.0.1:9/', ...flags)
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining(`cannot be used with option '${flags[0]}`),
      ])
    }
  })
})

describe('petri env', () => {
  it('prints what a shell evaluates, and the commands after it find Petri by that', {
    tags: 'slow',
  }, async () => {
    const { stdout } = await run('env')
    const script = `${stdout}\nnode ${main} clock --json`
    const evaluated = spawnSync('sh', ['-c', script], {
      env: { PATH: process.env.PATH ?? '' },
      encoding: 'utf8',
    })
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ frozen: true })
    expect(await json('env')).toMatchObject({
      PETRI_URL: url,
      PETRI_WEBHOOK_SECRET: started.ready.webhook_secret,
      VITAL_API_KEY: 'sk_us_petri',
    })
    expect((await run('env', '--shell', 'fish')).stdout).toContain(`set -gx PETRI_URL '${url}'`)
    expect(await run('env', '--shell', 'cmd')).toAnswer(2)
    const early = await runPetri(['env'], { PETRI_PORT: '1' })
    expect(early).toMatchObject({ status: 0, stderr: expect.stringContaining('No Petri answers') })
    expect(await runPetri(['clock'], { PETRI_PORT: '0' })).toAnswer(2)
    expect(await runPetri(['clock'], { PETRI_URL: 'localhost' })).toAnswer(2)
  })
})

describe('petri doctor', () => {
  const findings = async (env: Record<string, string>) => {
    const { status, stdout } = await runPetri(['doctor', '--json'], { PETRI_DATA: 'memory', ...env })
    const of = (check: string) =>
      JSON.parse(stdout).find((finding: { check: string }) => finding.check === check)
    return { status, of }
  }
  let stranger: Server
  let port: string
  beforeAll(async () => {
    stranger = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    port = String((stranger.address() as { port: number }).port)
  })
  afterAll(() => void stranger.close())

  it('finds a running Petri, and whether its receivers can be reached', async () => {
    await run('webhook', 'add', 'http://127.0.0.1:1/hook')
    const { status, of } = await findings({ PETRI_URL: url })
    expect(status).toBe(1)
    expect(of('address')).toMatchObject({ verdict: 'fine', detail: expect.stringContaining('answers at') })
    expect(of('webhooks')).toMatchObject({
      verdict: 'wrong',
      detail: expect.stringContaining('nothing listens'),
    })
  })

  it('tells who has the port, and what can never be a receiver', async () => {
    const { status, of } = await findings({
      PETRI_PORT: port,
      PETRI_WEBHOOK_URL: 'http://169.254.169.254/latest',
    })
    expect(status).toBe(1)
    expect(of('address')).toMatchObject({ verdict: 'wrong', detail: expect.stringContaining('is taken by') })
    if (process.platform === 'linux') expect(of('address').detail).toContain(`process ${process.pid}`)
    expect(of('webhooks').detail).toContain('never called')
  })

  it('looks into the data folder', { tags: 'slow' }, async () => {
    const data = makeFolder('petri-doctor-')
    const free = { PETRI_PORT: '1', PETRI_DATA: data, PETRI_HOST: '127.0.0.1' }
    const other = await startPetri(['--data', data])
    const held = await findings(free)
    expect(held.of('data')).toMatchObject({
      verdict: 'wrong',
      detail: expect.stringContaining('another Petri'),
    })
    await stop(other.child)
    expect((await findings(free)).of('data')).toMatchObject({
      verdict: 'fine',
      detail: expect.stringContaining('intact'),
    })
    const [team] = (await import('node:fs')).readdirSync(join(data, 'worlds'))
    writeFileSync(join(data, 'worlds', String(team), 'world.json'), '{"torn')
    expect((await findings(free)).of('data')).toMatchObject({
      verdict: 'wrong',
      detail: expect.stringContaining('world.json'),
    })
    rmSync(data, { recursive: true })
  })
})

describe('petri completion', { tags: 'slow' }, () => {
  const complete = async (...words: string[]): Promise<string[]> =>
    JSON.parse((await run('complete', '--json', '--', ...words)).stdout).map(field('word'))

  it('knows commands and flags at every depth', async () => {
    expect(await complete('cl')).toEqual(['clock'])
    expect(await complete('webhook', '')).toEqual(expect.arrayContaining(['messages', 'faults']))
    expect(await complete('webhook', 'faults', '--du')).toEqual(['--duplicate'])
    expect(await complete('')).not.toContain('complete')
  })

  it('knows scenarios, worlds, event types, operations, ids and statuses', async () => {
    // The time that a completion waits for Petri does not pass.
    useFakeTimers('setTimeout', 'clearTimeout')
    onTestFinished(() => void useRealTimers())
    const id = await orderKit('completion')
    const { team_id, api_key } = await json('world')
    expect(await complete('scenario', 'try', 'walk-in-no-')).toEqual(['walk-in-no-answer', 'walk-in-no-show'])
    expect(await complete('start', '--scenario', 'provider-out')).toEqual(['provider-outage-and-recovery'])
    expect(await complete('trigger', 'labtest.order.')).toContain('labtest.order.created')
    expect(await complete('webhook', 'add', 'URL', '--type', 'labtest.order.c')).toEqual([
      'labtest.order.created',
    ])
    expect(await complete('faults', 'add', 'testkit_')).toContain('testkit_create_order')
    expect(await complete('wait', 'request', 'testkit_create_order', 'testkit_c')).toContain(
      'testkit_create_order',
    )
    expect(await complete('world', 'drop', team_id.slice(0, 4))).toEqual([team_id])
    expect(await complete('order', 'list', '--api-key', api_key.slice(0, -1))).toContain(api_key)
    expect(await complete('order', 'move', id.slice(0, 8))).toEqual([id])
    expect(await complete('order', 'move', id, 'los')).toEqual(['lost'])
    expect(await complete('order', 'show', '--url', 'http://127.0.0.1:1', id.slice(0, 8))).toEqual([])
  })

  it('gives up a Petri that does not answer, and nothing that takes no Petri', async () => {
    const silent = createServer()
    const nowhere = await listening(silent)
    expect(await withoutWaiting(() => complete('world', 'drop', '--url', nowhere, ''))).toEqual([])
    silent.close()
    const noTime = vi.spyOn(globalThis, 'setTimeout').mockImplementation((act) => {
      act()
      return {} as never
    })
    onTestFinished(() => noTime.mockRestore())
    expect(await complete('scenario', 'try', 'walk-in-no-s')).toEqual(['walk-in-no-show'])
  })

  it('is asked by a script for each shell', async () => {
    const { stdout } = await runPetri(['completion', 'bash'])
    const petri = `petri() { PETRI_URL='${url}' node ${main} "$@"; }`
    const typed = `COMP_WORDS=(petri scenario try walk-in-no-s); COMP_CWORD=3; _petri; echo "\${COMPREPLY[*]}"`
    const env = { PATH: process.env.PATH ?? '' }
    const { stdout: found } = spawnSync('bash', ['-c', `${petri}\n${stdout}\n${typed}`], {
      encoding: 'utf8',
      env,
    })
    expect(found).toBe('walk-in-no-show\n')
    expect((await runPetri(['completion', 'zsh'])).stdout).toContain('compdef _petri petri')
    expect((await runPetri(['completion', 'fish'])).stdout).toContain('complete -c petri')
    expect((await run('complete', '--colons', '--', 'cl')).stdout).toBe(
      'clock:show and move the clock of a world\n',
    )
    expect(await runPetri(['completion', 'tcsh'])).toAnswer(2)
  })

  it('shows that every command prints JSON when asked', async () => {
    const program = await wholeProgram()
    const leaves = (command: Command): Command[] =>
      command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
    const all = leaves(program)
    expect(all.length).toBeGreaterThan(40)
    const without = all.filter(({ options }) => !options.some(({ long }) => long === '--json'))
    expect(without.map((command) => command.name())).toEqual(['start', 'exec', 'mcp'])
  })
})
