import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, closeBrowser, KEY, picture, type Stage, setStage } from './browser.ts'
import { fillWorld, placeKit, type Receiver, startReceiver, views } from './scene.ts'

const axeSource = () => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const HOSTILE = `<img src=x onerror="alert(1)"><script>alert(2)</script> \u202Egnirts ${'w'.repeat(9000)} 🧪`

describe.skipIf(!browserPath)('the page', { timeout: 60_000 }, () => {
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

  const everywhere = () => [...views, `orders/${ids.orderId}`, `users/${ids.userId}`]
  const goTo = (page: Page, place: string) => page.goto(`${stage.url}/_petri/#/${place}`)
  const seriousFlaws = async (page: Page): Promise<string[]> => {
    await page.evaluate(axeSource())
    return page.evaluate(
      `axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] }).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`,
    )
  }

  it('opens from the root and asks nobody', async () => {
    const { page, settled } = await stage.open('/')
    await page.waitForSelector('table.rows tbody tr')
    expect(new URL(page.url()).pathname).toBe('/_petri/')
    await settled()
    await picture(page, 'page-orders')
    await goTo(page, `orders/${ids.orderId}`)
    await page.waitForSelector('.life')
    await settled()
    await picture(page, 'page-order')
    await page.close()
  })

  it.each(['light', 'dark'] as const)(
    'shows every view in %s, with nothing wrong in it',
    async (colorScheme) => {
      const { page, trouble, settled } = await stage.open('/_petri/', { colorScheme })
      for (const place of everywhere()) {
        await goTo(page, place)
        await page.waitForSelector('main h1')
        await settled()
        await picture(page, `${colorScheme}-${place.replace('/', '-').slice(0, 14)}`)
        expect([place, await seriousFlaws(page)]).toEqual([place, []])
      }
      expect(trouble).toEqual([])
      await page.close()
    },
  )

  it('fits a narrow screen without scrolling sideways', async () => {
    const { page, settled } = await stage.open('/_petri/', { viewport: { width: 360, height: 740 } })
    for (const place of everywhere()) {
      await goTo(page, place)
      await page.waitForSelector('main h1')
      await settled()
      await picture(page, `narrow-${place.replace('/', '-').slice(0, 14)}`)
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect([place, beyond]).toEqual([place, 0])
    }
    await page.close()
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
    const { page, settled } = await stage.open()
    for (const place of everywhere()) {
      await goTo(page, place)
      await page.waitForSelector('main h1')
      await settled()
    }
    stop()
    expect(heard).toEqual([])
    expect(await traces()).toEqual(before)
    await stage.call('DELETE', '/_petri/faults')
    await page.close()
  })

  it('shows an order within a second, and moves it by a click', async () => {
    const { page } = await stage.open()
    await page.waitForSelector('table.rows tbody tr')
    const id = await placeKit(stage, 'manual', { name: 'New Person' })
    await page.waitForSelector(`a[href="#/orders/${id}"]`, { timeout: 1000 })
    await goTo(page, `orders/${id}`)
    await page.click('.moves button:has-text("requisition created")')
    await page.waitForSelector('[data-stop=requisition_created][data-state=here]')
    expect((await stage.call('GET', `/v3/order/${id}`)).body.last_event.status).toBe(
      'received.testkit.requisition_created',
    )
    await page.click('[data-stop=transit_customer]')
    await page.waitForSelector('[data-stop=transit_customer][data-state=here]')
    await page.check('.moves input[type=checkbox]')
    await page.selectOption('.moves select', 'completed.testkit.completed')
    await page.waitForSelector('dialog:has-text("Force a move")')
    await page.keyboard.press('Escape')
    expect((await stage.call('GET', `/v3/order/${id}`)).body.last_event.status).toContain('transit_customer')
    await page.close()
  })

  it('moves the clock, sums up what happened, and agrees with another tab', async () => {
    const { page } = await stage.open()
    const other = await page.context().newPage()
    await other.goto(`${stage.url}/_petri/`)
    await other.waitForSelector('.clock time')
    await page.click('.steps button:has-text("+1d")')
    await page.waitForSelector('.toast')
    const { body: clock } = await stage.call('GET', '/_petri/clock')
    for (const each of [page, other])
      await each.waitForSelector(`.clock time[datetime^="${clock.now.slice(0, 19)}"]`)
    await page.click('.clock button:has-text("Next due")')
    await page.waitForSelector(`.clock time[datetime^="${clock.next_due.slice(0, 19)}"]`)
    await page.context().close()
  })

  it('lets a message that failed be sent again, and judges its signature', async () => {
    receiver.answer(500)
    const id = await placeKit(stage, 'manual', { name: 'Web Hook' })
    await stage.call('POST', '/_petri/clock/advance', { by: '1s' })
    const { page } = await stage.open(`/_petri/#/webhooks?q=${id}`)
    await page.waitForSelector('.attempts .c5')
    await page.waitForSelector('.verdict.valid')
    await page.fill('input[placeholder="whsec_…"]', 'whsec_b3RoZXI=')
    await page.waitForSelector('.verdict.invalid')
    receiver.answer(204)
    await page.click('.detail button:has-text("Resend now")')
    await page.waitForSelector('.facts .tag.completed:has-text("delivered")')
    await page.close()
  })

  it('shows a call whose field nothing reads, and a curl that does the same', async () => {
    const { body: user } = await stage.call('POST', '/v2/user', {
      client_user_id: 'typo',
      fallback_timezone: 'x',
    })
    const { page } = await stage.open('/_petri/#/requests')
    await page.waitForSelector('.note.warn:has-text("body.fallback_timezone")')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await goTo(page, `users/${user.user_id}`)
    await goTo(page, 'orders')
    await page.click('.controls button:has-text("Copy as curl")')
    const line = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(line).not.toContain(KEY)
    const { stdout } = await promisify(execFile)('sh', ['-c', line], {
      env: { ...process.env, PETRI_API_KEY: KEY },
    })
    expect(JSON.parse(stdout)).toEqual((await stage.call('GET', '/_petri/orders?limit=100')).body)
    await page.close()
  })

  it('marks what is wrong in a scenario as one types, in the words of the check', async () => {
    const { page } = await stage.open('/_petri/#/scenarios/happy-path')
    const text = page.locator('.editor .cm-content')
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('  - { after: 1d, status: lost }\n')
    await page.waitForSelector('.issues li', { timeout: 5000 })
    const source = String(await page.evaluate("sessionStorage.getItem('petri.draft.scenario.happy-path')"))
    const { body } = await stage.call('POST', '/_petri/scenarios/check', { source })
    expect(body.refusals[0].step).toBeGreaterThan(1)
    expect(await page.textContent('.issues li')).toContain(body.refusals[0].message)
    await page.reload()
    await page.waitForSelector('.issues li')
    await page.close()
  })

  it('counts in its cells what the coverage counts, and leads to what was never met', async () => {
    const { page, settled } = await stage.open('/_petri/#/coverage')
    await page.waitForSelector('.cell')
    await settled()
    const { body } = await stage.call('GET', '/_petri/coverage')
    const cells: [string, string][] = await page.$$eval('.panel:first-of-type .cell', (all) =>
      all.map((cell) => [cell.getAttribute('data-name') ?? '', cell.getAttribute('data-count') ?? '']),
    )
    const met = Object.fromEntries(
      cells.filter(([, count]) => count !== '0').map(([name, count]) => [name, Number(count)]),
    )
    expect(met).toEqual(body.order_statuses.met)
    expect(
      cells
        .filter(([, count]) => count === '0')
        .map(([name]) => name)
        .sort(),
    ).toEqual([...body.order_statuses.never].sort())
    await page.click('button:has-text("Order one that does")')
    await page.waitForSelector('.toast:has-text("The order is placed")')
    await page.close()
  })

  it('works in seven tabs with one stream', async () => {
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
    for (const tab of tabs) await tab.waitForSelector(`a[href="#/orders/${id}"]`)
    await page.close()
    const second = await placeKit(stage, 'manual', { name: 'Six Tabs' })
    for (const tab of tabs.slice(1)) await tab.waitForSelector(`a[href="#/orders/${second}"]`)
    expect(streams).toBe(1)
    await context.close()
  })

  it('can be used with the keyboard alone', async () => {
    const { page } = await stage.open()
    await page.waitForSelector('table.rows tbody tr')
    const before = (await stage.call('GET', '/_petri/orders')).body.total
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Place an order')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog:has-text("How the sample is collected")')
    const place = page.locator('dialog button:has-text("Place"):not([disabled])').first()
    await place.focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('.life')
    expect((await stage.call('GET', '/_petri/orders')).body.total).toBe(before + 1)
    await page.keyboard.press('.')
    await page.waitForSelector('.toast:has-text("The clock stands at")')
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.waitForSelector('.phases')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.life')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog:has-text("Keys")')
    await page.keyboard.press('Escape')
    expect(await page.locator('dialog').count()).toBe(0)
    await page.close()
  })

  it('shows hostile text as text', async () => {
    await placeKit(stage, 'manual', { user: HOSTILE.slice(0, 200) })
    await stage.call('POST', '/v2/user', { client_user_id: 'x', [HOSTILE.slice(0, 60)]: HOSTILE })
    await stage.call('GET', `/v2/${encodeURIComponent(HOSTILE.slice(0, 300))}`)
    const { page, trouble, settled } = await stage.open()
    for (const place of [
      'orders',
      'users',
      'webhooks',
      'requests',
      'scenarios/%3Cimg%20src=x%3E',
      'api/%3Cb%3E',
      '%3Cscript%3E',
    ]) {
      await goTo(page, place)
      await page.waitForSelector('main h1, main .empty')
      await settled()
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    }
    // What is not there is refused, which the browser writes down too.
    expect(trouble.filter((line) => !/status of 4\d\d/.test(line))).toEqual([])
    await page.close()
  })

  it('says that the world was reset, and goes on', async () => {
    const own = await setStage()
    const { page } = await own.open()
    await page.waitForSelector('.dot.live')
    await own.call('POST', '/_petri/reset')
    await page.waitForSelector('.banner:has-text("This world was reset")')
    const id = await placeKit(own, 'manual')
    await page.waitForSelector(`a[href="#/orders/${id}"]`)
    await own.close()
  })

  it('asks for a key where there is a control token, keeps it out of the address, and is closed to other pages', async () => {
    const own = await setStage({ controlToken: 'a-token' })
    const { page } = await own.open()
    await page.waitForSelector('.unlock')
    await page.fill('.unlock input', 'a-token')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.brand')
    const linked = await own.open(`/_petri/#key=${KEY}`)
    await linked.page.waitForSelector('.brand')
    expect(linked.page.url()).not.toContain(KEY)
    expect(await linked.page.context().cookies()).toEqual([])
    const foreign = createServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/html' })
      outgoing.end(`<iframe src="${own.url}/_petri/"></iframe>`)
    })
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
    const elsewhere = await own.open()
    await elsewhere.page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`)
    const read = await elsewhere.page.evaluate(
      `fetch('${own.url}/_petri/world', { headers: { 'x-service-api-key': '${KEY}' } }).then(() => 'read', () => 'refused')`,
    )
    expect(read).toBe('refused')
    expect(elsewhere.page.frames()[1]?.url()).toContain('chrome-error')
    foreign.close()
    await own.close()
  })
})
