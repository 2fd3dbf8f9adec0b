import { existsSync, readFileSync } from 'node:fs'
import { deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { readPdf } from '../../src/resources/report-parser/pdf.ts'
import { PdfReader } from '../../src/resources/report-parser/pdf-reader.ts'
import { type Known, methodOf, pathOf, shoot, someRows } from '../support/attack.ts'
import { address, advance, createUser, kitTestId, patient } from '../support/orders.ts'
import { forAllTests, NOBODY, startTestPetri } from '../support/petri.ts'
import { rounds, sampler } from '../support/rounds.ts'
import { countTurns, makeStepsSlow } from '../support/timing.ts'

const bugs: unknown[] = []
const petri = forAllTests(() => startTestPetri({ reportBug: (error) => bugs.push(error) }))
let known: Known
beforeAll(async () => {
  known = await someRows(petri)
})

const fill = (name: string) => known[name] ?? NOBODY
const MEGABYTE = 1024 * 1024

/** Milliseconds of processor time nobody else may be kept waiting for; attacks that work take tens of seconds. */
const LONG_MS = 10_000

/** Sends an attack; it fails in time, without a failure of Petri's own. */
async function fails(
  method: string,
  path: string,
  body?: Parameters<typeof shoot>[3],
  headers: Record<string, string> = {},
) {
  const before = process.cpuUsage()
  const shot = await shoot(petri, method, path, body, headers)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000, `${method} ${path}`).toBeLessThan(LONG_MS)
  expect(bugs.splice(0)).toEqual([])
  expect(shot.status, shot.text.slice(0, 200)).toBeLessThan(500)
  return shot
}

/** Linux keeps the ids of the processes that this one has started in it. */
const CHILDREN = `/proc/self/task/${process.pid}/children`
const childProcesses = (): number[] => readFileSync(CHILDREN, 'utf8').split(' ').filter(Boolean).map(Number)

const journal = async () => JSON.parse((await shoot(petri, 'GET', '/_petri/requests?limit=500')).text).data

describe('a body nested without end', { tags: 'slow' }, () => {
  const nested = (depth: number) => [
    '['.repeat(depth) + ']'.repeat(depth),
    '{"a":'.repeat(depth) + 1 + '}'.repeat(depth),
    `{"client_user_id":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  ]

  it('is no JSON to any operation, and can still be read in the journal', async () => {
    for (const body of [...nested(5000), ...nested(100_000)]) {
      expect(await fails('POST', '/v2/user', body)).toMatchObject({
        status: 422,
        text: expect.stringContaining('json_invalid'),
      })
      const { id } = (await journal()).at(-1)
      expect(await fails('GET', `/_petri/requests/${id}`)).toAnswer(200)
    }
    const isTried = sampler(4)
    for (const operation of petri.petri.operations.filter(({ body, takesForm }) => body && !takesForm)) {
      for (const body of nested(20_000).filter(isTried))
        await fails(methodOf(operation), pathOf(operation, fill), body)
    }
  })

  it('is no scenario', async () => {
    const upload = (scenario: string) =>
      fails('PUT', '/_petri/scenarios/deep', scenario, { 'content-type': 'application/yaml' })
    const bomb = [...'bcdefghij'].map(
      (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[at]}`)}]`,
    )
    for (const scenario of [
      '['.repeat(90_000),
      '{a: '.repeat(60_000),
      '- '.repeat(90_000),
      '-\t'.repeat(90_000),
      '? '.repeat(90_000),
      `a: &a [x]\n${bomb.join('\n')}`,
      '*a '.repeat(80_000),
    ]) {
      const { status, text } = await upload(scenario)
      expect({ status, short: text.length < 100_000 }, scenario.slice(0, 10)).toEqual({
        status: 422,
        short: true,
      })
    }
    expect(await shoot(petri, 'GET', '/_petri/scenarios/deep')).toAnswer(404)
  })
})

describe('a long text', () => {
  it('takes no time to look through for secrets', async () => {
    await fails('POST', '/v2/user', JSON.stringify({ client_user_id: '-eyJ'.repeat(64_000) }))
    const { id } = (await journal()).at(-1)
    expect(await fails('GET', `/_petri/requests/${id}`)).toAnswer(200)
    expect(await fails('GET', '/_petri/state')).toAnswer(200)
  })
})

describe('a form', () => {
  const form = (body: string, type = 'multipart/form-data; boundary=b') =>
    fails('POST', '/lab_report/v1/parser/job', body, { 'content-type': type })
  const unreadable = { status: 400, text: '{"detail":"There was an error parsing the body"}' }
  const part = (name: string, more = '') =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\nx\r\n`

  it('of too many parts is not even taken apart', { tags: 'slow' }, async () => {
    const bombs = [
      part('file', '; filename="a"').repeat(300_000),
      Array.from({ length: 200_000 }, (_, at) => part(`f${at}`)).join(''),
    ]
    for (const bomb of bombs)
      expect(await form(`${bomb}--b--\r\n`)).toMatchObject({
        status: 400,
        text: expect.stringContaining('Too many fields'),
      })
    expect(await form('a&'.repeat(50_000), 'application/x-www-form-urlencoded')).toAnswer(400)
    expect(await form('a&'.repeat(1_000_000), 'application/x-www-form-urlencoded')).toAnswer(413)
  })

  it('with names every object answers to has those for names', async () => {
    const body = `${part('__proto__')}${part('__proto__')}${part('constructor')}--b--\r\n`
    expect(await form(body)).toAnswer(422)
  })

  it('that is cut, empty or garbage is refused, and so is one without a boundary', {
    tags: 'slow',
  }, async () => {
    const whole = `${part('user_id')}${part('file', '; filename="a.pdf"')}--b--`
    const end = whole.length
    for (const body of [
      '',
      'garbage',
      '--b\r\na: b',
      `--b\r\na: ${'x'.repeat(20 * MEGABYTE)}`,
      whole.slice(0, -2),
    ])
      expect(await form(body), body.slice(0, 20)).toMatchObject(unreadable)
    for (let length = 0; length < end; length++)
      expect(await form(whole.slice(0, length)), `${length} of ${end}`).toMatchObject(unreadable)
    expect(await form(whole)).toAnswer(422)
    const answer = await form(part('file').repeat(3), 'multipart/form-data')
    expect(answer).toMatchObject({ status: 400, text: '{"detail":"Missing boundary in multipart."}' })
  })

  it('with a field longer than any text is refused', { tags: 'slow' }, async () => {
    const body = part('file').replace('x', 'x'.repeat(20 * MEGABYTE))
    expect(await form(`${body}--b--\r\n`)).toAnswer(413)
  })

  it('lets other calls have a turn between the pieces of a file', { tags: 'slow' }, async () => {
    const [before, after] = part('file', '; filename="a.pdf"').split('x')
    const body = Buffer.from(`${before}${'x'.repeat(20 * MEGABYTE)}${after}--b--\r\n`)
    makeStepsSlow()
    const turns = await countTurns(
      shoot(petri, 'POST', '/lab_report/v1/parser/job', body, {
        'content-type': 'multipart/form-data; boundary=b',
      }),
    ).finally(() => vi.restoreAllMocks())
    expect(turns).toBeGreaterThan(300)
  })
})

