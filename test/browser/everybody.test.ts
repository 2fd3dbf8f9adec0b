import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, overhang, picture, type Stage, seriousFlaws, setStage } from './browser.ts'
import { everyPlace, fillWorld, nameOf, type Receiver, startReceiver } from './scene.ts'

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
})
