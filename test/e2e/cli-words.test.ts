import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columns } from '../../src/terminal/output.ts'
import { type Finished, petri, type Started, startPetri, stop } from '../support/cli.ts'
import { cliSession, runPetri } from '../support/cli-in-process.ts'
import { listening } from '../support/listening.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'

openNetwork()

let started: Started
beforeAll(async () => {
  started = await startPetri(['--frozen', '--now', '2026-01-05T09:00:00Z'])
})
afterAll(() => stop(started.child))

const { run, json, orderKit } = cliSession(() => started.ready.url)

describe('a user', () => {
  it('is refused in words, not in JSON', async () => {
    const create = async (...args: string[]) => (await run('user', 'create', ...args)).stderr
    expect(await create('eve', '--persona', 'athlet')).toBe(
      'There is no persona "athlet". Did you mean "athlete"?\n',
    )
    expect(await create('eve')).toBe('')
    expect(await create('eve')).toBe('Client user id already exists.\n')
  })
})

describe('an order', { tags: 'slow' }, () => {
  it('is named by the beginning of its id, as other commands print it', async () => {
    const id = await orderKit()
    const beginning = id.slice(0, 8)
    expect((await json('order', 'show', beginning)).order.id).toBe(id)
    for (const written of [`${beginning}…`, beginning.toUpperCase(), id.toUpperCase()])
      expect((await run('order', 'show', written)).stdout).toContain(id)
    expect((await json('wait', 'order', beginning, 'ordered')).order.id).toBe(id)
    expect(await run('order', 'scenario', beginning, 'manual')).toAnswer(0)
    expect((await json('order', 'move', beginning, 'cancelled')).last_event.status).toContain('cancelled')
    expect((await run('order', 'list')).stdout).toMatch(/^order +for +status +scenario +next step\n/)
  })

  it('is refused when no id begins so, or several do', async () => {
    const none = await run('order', 'show', '0000000000')
    expect(none).toMatchObject({ status: 1, stdout: '' })
    expect(none.stderr).toBe(
      'No order id begins with "0000000000". List ids with `npx petri-sandbox order list`.\n',
    )
    expect((await run('order', 'move', 'my order', 'lost')).stderr).toBe(
      '"my order" is not an order id. List ids with `npx petri-sandbox order list`.\n',
    )
    const ids: string[] = []
    for (let count = 0; count < 17; count++) ids.push(await orderKit(`user ${count}`))
    const twice = [...'0123456789abcdef'].find((digit) => ids.filter((id) => id.startsWith(digit)).length > 1)
    expect((await run('order', 'show', twice ?? '')).stderr).toMatch(/^\d+ order ids begin with "."/)
  })
})

/** Prints the messages of a Petri that answers with these lists. */
async function printMessages(lists: { readonly sent: object; readonly unsent: object }) {
  const elsewhere = createServer(({ url = '' }, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(url.includes('no_endpoint') ? lists.unsent : lists.sent)),
  )
  const url = await listening(elsewhere)
  const printed = await runPetri(['webhook', 'messages'], { PETRI_URL: url })
  elsewhere.close()
  return printed
}

const messageOf = (id: string) => ({
  id,
  created_at: '2026-01-05T09:00:00Z',
  status: 'pending',
  attempt_count: 1,
  marks: [],
  next_attempt_at: null,
  event_type: 'labtest.order.created',
  order_id: null,
  last_error: null,
  last_advice: null,
})

describe('the hint of a failed delivery', () => {
  it('is printed once below a list, not with each message', async () => {
    const hint = 'Petri runs in a container, where localhost is the container itself'
    const failure = { last_error: 'Connection refused: nothing listens at localhost:3000', last_advice: hint }
    const data = ['msg_1', 'msg_2', 'msg_3'].map((id) => ({ ...messageOf(id), ...failure }))
    const { stdout } = await printMessages({
      sent: { data, next_cursor: null },
      unsent: { data: [], next_cursor: null },
    })
    expect(stdout.match(/nothing listens at localhost:3000$/gm)).toHaveLength(3)
    expect(stdout.split('\n').filter((line) => line.includes(hint))).toEqual([hint])
  })
})

