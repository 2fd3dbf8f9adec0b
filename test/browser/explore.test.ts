import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveHost } from '../support/served.ts'
import { hasBrowser, picture, type Stage, setStage } from './browser.ts'

/** A program that believes the last webhook. */
function program() {
  const statuses = new Map<string, string>()
  const app = new Hono()
    .post('/webhooks', async (c) => {
      const { event_type, data } = await c.req.json()
      if (event_type.startsWith('labtest.order.')) statuses.set(data.id, data.last_event.status)
      return c.body(null, 204)
    })
    .get('/orders/:id', (c) => c.json({ status: statuses.get(c.req.param('id')) ?? null }))
  return serveHost((request) => app.fetch(request))
}

describe.skipIf(!hasBrowser)('the view Explore', { timeout: 120_000 }, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
  }, 60_000)
  afterAll(() => stage.close())

  it('shows progress, what was covered on the map, and findings next to the webhooks of their histories', async () => {
    const url = await program()
    const { page, trouble, show } = await stage.open()
    await show('explore')
    await page.getByLabel('Webhook URL of your program').fill(`${url}/webhooks`)
    await page.getByLabel('URL where it shows an order').fill(`${url}/orders/{order_id}`)
    await page.getByRole('spinbutton', { name: 'Histories' }).fill('10')
    for (const what of ['calls that fail', 'connections and their data'])
      await page.locator('.parts label', { hasText: what }).locator('input').uncheck()
    await page.getByRole('button', { name: 'Explore', exact: true }).click()
    await page.waitForSelector('[data-state=done]', { timeout: 90_000 })
    const [exploration] = (await stage.call('GET', '/_petri/explore')).body.data
    const [finding] = exploration.findings
    const panel = page.locator(`[data-finding="${finding.name}"]`)
    expect(await panel.locator('.problem').textContent()).toBe(finding.problem)
    expect(await panel.locator('tbody tr').count()).toBe(finding.webhooks.length)
    const covered = Object.keys(exploration.coverage.edges.met).filter((edge) =>
      edge.startsWith('walk_in_test: '),
    )
    await page.getByLabel('Lifecycle', { exact: true }).selectOption('walk_in_test')
    await page.waitForSelector(`svg.life[aria-label^="${covered.length} of "]`)
    const drawn = await page
      .locator('svg.life .been path')
      .evaluateAll((paths) => paths.map((path) => `walk_in_test: ${path.getAttribute('data-edge')}`))
    expect(drawn.sort()).toEqual(covered.sort())
    await picture(page, 'light-explore')
    expect(trouble).toEqual([])
    await page.context().close()
  })

  it('stops, and says why nothing can be explored', async () => {
    const url = await program()
    const { page, show } = await stage.open()
    await show('explore')
    await page.getByLabel('Webhook URL of your program').fill('http://127.0.0.1:1/webhooks')
    await page.getByRole('spinbutton', { name: 'Histories' }).fill('10000')
    await page.getByRole('button', { name: 'Explore', exact: true }).click()
    await page.getByText('No webhook can be sent to http://127.0.0.1:1/webhooks').waitFor()
    await page.getByLabel('Webhook URL of your program').fill(`${url}/webhooks`)
    await page.getByRole('button', { name: 'Explore', exact: true }).click()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.waitForSelector('[data-state=stopped]')
    await page.context().close()
  })
})
