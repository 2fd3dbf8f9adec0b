import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, closeBrowser, picture, type Stage, setStage } from './browser.ts'
import { fillWorld, placeKit, type Receiver, startReceiver, views } from './scene.ts'

describe.skipIf(!browserPath)('the page', () => {
  let stage: Stage
  let receiver: Receiver
  let ids: { orderId: string; userId: string }
  beforeAll(async () => {
    receiver = await startReceiver()
    stage = await setStage()
    ids = await fillWorld(stage, receiver)
  }, 60_000)
  afterAll(async () => {
    await stage.close()
    receiver.close()
    await closeBrowser()
  })

  it('opens from the root, asks nobody, and shows every view without an error', async () => {
    const { page, trouble, settled } = await stage.open('/')
    await page.waitForSelector('table.rows tbody tr')
    expect(new URL(page.url()).pathname).toBe('/_petri/')
    await settled()
    await picture(page, 'orders')
    const places = [...views.slice(1), `orders/${ids.orderId}`, `users/${ids.userId}`]
    for (const place of places) {
      await page.goto(`${stage.url}/_petri/#/${place}`)
      await page.waitForSelector('main h1')
      await settled()
      await picture(page, place.replace(/\/.*/, '-one'))
    }
    expect(trouble).toEqual([])
  })

  it('shows an order that is placed, within a second', async () => {
    const { page } = await stage.open()
    await page.waitForSelector('table.rows tbody tr')
    const id = await placeKit(stage, 'happy-path', { name: 'New Person', user: 'new' })
    await page.waitForSelector(`a[href="#/orders/${id}"]`, { timeout: 1000 })
  })
})
