import { get } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { hasBrowser, KEY, picture } from './browser.ts'
import { filledStage } from './scene.ts'

const MINUTE_MS = 60_000

/** Another client that follows what happens, once it is connected. */
async function listenTo(url: string) {
  let text = ''
  const headers = { 'x-service-api-key': KEY }
  const request = get(`${url}/_petri/events`, { headers }, (response) => {
    response.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
  })
  request.on('error', () => undefined)
  await vi.waitUntil(() => text.includes('event: hello'), { timeout: 10_000 })
  const kinds = () => [...text.matchAll(/^event: (.*)$/gm)].map(([, kind]) => kind).slice(1)
  return {
    /** The kinds of all it was told, which are so many at least. */
    async heard(count: number) {
      await vi.waitUntil(() => kinds().length >= count, { timeout: 10_000 })
      return kinds()
    },
    close: () => request.destroy(),
  }
}

describe.skipIf(!hasBrowser)('every view', { timeout: 60_000 }, () => {
  const filled = filledStage()

  it('opens from the root and asks nobody', async () => {
    const { page, settled } = await filled.stage.open('/')
    await page.waitForSelector('table.rows tbody tr')
    expect(new URL(page.url()).pathname).toBe('/_petri/')
    await settled()
    await page.waitForSelector('.activity li')
    expect(await filled.stage.call('GET', '/')).toAnswer(200)
  })

  it('leaves what others see as it is, for a minute in each view in which its clock ticks and news comes', async () => {
    const traces = async () => [
      (await filled.stage.call('GET', '/_petri/requests?limit=500')).body,
      (await filled.stage.call('GET', '/_petri/coverage')).body,
      (await filled.stage.call('GET', '/_petri/faults')).body,
      (await filled.stage.call('GET', '/_petri/world')).body.counts,
    ]
    await filled.stage.call('PUT', '/_petri/faults', {
      faults: [{ operation: 'GET /v2/user', respond: { status: 503 } }],
    })
    const clock = (await filled.stage.call('PATCH', '/_petri/clock', { frozen: false, pace: 1 })).body
    expect(Date.parse(clock.next_due) - Date.parse(clock.now)).toBeGreaterThan(10 * MINUTE_MS)
    const before = await traces()
    const other = await listenTo(filled.stage.url)
    const { page, settled, show } = await filled.stage.open('about:blank')
    await page.clock.install()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    for (const place of filled.places) {
      await show(place)
      asked.length = 0
      const since = Number(await page.evaluate('Date.now()'))
      await filled.stage.call('PUT', '/_petri/snapshots/before')
      for (let second = 0; second < 60; second += 10) await page.clock.runFor(10_000)
      await settled()
      expect(Number(await page.evaluate('Date.now()')) - since).toBeGreaterThanOrEqual(MINUTE_MS)
      expect([place, asked.length > 0]).toEqual([place, true])
    }
    expect(await other.heard(filled.places.length)).toEqual(filled.places.map(() => 'snapshot'))
    other.close()
    expect(await traces()).toEqual(before)
    await filled.stage.call('DELETE', '/_petri/faults')
    await filled.stage.call('PATCH', '/_petri/clock', { frozen: true })
  })

  it('is pictured for the documentation', async () => {
    const { page, show } = await filled.stage.open()
    for (const [name, place] of [
      ['orders', 'orders'],
      ['order', filled.places.find((each) => each.startsWith('orders/')) ?? ''],
      ['webhooks', 'webhooks?q=labtest.order&status=failing'],
      ['endpoints', 'webhooks?tab=endpoints'],
      ['scenarios', 'scenarios/problem-in-transit-customer'],
      ['user', filled.places.find((each) => each.startsWith('users/')) ?? ''],
    ] as const) {
      await show(place)
      expect(await page.locator('main').textContent()).not.toBe('')
      // What will happen is there once the text was checked.
      if (name === 'scenarios') await page.waitForSelector('main .ok')
      await picture(page, `page-${name}`)
    }
  })
})
