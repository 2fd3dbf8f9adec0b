import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { callLogger, createLog } from '../../src/cli/log.ts'
import { createCallLog } from '../../src/control/call-log.ts'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { openNetwork } from '../support/open-network.ts'

openNetwork()

let started: Started | undefined
afterEach(async () => {
  if (started) await stop(started.child)
  started = undefined
})

/** Makes calls of a Petri of its own; answers the lines that its log has of them, and the answers. */
async function logOf(
  flags: string[],
  paths: readonly (readonly [method: string, path: string, body?: object | undefined, headers?: object])[],
) {
  started = await startPetri(flags)
  const { child, ready } = started
  const lines: string[] = []
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => lines.push(line))
  const key = { 'x-service-api-key': ready.api_key, 'content-type': 'application/json' }
  for (const [method, path, body, headers = key] of paths) {
    const response = await fetch(`${ready.url}${path}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body && { body: JSON.stringify(body) }),
    })
    await response.text()
  }
  await stop(child)
  started = undefined
  return { lines: lines.filter((line) => !line.includes('Stopping')), ready }
}

const order = { client_user_id: 'ada', nickname: 'the first', profile: { shoe: 40 } }

describe('the log of calls', () => {
  it('has one line a call: method, path, status, time, world, and the fields that nobody reads', {
    tags: 'slow',
  }, async () => {
    const { lines } = await logOf(
      [],
      [
        ['POST', '/v2/user?dry_run=1', order],
        ['GET', '/v2/user'],
        ['GET', '/v9/nothing'],
        ['POST', '/_petri/clock/advance', { by: '1s' }],
        ['GET', '/v2/user', undefined, {}],
      ],
    )
    const world = { world: 'Petri', team_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }
    const line = {
      time: expect.any(String),
      level: 'info',
      message: 'call',
      request_id: expect.stringMatching(/^req_/),
      ms: expect.any(Number),
      ...world,
    }
    expect(lines.map((each) => JSON.parse(each))).toEqual([
      {
        ...line,
        operation: 'user_create',
        method: 'POST',
        path: '/v2/user?dry_run=1',
        status: 200,
        ignored: ['query.dry_run', 'body.nickname', 'body.profile'],
      },
      { ...line, operation: 'user_get_all', method: 'GET', path: '/v2/user', status: 200, ignored: [] },
      {
        ...line,
        level: 'warn',
        operation: null,
        method: 'GET',
        path: '/v9/nothing',
        status: 404,
        detail: 'nearest GET /v3/orders',
        ignored: [],
      },
      {
        ...line,
        operation: 'petri_clock_advance',
        method: 'POST',
        path: '/_petri/clock/advance',
        status: 200,
        ignored: [],
      },
      {
        ...line,
        level: 'warn',
        operation: 'user_get_all',
        method: 'GET',
        path: '/v2/user',
        status: 401,
        detail: expect.stringMatching(/^Missing /),
        ignored: [],
        world: null,
        team_id: null,
      },
    ])
  })

  it('leaves out health checks and what the page looks at, not what it changes', {
    tags: 'slow',
  }, async () => {
    const page = {
      'x-service-api-key': 'sk_us_petri',
      'content-type': 'application/json',
      'x-petri-aside': '1',
    }
    const check = { source: 'name: mine' }
    const { lines } = await logOf(
      [],
      [
        ['GET', '/_petri/health', undefined, {}],
        ['GET', '/v2/user', undefined, page],
        ['GET', '/_petri/orders', undefined, page],
        ['POST', '/_petri/scenarios/check', check, page],
        ['GET', '/_petri/', undefined, {}],
        ['POST', '/_petri/scenarios/check', check],
        ['POST', '/_petri/clock/advance', { by: '1s' }, page],
      ],
    )
    expect(lines.map((each) => JSON.parse(each).path)).toEqual([
      '/_petri/scenarios/check',
      '/_petri/clock/advance',
    ])
  })

  it.each(['error', 'silent'] as const)('is not made at all with --log %s', (level) => {
    const log = createLog({ level, format: 'json' }, { write: () => expect.fail('written') })
    expect(callLogger(log)).toBeUndefined()
  })

  it('tells no secret, wherever it stands', { tags: 'slow' }, async () => {
    const { lines, ready } = await logOf(
      ['--webhook-secret', `whsec_${btoa('s'.repeat(24))}`],
      [
        ['GET', '/v2/user?token=abc123secret&api_key=sk_us_petri'],
        ['GET', '/v2/user?q=sk_us_another-key'],
        [
          'POST',
          '/v2/user',
          { client_user_id: 'x', sk_us_field_key: 1, [`whsec_${btoa('s'.repeat(24))}`]: 2 },
        ],
        ['POST', '/_petri/webhooks/endpoints', { url: 'http://user:hunter22@127.0.0.1:9/hook' }],
      ],
    )
    expect(lines).toHaveLength(4)
    for (const secret of ['abc123secret', 'another-key', ready.api_key, 'field_key', 'whsec_', 'hunter22'])
      expect(lines.join('\n')).not.toContain(secret)
  })

  it('outlives its reader', { tags: 'slow' }, async () => {
    started = await startPetri()
    const { child, ready } = started
    child.stdout?.destroy()
    const headers = { 'x-service-api-key': ready.api_key }
    for (let call = 0; call < 3; call++) {
      expect(await fetch(`${ready.url}/v2/user`, { headers })).toAnswer(200)
      await fetch(`${ready.url}/_petri/wait`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ request: { operation: 'GET /v2/user' }, times: 100, timeout: '100ms' }),
      })
    }
    expect(child.exitCode).toBeNull()
  })
})

describe('lines of the log on a terminal', () => {
  const call = {
    at: Date.UTC(2026, 0, 5, 9),
    requestId: 'req_1',
    operation: 'lab_tests_create_order',
    method: 'POST',
    path: '/v3/order',
    status: 200,
    detail: undefined,
    ms: 3,
    world: 'Checkout',
    teamId: '4a29dbc7-6db3-4c83-bfac-70a20a4be1b2',
    ignored: [] as string[],
  }
  const readable = (change: Partial<typeof call>) => {
    const lines: string[] = []
    const log = createLog({ level: 'info', format: 'pretty' }, { write: (text) => lines.push(text) })
    callLogger(log)?.([{ ...call, ...change }])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
    return lines.join('').replace(/\u001b\[\d+m/g, '')
  }

  it('are made to be read', () => {
    expect(readable({})).toBe('09:00:00 POST /v3/order 200 3 ms  Checkout\n')
    expect(readable({ world: 'Petri' })).toBe('09:00:00 POST /v3/order 200 3 ms  Petri 4a29dbc7\n')
    expect(readable({ ignored: ['body.a', 'query.b'] })).toBe(
      '09:00:00 POST /v3/order 200 3 ms  Checkout  ignored fields: body.a, query.b\n',
    )
  })

  it('hold no control characters of a client, and are never long', () => {
    expect(readable({ ignored: ['body.\u001b[2J\n', ...Array(20).fill('body.x')] })).toContain(
      'ignored fields: body. [2J , body.x, body.x, body.x, body.x, body.x, body.x, body.x, 13 more',
    )
    expect(readable({ path: `/${'a'.repeat(5000)}` }).length).toBeLessThan(300)
  })

  it('are left out while nobody reads them, and counted', () => {
    const lines: string[] = []
    const output = { write: (text: string) => lines.push(text), writableLength: 0 }
    const log = createLog({ level: 'info', format: 'json' }, output)
    output.writableLength = 2 ** 21
    log.writeLines(['one', 'two'])
    expect(lines).toEqual([])
    output.writableLength = 0
    log.writeLines(['three'])
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', calls: 2 })
    expect(lines[1]).toBe('three\n')
  })
})

describe('the reason of a failed call', () => {
  const answered = {
    ...{ operation: undefined, ordinal: 1, world: undefined, method: 'GET', url: '/v3/orderz', bodyText: '' },
    ...{ startedAt: 0, durationMs: 1 },
  }
  const reasonOf = (status: number, response: unknown, nearest: string[] = []) => {
    const details: (string | undefined)[] = []
    const log = createCallLog((calls) => void details.push(...calls.map(({ detail }) => detail)))
    log.add({ ...answered, status, responseText: JSON.stringify(response), nearest })
    log.flush()
    return details[0]
  }
  const missing = (field: string) => ({ type: 'missing', loc: ['body', field], msg: 'Field required' })

  it.each([
    ['the detail', 401, { detail: 'Missing x-vital-api-key' }, [], 'Missing x-vital-api-key'],
    [
      'the nearest route of an unknown path',
      404,
      { detail: 'Not Found' },
      ['GET /v3/orders', 'GET /v3/order'],
      'nearest GET /v3/orders',
    ],
    ['the field of a 422', 422, { detail: [missing('user_id')] }, [], 'body.user_id: Field required'],
    [
      'the first of several',
      422,
      { detail: [missing('a'), missing('b'), missing('c')] },
      [],
      'body.a: Field required (+2)',
    ],
    [
      'the line of a file',
      422,
      { detail: [{ loc: ['body', 'steps', 0], msg: 'is wrong', ctx: { file: 'mine.yaml', line: 3 } }] },
      [],
      'mine.yaml:3: is wrong',
    ],
    ['the response, if it has none', 400, { error: 'no' }, [], '{"error":"no"}'],
  ] as const)('is %s', (_, status, response, nearest, reason) => {
    expect(reasonOf(status, response, [...nearest])).toBe(reason)
  })

  it('is not given for a redirect or a success', () => {
    expect([200, 307, 399].map((status) => reasonOf(status, { detail: 'x' }))).toEqual(
      Array(3).fill(undefined),
    )
  })
})

describe('with the level "warn"', () => {
  const call = { at: 0, requestId: 'req_1', operation: null, method: 'GET', path: '/', ms: 1 }
  const line = (status: number, detail?: string) => {
    const lines: string[] = []
    const log = createLog({ level: 'warn', format: 'json' }, { write: (text) => lines.push(text) })
    callLogger(log)?.([{ ...call, status, detail, world: null, teamId: null, ignored: [] }])
    return lines.map((each) => JSON.parse(each))
  }

  it('refused calls are logged, and others are not', () => {
    expect(line(200)).toEqual([])
    expect(line(401)).toMatchObject([{ level: 'warn', status: 401 }])
    expect(line(404)).toMatchObject([{ level: 'warn', status: 404 }])
  })

  it('a call that could not be stored says why', () => {
    expect(line(507, 'The disk is full')).toMatchObject([{ level: 'warn', detail: 'The disk is full' }])
  })
})