describe('the events that were sent to no endpoint', () => {
  const unsent = { ...messageOf('msg_unsent'), status: 'no_endpoint' }

  it('are among the messages, if all of both are shown', async () => {
    const { stdout, stderr } = await printMessages({
      sent: { data: [messageOf('msg_1')], next_cursor: null },
      unsent: { data: [unsent], next_cursor: null },
    })
    expect(stdout).toMatch(/msg_1 .*msg_unsent +no endpoint/s)
    expect(stderr).toBe('')
  })

  it('are named below a page of the messages, which has a cursor of its own', async () => {
    const { stdout, stderr } = await printMessages({
      sent: { data: [messageOf('msg_1')], next_cursor: 'c1' },
      unsent: { data: [unsent], next_cursor: null },
    })
    expect(stdout).not.toContain('msg_unsent')
    expect(stdout).toMatch(/more with --cursor c1\n$/)
    expect(stderr).toContain('"npx petri-sandbox webhook messages --status no_endpoint" lists the events')
  })

  it('have pages of their own, where no message was sent', async () => {
    const { stdout, stderr } = await printMessages({
      sent: { data: [], next_cursor: null },
      unsent: { data: [unsent], next_cursor: 'c2' },
    })
    expect(stdout).toMatch(/msg_unsent.*more with --status no_endpoint --cursor c2\n$/s)
    expect(stderr).toBe('')
  })
})

describe('an id', () => {
  it('of any kind may be given by its beginning', { tags: 'slow' }, async () => {
    await orderKit('hopper')
    const [{ id: endpoint }] = [await json('webhook', 'add', 'http://127.0.0.1:1/hook')]
    await orderKit('lovelace')
    const [message] = (await json('webhook', 'messages')).data
    const beginning = message.id.slice(0, 12)
    expect((await json('webhook', 'show', beginning)).id).toBe(message.id)
    expect(await json('webhook', 'resend', `${beginning}…`)).toMatchObject({ resent: 1 })
    expect((await json('webhook', 'messages', '--user', message.user_id.slice(0, 8))).data).not.toEqual([])
    expect((await json('webhook', 'messages', '--endpoint', endpoint.slice(0, 10))).data).not.toEqual([])
    expect(
      (await json('wait', 'message', '--user', message.user_id.slice(0, 8), '--status', 'pending')).messages,
    ).not.toEqual([])
    expect((await json('agenda', message.id.slice(0, 12))).data.length).toBeGreaterThan(0)
    const [call] = (await json('requests', '--limit', '1')).data
    expect((await json('requests', 'show', call.id)).id).toBe(call.id)
    expect((await run('requests', 'show', 'req_')).stderr).toMatch(/^\d+ request ids begin with "req_"/)
    await run('faults', 'add', 'POST /v2/user', '--status', '500', '--times', '1')
    const { faults } = await json('faults', 'add', 'GET /v2/user', '--status', '500', '--times', '1')
    expect((await run('faults', 'remove', faults[1].id)).stdout).toBe(`Removed ${faults[1].id}.\n`)
    expect((await json('faults')).faults).toHaveLength(1)
    await run('faults', 'clear')
    expect((await run('webhook', 'endpoints')).stdout).toMatch(/^endpoint +url +state +events +secret\n/)
    expect(await run('webhook', 'remove', endpoint.slice(0, 10))).toAnswer(0)
    expect(await run('webhook', 'rotate', 'ep_none')).toMatchObject({
      status: 1,
      stderr: 'No endpoint id begins with "ep_none". List ids with `npx petri-sandbox webhook endpoints`.\n',
    })
    const { team_id } = await json('world', 'new', '--seed', 'ids')
    expect((await run('world', 'drop', team_id.slice(0, 8))).stdout).toBe(
      `Deleted the world of team ${team_id}.\n`,
    )
  })
})

