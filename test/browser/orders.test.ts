import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitOrderAddress } from '../support/appointments.ts'
import { patient } from '../support/orders.ts'
import { hasBrowser, type Stage, setStage } from './browser.ts'
import { placeKit, startReceiver } from './scene.ts'

const DAY_MS = 86_400_000

describe.skipIf(!hasBrowser)('orders and the clock', { timeout: 60_000 }, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
    await placeKit(stage, 'happy-path')
  }, 60_000)
  afterAll(() => stage.close())

  const lastStatus = async (id: string) =>
    (await stage.call('GET', `/v3/order/${id}`)).body.last_event.status.split('.').at(-1)
  const clockOf = async () => (await stage.call('GET', '/_petri/clock')).body
  const stands = (page: Page, at: string) =>
    page.waitForSelector(`.clock time[datetime^="${at.slice(0, 19)}"]`)

  it('moves an order by a click on any legal move, and no other', async () => {
    const { page, show } = await stage.open()
    const legalOf = async (id: string): Promise<string[]> =>
      (await stage.call('POST', `/_petri/orders/${id}/move`, { status: 'corrected' })).body.legal
    const first = await placeKit(stage, 'manual')
    for (const status of await legalOf(first)) {
      const id = await placeKit(stage, 'manual')
      await show(`orders/${id}`)
      const low = status.split('.').at(-1) ?? ''
      const place = await page.locator('.menu > button').boundingBox()
      await page.click('.menu > button')
      await page.click(`[data-move="${status}"]`)
      await page.waitForSelector(`[data-stop=${low}][data-state=here]`)
      expect(await page.locator('.menu > button').boundingBox()).toEqual(place)
      expect(await page.locator('.moves').isVisible()).toBe(false)
      expect(await lastStatus(id)).toBe(low)
      const buttons = await page.$$eval('[data-move]', (all) =>
        all.map((each) => each.getAttribute('data-move')),
      )
      expect(buttons.sort()).toEqual([...(await legalOf(id))].sort())
    }
  })

  it('moves an order by a click on its map, and says in the form what only force can do', async () => {
    const { page, show } = await stage.open()
    const id = await placeKit(stage, 'manual')
    await show(`orders/${id}`)
    await page.click('[data-stop=requisition_created]')
    await page.waitForSelector('[data-stop=requisition_created][data-state=here]')
    await page.click('[data-stop=completed]', { force: true })
    const openForm = async () => {
      await page.click('.menu > button')
      await page.click('.moves button:has-text("with details")')
    }
    await openForm()
    await page.getByLabel('Status', { exact: true }).selectOption('completed.testkit.completed')
    await page.waitForSelector('dialog button:has-text("Force it")')
    await page.keyboard.press('Escape')
    expect(await lastStatus(id)).toBe('requisition_created')
    await openForm()
    await page.click('dialog button:has-text("Force it")')
    await page.waitForSelector('[data-stop=completed][data-state=here]')
    expect(await lastStatus(id)).toBe('completed')
  })

  it('says what to do now with one main button, and does it', async () => {
    const { page, show } = await stage.open()
    const kit = await placeKit(stage, 'happy-path', { name: 'Now What', isNamed: false })
    await show(`orders/${kit}`)
    const main = page.locator('.explanation button.primary')
    expect(await main.textContent()).toMatch(/^Advance to \d+ Mar \d\d:\d\d/)
    await page.click('.panel:has(.explanation) button:has-text("Copy as command")')
    await page.waitForSelector('button:has-text("Copied")')
    const command = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(command).toMatch(/^npx petri-sandbox clock advance --to \S+ --url http/)
    expect(await page.textContent('.explanation')).not.toContain('petri-sandbox')
    await page.click('summary:has-text("Why it is here")')
    expect(await page.textContent('.panel:has(.explanation) details')).toMatch(
      /The order is received\.testkit\.awaiting_registration since .*npx petri-sandbox clock set \S+ --url http/s,
    )
    await main.click()
    await page.waitForSelector('[data-stop=transit_customer][data-state=here]')
    await stage.call('POST', '/_petri/clock/advance', { by: '5d' })
    await page.waitForSelector('.explanation:has-text("Now What has not registered the kit")')
    await page.click('.explanation button.primary:text("Register the kit")')
    await page.waitForSelector('[data-stop=registered]:is([data-state=was], [data-state=here])')
  })

  it('saves an order as a scenario, and says what to run next', async () => {
    const { page, show } = await stage.open()
    const id = await placeKit(stage, 'happy-path')
    await stage.call('POST', '/_petri/clock/advance', { by: '2d' })
    await show(`orders/${id}`)
    const name = `order-${id.slice(0, 8)}`
    await page.click('.menu > button')
    await page.click('button:has-text("Save as scenario")')
    await page.waitForSelector(`dialog:has-text("scenario try ${name}.yaml")`)
    await page.click('dialog button:has-text("Keep it in this world")')
    await page.waitForSelector(`.panel:has-text("${name}.yaml") .ok`)
    expect(await stage.call('GET', `/_petri/scenarios/${name}`)).toAnswer(200)
  })

  it('books, moves and cancels an appointment for which a scenario waits', async () => {
    const { page, show } = await stage.open()
    const { body: user } = await stage.call('POST', '/v2/user', { client_user_id: 'visited' })
    const tests = await stage.call('GET', '/v3/lab_tests?collection_method=at_home_phlebotomy')
    const order = {
      user_id: user.user_id,
      lab_test_id: tests.body.at(-1).id,
      patient_details: patient,
      patient_address: visitOrderAddress,
    }
    const headers = { 'x-petri-scenario': 'at-home-happy-path' }
    const visit = (await stage.call('POST', '/v3/order', order, headers)).body.order.id
    await stage.call('POST', '/_petri/clock/advance', { by: '1d' })
    await show(`orders/${visit}`)
    await page.click('.explanation button.primary:has-text("Book")')
    await page.waitForSelector('[data-stop=appointment_scheduled][data-state=here]')
    const appointment = () => stage.call('GET', `/v3/order/${visit}/phlebotomy/appointment`)
    const { start_at: first, external_id } = (await appointment()).body
    await page.click('button:has-text("Move to the next slot")')
    await page.waitForSelector('[data-stop=appointment_scheduled]:has-text("×2")')
    const { body: moved } = await appointment()
    expect([moved.external_id, Date.parse(moved.start_at) > Date.parse(first)]).toEqual([external_id, true])
    await page.click('.panel:has(h2:text-is("Appointment")) button:has-text("Cancel it")')
    await page.waitForSelector('[data-stop=appointment_cancelled][data-state=here]')
    await page.click('button:has-text("Book another")')
    await page.waitForSelector('[data-stop=appointment_scheduled][data-state=here]')
  })

  it('moves the clock, sums up what happened, and agrees with another tab', async () => {
    const { page } = await stage.open()
    const other = await page.context().newPage()
    await other.goto(`${stage.url}/_petri/`)
    await other.waitForSelector('.clock time')
    const answering = page.waitForResponse((response) => response.url().endsWith('/clock/advance'))
    await page.click('.steps button:has-text("+1d")')
    const { effects } = (await (await answering).json()) as { effects: { kind: string }[] }
    const count = (kind: string) => effects.filter((effect) => effect.kind === kind).length
    const said = await page.textContent('.toast')
    expect(said).toMatch(new RegExp(`${count('order')} order move`))
    expect(said).toMatch(new RegExp(`${count('event')} event`))
    expect(said).toMatch(new RegExp(`${count('delivery')} deliver`))
    await page.click('.toast button')
    await page.waitForSelector('dialog .happened dt')
    expect(await page.locator('dialog .happened .tag').count()).toBe(count('order'))
    await page.keyboard.press('Escape')
    const clock = await clockOf()
    for (const each of [page, other]) await stands(each, clock.now)
    await page.click('.clock button:has-text("Next due")')
    await stands(page, clock.next_due)
    await stands(other, clock.next_due)
  })

  it('shows the advance of another client, and begins its own when that one is through', async () => {
    const receiver = await startReceiver()
    await stage.call('POST', '/_petri/webhooks/endpoints', { url: receiver.url })
    await placeKit(stage, 'happy-path')
    await stage.call('POST', '/_petri/clock/advance', { by: '1s' })
    const { page } = await stage.open()
    await page.waitForSelector('.dot.live')
    const before = Date.parse((await clockOf()).now)
    const release = receiver.hold()
    const advancing = stage.call('POST', '/_petri/clock/advance', { by: '1d' })
    await page.waitForSelector('.clock .state.advancing')
    await page.click('.steps button:has-text("+1d")')
    await page.waitForSelector('.toast:not(.error):has-text("Another client is moving the clock")')
    release()
    expect(await advancing).toAnswer(200)
    await stands(page, new Date(before + 2 * DAY_MS).toISOString())
    expect(Date.parse((await clockOf()).now)).toBe(before + 2 * DAY_MS)
    await page.waitForSelector('.clock .state.frozen')
    receiver.close()
  })

  it('stops an advance', async () => {
    const receiver = await startReceiver()
    await stage.call('POST', '/_petri/webhooks/endpoints', { url: receiver.url })
    await placeKit(stage, 'happy-path')
    const { page } = await stage.open()
    await page.waitForSelector('.dot.live')
    const release = receiver.hold()
    const asking = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.click('.clock button:has-text("Until idle")')
    await page.click('.clock button:has-text("Stop")')
    await asking
    release()
    await page.waitForSelector('.toast:has-text("The clock was stopped at")')
    expect((await clockOf()).pending).toBeGreaterThan(0)
    receiver.close()
  })
})
