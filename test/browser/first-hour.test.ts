import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LoggedCall } from '../../src/control/call-log.ts'
import { hasBrowser, KEY, type OpenPage, picture, type Stage, setStage, until } from './browser.ts'
import { filledStage, placeKit, type Receiver, startReceiver } from './scene.ts'

describe.skipIf(!hasBrowser)('an empty world', { timeout: 60_000 }, () => {
  let stage: Stage
  const logged: LoggedCall[] = []
  beforeAll(async () => {
    stage = await setStage({ logCalls: (calls) => logged.push(...calls) })
  }, 60_000)
  afterAll(() => stage.close())

  it('shows how to connect, and places a first order', async () => {
    const { page, show } = await stage.open()
    await show('orders')
    const panel = page.locator('.panel:has(h2:text-is("Connect your program"))')
    const text = (await panel.textContent()) ?? ''
    expect(text).toContain(`Address${stage.url}`)
    expect(text).toContain(KEY)
    expect(text).toContain(`new VitalClient({ apiKey: '${KEY}', environment: '${stage.url}' })`)
    expect(text).toContain('npx petri-sandbox listen --add')
    await picture(page, 'light-empty')
    await page.click('button:has-text("Place a sample order")')
    await page.waitForSelector('.life')
    expect((await stage.call('GET', '/_petri/orders')).body.total).toBe(1)
    await show('orders')
    expect(await panel.count()).toBe(0)
  })

  it('is read by the page without a line in the log', async () => {
    const { page, show } = await stage.open()
    await page.waitForSelector('.dot.live')
    await new Promise((resolve) => setTimeout(resolve, 200))
    logged.length = 0
    for (const place of ['orders', 'users', 'webhooks', 'requests', 'scenarios', 'faults', 'api', 'settings'])
      await show(place)
    await show('scenarios/happy-path')
    await page.waitForSelector('.ok:has-text("every way through is legal")')
    await show('settings')
    await page.click('button:has-text("Dark")')
    await page.click('.steps button:has-text("+1h")')
    await page.waitForSelector('.toast:has-text("The clock is at")')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const lines = logged.map(({ method, path }) => `${method} ${path}`)
    expect(lines).toContain('POST /_petri/clock/advance')
    expect(lines.filter((line) => /^GET|check/.test(line))).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('Ctrl K', { timeout: 60_000 }, () => {
  let stage: Stage
  let receiver: Receiver
  let orderId: string
  let opened: OpenPage
  beforeAll(async () => {
    receiver = await startReceiver()
    stage = await setStage()
    await stage.call('POST', '/_petri/webhooks/endpoints', { url: receiver.url, description: 'clinic-api' })
    orderId = await placeKit(stage, 'happy-path', { name: 'Grace Hopper', user: 'amazing-grace' })
    opened = await stage.open()
  }, 60_000)
  afterAll(async () => {
    await stage.close()
    receiver.close()
  })

  /** The one page of these tests, at the orders, as another takes seconds to open. */
  const finder = async () => {
    const { page, settled, show } = opened
    await show('orders')
    await page.waitForSelector('table.rows tbody tr')
    /** The matches of a text, once Petri has been asked. */
    const find = async (text: string): Promise<string[]> => {
      if ((await page.locator('dialog[open]').count()) === 0) await page.keyboard.press('Control+k')
      const asked = page.waitForResponse((response) => response.url().includes('/_petri/requests?q='))
      await page.fill('dialog input', text)
      await asked
      await settled()
      return page.locator('.found span').allTextContents()
    }
    return { ...opened, find }
  }

  it.each([
    ['an order by its patient', 'hopper', /^Grace Hopper, .* ordered, /, () => `/orders/${orderId}`],
    ['an order by its id', '', /^Grace Hopper, .* ordered, /, () => `/orders/${orderId}`],
    ['a user by name', 'grace hop', /^Grace Hopper amazing-grace/, () => '/users/'],
    ['a user by client user id', 'amazing-gr', /^Grace Hopper amazing-grace/, () => '/users/'],
    ['a scenario of orders', 'res critical', /^critical-result /, () => '/scenarios/critical-result'],
    ['a scenario of a feed', 'late-backfill', /^gap-and-late-backfill /, () => '/scenarios/gap-and'],
    ['an endpoint', 'clinic-api', /clinic-api$/, () => '/webhooks?tab=endpoints'],
    ['a form', 'webhook endpoint', /^Add a webhook endpoint/, () => '/webhooks?tab=endpoints'],
    ['a form of the API', 'user_create', /^POST \/v2\/user (?!\d)/, () => '/api/user_create'],
    ['a request', 'order POST', /^POST \/v3\/order 200/, () => '/requests/req_'],
    ['a feature', 'minor ord', /^minor ordering feature/, () => '/settings?feature=minor_ordering'],
  ])('finds %s', async (_, typed, name, place) => {
    const { page, find } = await finder()
    const text = typed || orderId
    const at = (await find(text)).findIndex((each) => name.test(each))
    expect(at).toBeGreaterThanOrEqual(0)
    await page.locator('.found button').nth(at).click()
    await until(page, `location.hash.startsWith('#${place()}')`)
  })

  it('sets the theme, opens the reset and advances the clock', async () => {
    const { page, find } = await finder()
    await find('dark')
    await picture(page, 'light-find')
    await page.keyboard.press('Enter')
    await page.waitForSelector('html[data-theme=dark]')
    await page.waitForSelector('dialog', { state: 'detached' })
    await find('reset')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[aria-label=Worlds]')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    const before = Date.parse((await stage.call('GET', '/_petri/clock')).body.now)
    await find('advance 3d')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.toast:has-text("The clock is at")')
    const after = Date.parse((await stage.call('GET', '/_petri/clock')).body.now)
    expect(after - before).toBe(3 * 86_400_000)
  })

  it('groups what it finds by kind, with times', async () => {
    const { page, find } = await finder()
    await find('order')
    const groups = await page.locator('.found h3').allTextContents()
    expect(groups).toEqual(expect.arrayContaining(['Do', 'Messages', 'Requests', 'Scenarios', 'API']))
    const times = await page.locator('.found section[aria-label=Requests] time').allTextContents()
    expect(times[0]).toMatch(/^8 Mar 2026 \d\d:\d\d:\d\d$/)
  })

  it('fills in the form of an endpoint with the URL typed', async () => {
    const { page, find } = await finder()
    await find('endpoint http://127.0.0.1:9/typed')
    await page.keyboard.press('Enter')
    await page.waitForSelector('main label:has-text("URL") input')
    expect(await page.inputValue('main label:has-text("URL") input')).toBe('http://127.0.0.1:9/typed')
  })

  it('takes an address alone for an endpoint, puts what is typed into the command, and triggers only events', async () => {
    const { page, find } = await finder()
    const [first] = await find('http://127.0.0.1:9/alone')
    expect(first).toMatch(/^Add a webhook endpoint: http:\/\/127\.0\.0\.1:9\/alone/)
    const command = await page.locator('.found code').first().textContent()
    expect(command).toBe('npx petri-sandbox webhook add http://127.0.0.1:9/alone')
    expect((await find('webhook endpoint')).filter((each) => each.startsWith('Trigger'))).toEqual([])
    expect(await find('trigger labtest.result.critical')).toEqual([
      expect.stringMatching(/^Trigger an event: labtest\.result\.critical/),
    ])
  })

  it('registers a kit that waits for its recipient', async () => {
    const id = await placeKit(stage, 'happy-path', { name: 'Waiting Person', isNamed: false })
    await stage.call('POST', '/_petri/clock/advance', { by: '5d' })
    const { page, find } = await finder()
    const found = await find('register waiting')
    expect(found).toEqual([expect.stringMatching(/^Register the kit of Waiting Person/)])
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog', { state: 'detached' })
    await expect
      .poll(async () => (await stage.call('GET', `/v3/order/${id}`)).body.patient_details?.last_name)
      .toBe('Person')
  })

  it.each(['nobody-is-called-so', '00000000-0000-4000-8000-000000000000', 'msg_nothing', 'req_0000000000'])(
    'offers nothing for %s, which is not there',
    async (text) => {
      const { page, find } = await finder()
      expect(await find(text)).toEqual([])
      await page.waitForSelector('dialog:has-text("Nothing in this world matches")')
    },
  )
})

describe.skipIf(!hasBrowser)('what is shown', { timeout: 60_000 }, () => {
  const filled = filledStage()

  it('has times to the second', async () => {
    const { page, show } = await filled.stage.open()
    for (const place of filled.places) {
      await show(place)
      const times = await page.locator('main time').allTextContents()
      const clocks = times.flatMap((time) => time.match(/\d\d:\d\d(:\d\d)?/g) ?? [])
      expect([place, clocks.filter((each) => each.length < 8)]).toEqual([place, []])
    }
    expect(await page.textContent('.clock time')).toMatch(/\d\d:\d\d:\d\d/)
  })

  it('opens by a click anywhere in a row', async () => {
    const { page, show } = await filled.stage.open()
    for (const [place, column, opens] of [
      ['orders', 3, '#/orders/'],
      ['users', 2, '#/users/'],
      [filled.places.find((each) => each.startsWith('orders/')) ?? '', 2, '#/requests/'],
    ] as const) {
      await show(place)
      await page.locator('.rows tr:has([data-row])').last().locator('td').nth(column).click({ force: true })
      await until(page, `location.hash.startsWith('${opens}')`)
    }
  })

  it('says what each feature, fault option and webhook fault does', async () => {
    const { page, show } = await filled.stage.open()
    const { schemas } = (await filled.stage.call('GET', '/openapi.json')).body.components
    await show('settings')
    const features = Object.values<{ description: string }>(schemas.PetriFeatures.properties)
    const sentences = () => page.locator('.switches small').allTextContents()
    const described = features.map(({ description }) => description.replaceAll('`', ''))
    expect((await sentences()).sort()).toEqual(described.sort())
    expect(await page.locator('section[aria-label="Other"]').count()).toBe(0)
    await page.getByLabel('Search features').fill('medical proxy')
    await page.waitForSelector('.switches li:only-child')
    expect(await page.locator('section:has(> .switches) > h3').allTextContents()).toEqual(['Orders'])
    await show('faults')
    const fields = schemas.PetriFaultsInput.properties.faults.items.properties
    const notes = await page.locator('.fault .field small').allTextContents()
    for (const name of ['operation', 'times', 'rate', 'after', 'respond', 'latency', 'drop'])
      expect(notes).toContain(fields[name].description)
    await show('webhooks?tab=endpoints')
    const said = await sentences()
    expect([said.length, said.filter((each) => each.length < 20)]).toEqual([8, []])
  })

  it('begins with the critical result', async () => {
    const id = await placeKit(filled.stage, 'critical-result', { name: 'Critical Person' })
    await filled.stage.call('POST', '/_petri/clock/advance', { by: '12d' })
    const { page, show } = await filled.stage.open()
    await show(`orders/${id}`)
    const banner = page.locator('[aria-label="Critical results"]')
    await banner.waitFor()
    const { results } = (await filled.stage.call('GET', `/v3/order/${id}/result`)).body
    const critical = results.filter((line: { interpretation: string }) => line.interpretation === 'critical')
    expect(await banner.locator('li').count()).toBe(critical.length)
    expect(await banner.textContent()).toContain(`${critical[0].name} ${critical[0].result}`)
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0
    expect(await top('[aria-label="Critical results"]')).toBeLessThan(await top('.panel'))
    await picture(page, 'light-critical')
  })

  it.each(['1 day', '7 days', '30 days'])('plots the same days with dates, for %s', async (days) => {
    const { page, show, settled } = await filled.stage.open()
    await show(filled.places.find((each) => each.startsWith('users/')) ?? '')
    await page.click(`button:text-is("${days}")`)
    await settled()
    await page.waitForSelector('svg[aria-label^="Steps:"]')
    const axisOf = (name: string) =>
      page
        .locator(`svg[aria-label^="${name}:"] .tick:not([text-anchor=end])`)
        .evaluateAll((ticks) =>
          ticks.map((tick) => `${tick.textContent} at ${Math.round(Number(tick.getAttribute('x')))}`),
        )
    const axis = await axisOf('Heart rate')
    expect(axis.filter((each) => /^\d+ [A-Z][a-z]{2} at/.test(each)).length).toBeGreaterThanOrEqual(2)
    expect(await axisOf('Steps')).toEqual(axis)
    expect(await axisOf('Heart rate variability')).toEqual(axis)
    await picture(page, `light-plots-${days.replace(' ', '-')}`)
  })

  it.each([
    [1500, 940],
    [1200, 700],
    [900, 700],
    [360, 740],
  ])('is covered by no toast in a window of %i × %i', async (width, height) => {
    const { page, show } = await filled.stage.open('/_petri/', { viewport: { width, height } })
    await show('webhooks')
    await page.click('.clock button:has-text("Next due")')
    await page.waitForSelector('.toast')
    const [frame, toast] = await Promise.all(
      ['.frame', '.toast'].map((part) => page.locator(part).boundingBox()),
    )
    expect(frame?.height).toBeGreaterThan(0)
    expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBeLessThanOrEqual(toast?.y ?? 0)
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(height)
    // Nothing of the frame reaches below it, wherever it is scrolled to.
    for (const part of ['.frame', 'main', '.side'])
      await page.evaluate(`document.querySelector('${part}').scrollTop = 1e6`)
    const found = await page.evaluate(
      `document.elementFromPoint(20, ${(toast?.y ?? 0) + 2}).closest('.frame, .toast').className`,
    )
    expect(found).toBe('toast')
    await picture(page, `page-toast-${width}`)
  })

  it('can be scrolled to its end in a narrow window', async () => {
    const { page, show } = await filled.stage.open('/_petri/', { viewport: { width: 900, height: 500 } })
    await show('settings')
    // The views above stay whole.
    const [rail, link] = await Promise.all(
      ['.rail', '.rail a'].map((part) => page.locator(part).first().boundingBox()),
    )
    expect(rail?.height).toBeGreaterThan(link?.height ?? 0)
    await page.mouse.move(400, 400)
    await page.mouse.wheel(0, 100_000)
    const end = async () => {
      const main = await page.locator('main').boundingBox()
      return (main?.y ?? 0) + (main?.height ?? 0)
    }
    await vi.waitUntil(async () => (await end()) <= 501)
  })
})
