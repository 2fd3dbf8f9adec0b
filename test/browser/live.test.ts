import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fileFolder } from '../../src/storage/folder.ts'
import { makeFolder } from '../support/new-folder.ts'
import { hasBrowser, type Stage, setStage } from './browser.ts'
import { placeKit } from './scene.ts'

const MINUTE_MS = 60_000

describe.skipIf(!hasBrowser)('the page stays true', { timeout: 60_000 }, () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.close())

  const shown = (page: Page, id: string) => page.waitForSelector(`a[href="#/orders/${id}"]`)

  it('in seven tabs with one stream', async () => {
    const { page } = await stage.open()
    const context = page.context()
    await page.waitForSelector('.dot.live')
    let streams = 0
    context.on('request', (request) => {
      if (request.url().endsWith('/_petri/events')) streams++
    })
    const tabs = [page]
    for (let nth = 1; nth < 7; nth++) tabs.push(await context.newPage())
    for (const tab of tabs.slice(1)) await tab.goto(`${stage.url}/_petri/`)
    for (const tab of tabs) await tab.waitForSelector('.dot.live')
    expect(streams).toBe(0)
    const id = await placeKit(stage, 'manual', { name: 'Seven Tabs' })
    for (const tab of tabs) await shown(tab, id)
    await page.close()
    const second = await placeKit(stage, 'manual', { name: 'Six Tabs' })
    for (const tab of tabs.slice(1)) await shown(tab, second)
    expect(streams).toBe(1)
  })

  it('in a tab that was hidden, and asks nothing while it is', async () => {
    const { page, settled } = await stage.open()
    await page.waitForSelector('.dot.live')
    const look = (state: 'hidden' | 'visible') =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      )
    await settled()
    await look('hidden')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const id = await placeKit(stage, 'manual', { name: 'Unseen' })
    await page.waitForSelector(`.activity a[href="#/orders/${id}"]`)
    expect(asked).toEqual([])
    await look('visible')
    await page.waitForSelector(`main a[href="#/orders/${id}"]`)
  })

  it('after a minute without events', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { page } = await stage.open('about:blank')
      await page.clock.install()
      await page.goto(`${stage.url}/_petri/`)
      await page.waitForSelector('.dot.live')
      await vi.advanceTimersByTimeAsync(MINUTE_MS)
      await page.clock.fastForward(MINUTE_MS)
      const id = await placeKit(stage, 'manual', { name: 'Late' })
      await shown(page, id)
    } finally {
      vi.useRealTimers()
    }
  })

  it('after Petri was stopped, which it says, and started again', async () => {
    const root = makeFolder('petri-page-')
    const open = () => fileFolder(root, { warn: () => undefined })
    const own = await setStage({ folder: await open() })
    const { page } = await own.open()
    const first = await placeKit(own, 'manual', { name: 'Before' })
    await shown(page, first)
    await own.stop()
    await page.waitForSelector('.banner.lost:has-text("Petri does not answer")')
    await own.startAgain({ folder: await open() })
    await page.waitForSelector('.dot.live')
    await page.waitForSelector('.banner.lost', { state: 'detached' })
    const second = await placeKit(own, 'manual', { name: 'After' })
    await shown(page, second)
    await shown(page, first)
    await own.close()
    rmSync(root, { recursive: true })
  })

  it('after the world was reset, and after it was restored from a snapshot', async () => {
    const { page } = await stage.open()
    const first = await placeKit(stage, 'manual')
    await shown(page, first)
    await stage.call('PUT', '/_petri/snapshots/one')
    await stage.call('POST', '/_petri/reset')
    await page.waitForSelector('.banner:has-text("This world was reset")')
    await page.waitForSelector('.panel:has-text("Connect your program")')
    await page.waitForSelector('.dot.live')
    await stage.call('POST', '/_petri/snapshots/one/restore')
    await page.waitForSelector('.banner:has-text("restored from a snapshot")')
    await shown(page, first)
    const second = await placeKit(stage, 'manual')
    await shown(page, second)
  })

  it('after its world was deleted: it says so and continues in another', async () => {
    const { body: made } = await stage.call('POST', '/_petri/worlds', { name: 'Short-lived', frozen: true })
    const { page } = await stage.open(`/_petri/#key=${made.api_key}`)
    await page.waitForSelector('.world:has-text("Short-lived")')
    await page.waitForSelector('.dot.live')
    await stage.call('DELETE', `/_petri/worlds/${made.team_id}`)
    await page.waitForSelector('.banner:has-text("This world was deleted. This is Petri.")')
    await page.waitForSelector('.world:has-text("Petri")')
    const id = await placeKit(stage, 'manual')
    await shown(page, id)
  })

  it('to what was typed: half-written forms survive a reload', async () => {
    const { page, show } = await stage.open()
    await show('orders?dialog=place')
    await page.fill('dialog label:has-text("Patient") input', 'Half Written')
    await page.reload()
    await page.waitForSelector('dialog')
    expect(await page.inputValue('dialog label:has-text("Patient") input')).toBe('Half Written')
    await show('webhooks?dialog=trigger')
    await page.fill('dialog label:has-text("Order, by id") input', 'half-an-id')
    await page.reload()
    await page.waitForSelector('dialog')
    expect(await page.inputValue('dialog label:has-text("Order, by id") input')).toBe('half-an-id')
    await show('faults')
    await page.fill('main input', 'GET /v2/us')
    await page.reload()
    await page.waitForSelector('main h1')
    expect(await page.inputValue('main input')).toBe('GET /v2/us')
  })
})
