import { describe, expect, it } from 'vitest'
import { hasBrowser, overhang, picture, seriousFlaws } from './browser.ts'
import { filledStage, nameOf } from './scene.ts'

describe.skipIf(!hasBrowser)('every view', { timeout: 60_000 }, () => {
  const filled = filledStage()

  it.each(['light', 'dark'] as const)('can be used by everybody in %s', async (colorScheme) => {
    const { page, trouble, show } = await filled.stage.open('/_petri/', { colorScheme })
    for (const place of filled.places) {
      await show(place)
      await picture(page, `${colorScheme}-${nameOf(place)}`)
      expect([place, await seriousFlaws(page)]).toEqual([place, []])
    }
    expect(trouble).toEqual([])
    await page.context().close()
  })

  it('can be used by everybody at four times the size', async () => {
    const zoomed = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }
    const { page, show } = await filled.stage.open('/_petri/', zoomed)
    for (const place of filled.places) {
      await show(place)
      expect([place, await overhang(page), await seriousFlaws(page)]).toEqual([place, 0, []])
    }
    await page.context().close()
  })
})
