import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, picture, type Stage, setStage } from './browser.ts'

interface Sample {
  readonly timestamp: string
  readonly value: number
}

describe.skipIf(!hasBrowser)('health data', { timeout: 60_000 }, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
  }, 60_000)
  afterAll(() => stage.close())

  const wearer = async (name: string, scenario: string): Promise<string> => {
    const { body } = await stage.call('POST', '/v2/user', { client_user_id: name })
    await stage.call('POST', '/v2/link/connect/demo', { user_id: body.user_id, provider: 'oura' })
    const path = `/_petri/users/${body.user_id}/connections/oura/feed`
    expect(await stage.call('PUT', path, { scenario })).toAnswer(200)
    return body.user_id
  }
  const advance = (by: string) => stage.call('POST', '/_petri/clock/advance', { by })
  const dayOf = async (back: number) =>
    new Date(Date.parse((await stage.call('GET', '/_petri/clock')).body.now) - back * 86_400_000)
      .toISOString()
      .slice(0, 10)
  const samplesOf = async (userId: string): Promise<Sample[]> => {
    const path = `/v2/timeseries/${userId}/heartrate/grouped?start_date=${await dayOf(1)}&end_date=${await dayOf(0)}`
    const { groups } = (await stage.call('GET', path)).body
    return Object.values<{ data: Sample[] }[]>(groups).flatMap((all) => all.flatMap(({ data }) => data))
  }
  const labelOf = (samples: readonly Sample[]) => {
    const values = samples.map(({ value }) => value)
    return `Heart rate: ${samples.length} samples, ${Math.min(...values)} to ${Math.max(...values)} bpm`
  }

  it('is drawn from the samples the service gives: a gap, and what comes late', async () => {
    const id = await wearer('late', 'gap-and-late-backfill')
    await advance('20h')
    const { page, show } = await stage.open()
    await show(`users/${id}`)
    const plot = page.locator('svg[aria-label^="Heart rate:"]')
    const before = await samplesOf(id)
    await page.waitForSelector(`svg[aria-label^="${labelOf(before)}"]`)
    const gaps = before.slice(1).filter(({ timestamp }, at) => {
      const since = Date.parse(timestamp) - Date.parse(before[at]?.timestamp ?? '')
      return since > 3_600_000
    })
    expect(gaps).toHaveLength(1)
    expect(await plot.getAttribute('aria-label')).toMatch(/; none from \d\d:\d\d to \d\d:\d\d$/)
    const marksOf = () =>
      page.locator('.panel:has(svg[aria-label^="Heart rate:"]) .marks li').allTextContents()
    expect(await page.locator('svg[aria-label^="Heart rate:"] .held_back rect').count()).toBe(1)
    expect(await marksOf()).toEqual([
      '1 held back from 8 Mar 2026 21:00:00 to 9 Mar 2026 05:00:00; arrives 9 Mar 2026 17:00:00',
    ])
    await picture(page, 'light-user-gap')
    await advance('10h')
    const after = await samplesOf(id)
    expect(after.length).toBeGreaterThan(before.length)
    await page.waitForSelector(`svg[aria-label^="${labelOf(after)}"]`)
    expect(await plot.getAttribute('aria-label')).not.toContain('none from')
    expect(await marksOf()).toEqual([
      '1 held back from 8 Mar 2026 21:00:00 to 9 Mar 2026 05:00:00; arrived 9 Mar 2026 17:00:00',
    ])
  })

  it('draws the stages of a night as in the response of the service', async () => {
    const id = await wearer('sleeper', 'steady')
    await advance('2d')
    const path = `/v2/summary/sleep_cycle/${id}?start_date=${await dayOf(4)}&end_date=${await dayOf(0)}`
    const night = (await stage.call('GET', path)).body.sleep_cycle.at(-1)
    const names = ['', 'deep', 'light', 'REM', 'awake']
    const at = (second: number) =>
      new Date(Date.parse(night.session_start) + second * 1000).toISOString().slice(11, 16)
    const told = night.stage_type.map(
      (type: number, nth: number) =>
        `${names[type]} ${at(night.stage_start_offset_second[nth])}–${at(night.stage_end_offset_second[nth])}`,
    )
    const { page, show } = await stage.open()
    await show(`users/${id}`)
    expect(await page.getAttribute('svg.hypnogram', 'aria-label')).toBe(`Sleep stages: ${told.join(', ')}`)
    expect(await page.locator('svg.hypnogram .stage').count()).toBe(night.stage_type.length)
  })

  it('takes samples that are added by hand', async () => {
    const id = await wearer('by-hand', 'steady')
    await advance('1d')
    const { page, show } = await stage.open()
    await show(`users/${id}`)
    const before = await samplesOf(id)
    await page.click('button:has-text("Add samples")')
    await page.selectOption('dialog select', 'heartrate')
    await page.fill('dialog label:has-text("Values") input', '61 62 199')
    await page.click('dialog button.primary')
    await page.waitForSelector('.toast:has-text("3 samples added")')
    const after = await samplesOf(id)
    expect(Math.max(...after.map(({ value }) => value))).toBe(199)
    expect(after.length).toBeGreaterThanOrEqual(before.length)
    await page.waitForSelector(`svg[aria-label^="${labelOf(after)}"]`)
  })
})
