import { text } from 'node:stream/consumers'
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

/** The labels of a map through which a line is drawn. */
const CROSSED = `(() => {
  const labels = [...document.querySelectorAll('.life text')].map((text) => [text.textContent, text.getBoundingClientRect()])
  return [...document.querySelectorAll('.life path.edge')].flatMap((path) => {
    const points = Array.from({ length: path.getTotalLength() / 3 }, (_, at) =>
      path.getPointAtLength(at * 3).matrixTransform(path.getScreenCTM()))
    return labels
      .filter(([, { left, right, top, bottom }]) =>
        points.some(({ x, y }) => x > left && x < right && y > top && y < bottom))
      .map(([name]) => path.getAttribute('data-edge') + ' through ' + name)
  })
})()`

describe.skipIf(!hasBrowser)('the view Explore', { timeout: 120_000 }, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
  }, 60_000)
  afterAll(() => stage.close())

  it('shows progress, what was covered on the map, and findings next to the webhooks of their histories', async () => {
    const url = await program()
    const { page, trouble, settled, show } = await stage.open()
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
    // What breaks the program is not said to be done.
    expect(await page.locator('[data-state=done] .tag').allTextContents()).toEqual([
      `${exploration.findings.length} finding${exploration.findings.length === 1 ? '' : 's'}`,
    ])
    const own = page.locator('.panel', { has: panel })
    for (const [button, file, expected] of [
      ['Download the test', `${finding.name}.test.js`, finding.test],
      ['Download the scenario', `${finding.name}.yaml`, finding.scenario],
    ] as const) {
      const [download] = await Promise.all([page.waitForEvent('download'), own.getByText(button).click()])
      expect([download.suggestedFilename(), await text(await download.createReadStream())]).toEqual([
        file,
        expected,
      ])
    }
    expect(finding.test).toContain(finding.problem)
    await own.getByText('Replay', { exact: true }).click()
    await page.getByText(`${finding.name} still fails`).waitFor()
    const covered = Object.keys(exploration.coverage.edges.met).filter((edge) =>
      edge.startsWith('walk_in_test: '),
    )
    await page.getByLabel('Lifecycle', { exact: true }).selectOption('walk_in_test')
    await page.waitForSelector(`svg.life[aria-label^="${covered.length} of "]`)
    const drawn = await page
      .locator('svg.life .been path')
      .evaluateAll((paths) => paths.map((path) => `walk_in_test: ${path.getAttribute('data-edge')}`))
    expect(drawn.sort()).toEqual(covered.sort())
    const lifecycles = page.getByLabel('Lifecycle', { exact: true }).locator('option')
    for (const option of await lifecycles.evaluateAll((all) =>
      all.map((each) => each.getAttribute('value')),
    )) {
      await page.getByLabel('Lifecycle', { exact: true }).selectOption(option)
      await settled()
      expect([option, await page.evaluate(CROSSED)]).toEqual([option, []])
      const [map, box] = ['svg.life', '.scroll:has(> svg.life)'].map((each) =>
        page.locator(each).boundingBox(),
      )
      expect((await map)?.width).toBeGreaterThan(((await box)?.width ?? 0) - 40)
    }
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
