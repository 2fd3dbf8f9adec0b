import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, overhang, picture, type Stage, seriousFlaws, setStage } from './browser.ts'
import { everyPlace, fillWorld, type Receiver, startReceiver } from './scene.ts'

describe.skipIf(!hasBrowser)('every view', { timeout: 60_000 }, () => {
  let stage: Stage
  let receiver: Receiver
  let places: string[]
  beforeAll(async () => {
    receiver = await startReceiver()
    stage = await setStage()
    places = everyPlace(await fillWorld(stage, receiver))
  }, 240_000)
  afterAll(async () => {
    await stage.close()
    receiver.close()
  })

  const nameOf = (place: string) => place.replace(/[/?=]/g, '-').slice(0, 14)

  it('opens from the root and asks nobody', async () => {
    const { page, settled } = await stage.open('/')
    await page.waitForSelector('table.rows tbody tr')
    expect(new URL(page.url()).pathname).toBe('/_petri/')
    await settled()
    await page.waitForSelector('.activity li')
    expect((await stage.call('GET', '/')).status).toBe(404)
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)('can be used by everybody in %s', async (colorScheme) => {
    const { page, trouble, show } = await stage.open('/_petri/', { colorScheme })
    for (const place of places) {
      await show(place)
      await picture(page, `${colorScheme}-${nameOf(place)}`)
      expect([place, await seriousFlaws(page)]).toEqual([place, []])
    }
    expect(trouble).toEqual([])
    await page.context().close()
  })

  it('can be used by everybody at four times the size', async () => {
    const zoomed = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }
    const { page, show } = await stage.open('/_petri/', zoomed)
    for (const place of places) {
      await show(place)
      expect([place, await overhang(page), await seriousFlaws(page)]).toEqual([place, 0, []])
    }
    await page.context().close()
  })

  it('fits a narrow screen without scrolling sideways', async () => {
    const { page, show } = await stage.open('/_petri/', { viewport: { width: 360, height: 740 } })
    for (const place of places) {
      await show(place)
      await picture(page, `narrow-${nameOf(place)}`)
      expect([place, await overhang(page)]).toEqual([place, 0])
    }
    await page.context().close()
  })

  it('leaves what others see as it is', async () => {
    const traces = async () => [
      (await stage.call('GET', '/_petri/requests?limit=500')).body,
      (await stage.call('GET', '/_petri/coverage')).body,
      (await stage.call('GET', '/_petri/faults')).body,
      (await stage.call('GET', '/_petri/world')).body,
    ]
    await stage.call('PUT', '/_petri/faults', {
      faults: [{ operation: 'GET /v2/user', respond: { status: 503 } }],
    })
    const before = await traces()
    const heard: unknown[] = []
    const stop = stage.world().agenda.bus.subscribe({ onEffect: (effect) => heard.push(effect), onEnd() {} })
    const { page, show } = await stage.open()
    for (const place of places) await show(place)
    stop()
    expect(heard).toEqual([])
    expect(await traces()).toEqual(before)
    await stage.call('DELETE', '/_petri/faults')
    await page.context().close()
  })

  it('is pictured for the documentation', async () => {
    const { page, show } = await stage.open()
    for (const [name, place] of [
      ['orders', 'orders'],
      ['order', places.find((each) => each.startsWith('orders/')) ?? ''],
      ['webhooks', 'webhooks?q=labtest.order&status=failing'],
      ['requests', 'requests?unread=1'],
      ['scenarios', 'scenarios/problem-in-transit-customer'],
      ['user', places.find((each) => each.startsWith('users/')) ?? ''],
      ['coverage', 'coverage'],
    ] as const) {
      await show(place)
      expect(await page.locator('main').textContent()).not.toBe('')
      await picture(page, `page-${name}`)
    }
    await page.context().close()
  })
})