describe('the command line', () => {
  it.each([
    [['order', 'list', '--statu', 'x'], 2, /^unknown option '--statu'/],
    [['clock', 'advance'], 2, /^Give exactly one of a duration/],
    [['nonsense'], 2, /^unknown command 'nonsense'/],
    [['webhook'], 2, /missing|^unknown/],
    [['start', '--nonsense'], 2, /^There is no flag --nonsense/],
    [['order', 'show', '0000000000'], 1, /^No order id begins/],
  ])('with --json prints the mistake in %j as JSON', async (args, status, detail) => {
    const failed = await run(...args, '--json')
    expect(failed).toMatchObject({ status, stdout: '' })
    expect(JSON.parse(failed.stderr)).toEqual({ detail: expect.stringMatching(detail) })
  })

  it('leaves no trace among the calls of the program under test', { tags: 'slow' }, async () => {
    const id = await orderKit('grace')
    await run('requests', 'clear')
    const { operations } = await json('coverage')
    await run('order', 'show', id)
    expect((await run('requests')).stdout).toBe(
      'No requests. Calls without a valid key: npx petri-sandbox requests refused\n',
    )
    expect((await json('coverage')).operations).toEqual(operations)
  })

  it('tells what is wrong in its own words', async () => {
    const { status, stderr } = await run('clock', 'advance', 'soon')
    expect(status).toBe(1)
    expect(stderr).not.toContain('Value error')
  })

  it('names the help of the command that was called', async () => {
    const missing = await run('order', 'move')
    expect(missing).toAnswer(2)
    expect(missing.stderr).toContain('(see "npx petri-sandbox order move --help")')
    expect((await run('clock', '--nonsense')).stderr).toContain('(see "npx petri-sandbox clock')
  })
})

describe('a table', () => {
  const rows = [
    ['5f3a', 'collecting_sample.testkit.problem_in_transit_customer', 'happy-path'],
    ['77', 'completed', ''],
  ]
  it('is whole where there is no terminal', () => {
    expect(columns(rows, ['order', 'status', 'scenario'], undefined).split('\n')[1]).toBe(
      '5f3a   collecting_sample.testkit.problem_in_transit_customer  happy-path',
    )
  })

  it('fits a terminal by cutting its widest columns', () => {
    const lines = columns(rows, ['order', 'status', 'scenario'], 40).split('\n')
    expect(lines[1]).toBe('5f3a   collecting_sample.te…  happy-path')
    expect(lines[2]).toBe('77     completed')
  })
})

describe('a folder of scenarios', () => {
  /** Starts with a folder of wrong scenarios under each spelling of its path. */
  async function expectRefused(folder: string, start: (...flags: string[]) => Promise<Finished>) {
    const steps = 'steps:\n  - { after: 1d, status: completed }\n'
    writeFileSync(join(folder, 'wrong.yaml'), `name: wrong\nsummary: x\nmethod: testkit\n${steps}`)
    const flags = ['start', '--port', '0', '--data', 'memory', '--scenarios']
    const { status, stderr } = await start(...flags)
    expect(status).toBe(1)
    expect(stderr).toContain('wrong.yaml:5: step 1')
    rmSync(join(folder, 'wrong.yaml'))
    mkdirSync(join(folder, 'feeds'))
    writeFileSync(join(folder, 'feeds/wrong.yaml'), 'name: other\nsummary: x\nsteps: []\n')
    expect(await start(...flags)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('feeds/wrong.yaml'),
    })
  }

  it.each(['', './', '/'])('is checked at the start when its relative path has "%s"', async (mark) => {
    const folder = makeFolder('petri-scenarios-')
    const path = relative(process.cwd(), folder)
    const spelling = mark === './' ? `${mark}${path}` : `${path}${mark}`
    await expectRefused(folder, (...flags) => runPetri([...flags, spelling]))
  })

  it('is checked at the start when it is the working directory', { tags: 'slow' }, async () => {
    const folder = makeFolder('petri-scenarios-')
    await expectRefused(folder, (...flags) => petri([...flags, '.'], {}, folder))
  })
})