/** A PDF of one page whose content is what is said, packed as often as said. */
function pdfOf(content: Buffer, filters: readonly string[]): Buffer {
  const packed = filters.reduce((bytes) => deflateSync(bytes, { level: 1 }), content)
  const head = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj\n4 0 obj<</Length ${packed.length}/Filter[${filters.map((name) => `/${name}`).join('')}]>>stream\n`
  const tail =
    '\nendstream endobj\nxref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R/Size 5>>\nstartxref\n9\n%%EOF\n'
  return Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)])
}

describe('a report', { tags: 'slow' }, () => {
  const send = async (bytes: Buffer) => {
    const form = new FormData()
    form.set('user_id', known.user_id ?? '')
    form.set('file', new File([new Uint8Array(bytes)], 'r.pdf', { type: 'application/pdf' }))
    const request = new Response(form)
    return fails('POST', '/lab_report/v1/parser/job', await request.arrayBuffer(), {
      'content-type': request.headers.get('content-type') ?? '',
    })
  }

  it('that unpacks to gigabytes is not unpacked', async () => {
    const once = pdfOf(Buffer.alloc(200 * MEGABYTE, 32), ['FlateDecode'])
    const twice = pdfOf(Buffer.from('(x) Tj '.repeat(8 * MEGABYTE)), ['FlateDecode', 'FlateDecode'])
    const before = process.memoryUsage().rss
    for (const bytes of [once, twice]) await send(bytes)
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * MEGABYTE)
  })

  it('that is too large is not read, however it is packed', async () => {
    const large = Buffer.from('q Q '.repeat(2 * MEGABYTE))
    const named = (name: string) =>
      Buffer.from(pdfOf(large, ['X']).toString('latin1').replace('/X', `/${name}`), 'latin1')
    const damaged = Buffer.concat([
      deflateSync(large.subarray(0, 3 * MEGABYTE)).subarray(0, -9),
      Buffer.alloc(9, 7),
    ])
    const many = Buffer.concat(
      Array.from({ length: 9 }, () => [
        Buffer.from('<<>>stream\n'),
        damaged,
        Buffer.from('endstream\n'),
      ]).flat(),
    )
    for (const bytes of [
      pdfOf(large, []),
      named('FlateDecode'),
      named('Flate#44ecode'),
      named('LZWDecode'),
      many,
    ])
      expect(await readPdf(bytes, 30)).toEqual({ failure: 'too_large' })
    const small = pdfOf(Buffer.from('BT ET'), ['FlateDecode'])
    expect(await readPdf(small, 30)).toEqual({ pages: 1, lines: [] })
  })

  const operators = Buffer.from('q Q '.repeat(MEGABYTE - 1))

  it('that takes long to read keeps nobody else waiting', async () => {
    const reading = send(pdfOf(operators, ['FlateDecode']))
    let isRead = false
    const end = reading.then(() => {
      isRead = true
    })
    for (let answered = 0; answered < 5; answered++) {
      expect(await shoot(petri, 'GET', '/_petri/health')).toAnswer(200)
    }
    expect(isRead).toBe(false)
    await end
  })

  // The limit on a report is itself some seconds.
  it('that takes too long or too much memory is given up, and the next one is read', {
    timeout: rounds(60_000),
  }, async () => {
    const start = '%PDF-1.4\n1 0 obj'
    const crafted = {
      time: pdfOf(Buffer.alloc(60 * MEGABYTE, operators), ['FlateDecode/Subtype /Image']),
      arrays: pdfOf(Buffer.alloc(100 * MEGABYTE, 32), ['FlateDecode/Subtype /Image']),
      'a heap of many objects': Buffer.concat([Buffer.from(start), Buffer.alloc(8 * MEGABYTE, '[')]),
      'a heap of one object': Buffer.from(`${start}[${'0 '.repeat(4 * MEGABYTE)}`),
    }
    const reader = new PdfReader({ readMs: 500, heapMiB: 48 })
    for (const [what, bytes] of Object.entries(crafted))
      expect(await reader.read({ bytes, maxPages: 30 }), what).toEqual({ failure: 'too_large' })
    await reader.close()

    const small = new PdfReader()
    expect(await small.read({ bytes: pdfOf(Buffer.from('BT ET'), ['FlateDecode']), maxPages: 30 })).toEqual({
      pages: 1,
      lines: [],
    })
    await small.close()
  })

  it.runIf(existsSync(CHILDREN))('whose process was killed before it came is given up', async () => {
    const reader = new PdfReader()
    const task = { bytes: pdfOf(Buffer.from('BT ET'), ['FlateDecode']), maxPages: 30 }
    const before = childProcesses()
    await reader.read(task)
    for (const pid of childProcesses().filter((each) => !before.includes(each))) process.kill(pid, 'SIGKILL')
    // The process is gone, and no event has told of it yet.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    expect(await reader.read(task)).toEqual({ failure: 'too_large' })
    expect(await reader.read(task)).toEqual({ pages: 1, lines: [] })
    await reader.close()
  })

  it('that speaks in operators every object answers to says nothing by them', async () => {
    const words = ['constructor', 'valueOf', 'hasOwnProperty', 'toString', '__proto__', '__defineGetter__']
    for (const content of [
      `BT ${words.map((word) => `1 2 ${word} (a) Tj`).join(' ')} ET`,
      '('.repeat(2 * MEGABYTE),
      '[<<'.repeat(MEGABYTE),
    ])
      await send(pdfOf(Buffer.from(content), ['FlateDecode']))
  })
})

describe('a packed body', () => {
  it('is not unpacked, however little it is', { tags: 'slow' }, async () => {
    const body = gzipSync(Buffer.alloc(50 * MEGABYTE, 32))
    const { status } = await fails('POST', '/v2/user', body, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    })
    expect(status).toBeGreaterThanOrEqual(400)
  })
})

describe('many keys', () => {
  it('are told of as many mistakes at most as anybody reads', { tags: 'slow' }, async () => {
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]))
    const { status, text } = await fails('POST', '/_petri/worlds', JSON.stringify(keys))
    expect(status).toBe(422)
    expect(text.length).toBeLessThan(MEGABYTE)
    await fails('POST', '/v2/user', JSON.stringify({ client_user_id: 'many-keys', ...keys }))
    const { id } = (await journal()).at(-1)
    expect(await fails('GET', `/_petri/requests/${id}`)).toAnswer(200)
  })
})

describe('endless different texts', () => {
  it('that look like error codes are counted only so far', { tags: 'slow' }, async () => {
    for (let call = 0; call < 60; call++) {
      const types = Array.from({ length: 100 }, (_, at) => ({ type: `made_up_${call}_${at}` }))
      await fails('POST', '/v2/user', JSON.stringify({ client_user_id: types }))
    }
    expect(petri.world().agenda.counters.get('error').size).toBeLessThanOrEqual(2000)
  })

  it('as idempotency keys are forgotten once they are over', async () => {
    const fresh = await startTestPetri()
    const user = await createUser(fresh)
    const order = {
      user_id: user,
      lab_test_id: await kitTestId(fresh),
      patient_details: patient,
      patient_address: address,
    }
    const place = (key: string) =>
      shoot(fresh, 'POST', '/v3/order', JSON.stringify(order), { 'x-idempotency-key': key })
    for (let call = 0; call < 5; call++) expect(await place(`key-${call}`)).toAnswer(200)
    await advance(fresh, '60d')
    for (let call = 5; call < 10; call++) await place(`key-${call}`)
    expect((await fresh.world().db.copy()).get('first_replies')?.size).toBe(5)
    await fresh.close()
  })
})
