import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, hasBrowser, KEY, type Stage, setStage } from './browser.ts'
import { placeKit, type Receiver, startReceiver } from './scene.ts'

const run = promisify(execFile)

describe.skipIf(!hasBrowser)('webhooks and requests', { timeout: 60_000 }, () => {
  let stage: Stage
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    stage = await setStage()
    await stage.call('POST', '/_petri/webhooks/endpoints', { url: receiver.url })
  }, 60_000)
  afterAll(async () => {
    await stage.close()
    receiver.close()
  })

  /** What the button copies, run in a shell. */
  async function runCopied(page: Page, button: string): Promise<Answer> {
    await page.click(button)
    await page.waitForSelector('button:has-text("Copied")')
    const line = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(line).not.toContain(KEY)
    const script = `${line} -w '\\n%{http_code}'`
    const { stdout } = await run('sh', ['-c', script], { env: { ...process.env, PETRI_API_KEY: KEY } })
    const [status = '', ...body] = stdout.split('\n').reverse()
    const text = body.reverse().join('\n')
    return { status: Number(status), body: text === '' ? null : JSON.parse(text) }
  }

  it('show above the orders that a receiver fails, until it is mended', async () => {
    receiver.answer(500)
    const id = await placeKit(stage, 'manual', { name: 'Web Hook' })
    await stage.call('POST', '/_petri/clock/advance', { by: '10m' })
    const { page, show } = await stage.open()
    const { attention } = (await stage.call('GET', '/_petri/orders')).body
    expect(attention.failing_messages).toBeGreaterThan(0)
    await page.waitForSelector(
      `[data-attention=failing_messages]:has-text("${attention.failing_messages} deliver")`,
    )
    await page.click('[data-attention=failing_messages] a')
    await page.waitForSelector('.list a .c5')
    await show(`webhooks?q=${id}`)
    receiver.answer(204)
    await page.click('.detail button:has-text("Resend now")')
    await page.waitForSelector('.facts .tag.completed:has-text("delivered")')
    await show('orders')
    await page.waitForSelector('[data-attention=failing_messages]', { state: 'detached' })
  })

  it('list a refused call that a hundred others followed', async () => {
    await stage.call('POST', '/v2/user', { client_user_id: 1 })
    for (let call = 0; call <= 100; call++) await stage.call('GET', '/v2/user')
    const { page, show } = await stage.open()
    await show('requests?status=refused')
    await page.waitForSelector('.list a:has-text("POST /v2/user") .c4')
    expect(await page.locator('.list .c2').count()).toBe(0)
  })

  it('say why nothing is delivered and when it is tried again, and retry and enable', async () => {
    receiver.answer(500)
    const id = await placeKit(stage, 'manual', { name: 'Not Delivered' })
    await stage.call('POST', '/_petri/clock/advance', { by: '10s' })
    const { page, show } = await stage.open()
    await show(`orders/${id}`)
    await page.waitForSelector(
      '.panel:has-text("Webhooks it caused") :text("not delivered: The receiver answered 500")',
    )
    await show(`webhooks?q=${id}&status=failing`)
    await page.waitForSelector('.list a:has-text("The receiver answered 500"):has-text("next in")')
    const attempts = page.locator('.attempts > li > details')
    expect(await attempts.count()).toBe(2)
    expect(await attempts.first().getAttribute('open')).toBeNull()
    expect(await attempts.last().getAttribute('open')).not.toBeNull()
    const attempt = await attempts.last().textContent()
    expect(attempt).toMatch(/#2 500 .*\d\d:\d\d:\d\d 5 s later/)
    expect(attempt).not.toContain('took')
    expect(await page.textContent('.list a b')).toBe('labtest.order.created')
    expect(await page.textContent('.facts')).toContain('Caused bya request')
    await stage.call('DELETE', '/_petri/requests')
    await page.reload()
    await page.waitForSelector('.facts:has-text("a call that is not recorded")')
    expect(await attempts.last().locator('[aria-label="Response body"]').textContent()).not.toMatch(/^"/)
    receiver.answer(204)
    await show(`webhooks?q=${id}`)
    await page.click('.detail button:has-text("Resend now")')
    await page.waitForSelector('.facts .tag.completed:has-text("delivered")')
    await page.click('.tabs a:has-text("Endpoints")')
    await page.waitForSelector('.panel .tag:has-text("healthy")')
    await page.click('.panel button:has-text("Disable")')
    await page.waitForSelector('.panel:has(.tag:text("disabled")) .note')
    expect(await page.locator('main :text("Disabled by a call or on the page")').count()).toBe(1)
    await page.click('.panel button.primary:has-text("Enable")')
    await page.waitForSelector('.panel .tag:has-text("healthy")')
  })

  it('show a call with a wrong key without reading the page again', async () => {
    const { page, show } = await stage.open()
    await show('requests')
    const refused = await stage.call('GET', '/v2/user', undefined, { 'x-service-api-key': 'sk_us_wrong' })
    expect(refused).toAnswer(401)
    await page.waitForSelector('.panel:has-text("Calls without a valid key") tr:has-text("GET /v2/user")')
    expect(await page.textContent('.panel:has-text("Calls without a valid key")')).not.toContain(
      'sk_us_wrong',
    )
  })

  it('judge a signature: good, of another secret, bad, and stale', async () => {
    const verdictOf = async (rule: object | undefined) => {
      if (rule) await stage.call('PUT', '/_petri/webhooks/faults', rule)
      const id = await placeKit(stage, 'manual', { name: 'Signed Text' })
      await stage.call('POST', '/_petri/clock/advance', { by: '1s' })
      if (rule) await stage.call('DELETE', '/_petri/webhooks/faults')
      await show(`webhooks?q=${id}`)
      await page.waitForSelector('.verdict')
      return page.getAttribute('.verdict', 'class')
    }
    const { page, show } = await stage.open()
    expect(await verdictOf(undefined)).toBe('verdict valid')
    await page.fill('input[placeholder="whsec_…"]', 'whsec_b3RoZXI=')
    await page.waitForSelector('.verdict.invalid')
    expect(await verdictOf({ bad_signature: true })).toBe('verdict invalid')
    expect(await verdictOf({ stale_timestamp: true })).toBe('verdict stale')
  })

  it('name an unknown field, with the field that was meant, and the injected fault', async () => {
    await stage.call('POST', '/v2/user', { client_user_id: 'typo', fallback_timezone: 'x' })
    const { page, show } = await stage.open()
    await show('requests')
    const note = await page.textContent('.note.warn')
    expect(note).toContain('body.fallback_timezone (did you mean fallback_time_zone?)')
    await stage.call('PUT', '/_petri/faults', {
      faults: [{ operation: 'GET /v2/user', times: 1, respond: { status: 503 } }],
    })
    await stage.call('GET', '/v2/user')
    await page.waitForSelector('.list a:has-text("injected fault")')
    await show('faults')
    await page.waitForSelector('tr.spent:has-text("spent")')
    await page.click('table .num a')
    await page.waitForSelector('.facts:has-text("Injected fault")')
    expect(await page.locator('.list a').count()).toBe(1)
    await stage.call('DELETE', '/_petri/faults')
  })

  it('copy every view as a line that a shell runs', async () => {
    const id = await placeKit(stage, 'manual', { name: "O'Neil Quote" })
    const { page, show } = await stage.open()
    for (const [place, path] of [
      ['orders', '/_petri/orders?limit=100'],
      [`orders/${id}`, `/_petri/orders/${id}`],
      ['users', '/_petri/users?limit=100'],
      ['webhooks', '/_petri/webhooks/messages?order=desc&fields=summary&limit=100'],
      ['webhooks?tab=endpoints', '/_petri/webhooks/endpoints'],
      ['requests', '/_petri/requests?order=desc&limit=100'],
      ['scenarios', '/_petri/scenarios'],
      ['faults', '/_petri/faults'],
      ['coverage', '/_petri/coverage'],
      ['snapshots', '/_petri/snapshots'],
      ['settings', '/_petri/world'],
    ] as const) {
      await show(place)
      if (place.startsWith('orders/')) await page.click('.menu > button')
      const expected = await stage.call('GET', path, undefined, { 'x-petri-aside': '1' })
      const copied = await runCopied(page, '.title button:has-text("Copy as curl")')
      expect([place, copied]).toEqual([place, { status: expected.status, body: expected.body }])
    }
  })

  it('copy a call as a line that does the same, refusals and scenarios included', async () => {
    const { page, show } = await stage.open()
    const runLatest = async () => {
      const [{ id }] = (await stage.call('GET', '/_petri/requests?order=desc&limit=1')).body.data
      await show(`requests/${id}`)
      await page.waitForSelector(`.list [href*="${id}"][aria-current=true]`)
      return runCopied(page, '.detail button:has-text("Copy as curl")')
    }
    const repeat = async (method: string, path: string, body?: unknown, headers = {}) => {
      const answer = await stage.call(method, path, body, headers)
      return { answer, copied: await runLatest() }
    }
    const refused = await repeat('POST', '/v2/user', { client_user_id: "it's", fallback_birth_date: 'never' })
    expect(refused.copied).toEqual({ status: refused.answer.status, body: refused.answer.body })
    const { answer: unknown, copied } = await repeat('GET', '/v2/nothing?a=b&c=%20d')
    expect(copied).toEqual({ status: unknown.status, body: unknown.body })
    await placeKit(stage, 'lost-on-the-way-out')
    const again = await runLatest()
    expect(again).toAnswer(200)
    const { body } = await stage.call('GET', `/_petri/orders/${again.body.order.id}/scenario`)
    expect(body.scenario).toBe('lost-on-the-way-out')
    await show('api/user_create')
    await page.fill('textarea', JSON.stringify({ client_user_id: 'from-api' }))
    expect(
      (await runCopied(page, '.panel:has-text("Try it") button:has-text("Copy as curl")')).body,
    ).toMatchObject({ client_user_id: 'from-api' })
    await show('faults')
    await page.fill('label:has(span:text-is("Latency")) input', '20ms')
    await page.fill('label:has-text("After so many") input', '3')
    await page.selectOption('label:has-text("Drop") select', 'reset')
    await page.fill('label:has-text("Respond") input', '')
    const armed = await runCopied(page, 'form button:has-text("Copy as curl")')
    expect([armed.status, armed.body.faults.at(-1)]).toMatchObject([
      201,
      { times: 2, after: 3, drop: 'reset', latency: { min: '20ms', max: '20ms' } },
    ])
    await stage.call('DELETE', '/_petri/faults')
    await show('orders?dialog=place')
    await page.waitForSelector('dialog button.primary:not([disabled])')
    expect((await runCopied(page, 'dialog button:has-text("Copy as curl")')).body.order.id).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })
})
