import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { address, patient } from '../support/orders.ts'
import { hasBrowser, overhang, picture, type Stage, seriousFlaws, setStage } from './browser.ts'

const SDK = { 'x-vital-ios-sdk-version': '1.8.8' }
const PROVIDER = 'apple_health_kit'

describe.skipIf(!hasBrowser)('the page of a user', { timeout: 60_000 }, () => {
  let stage: Stage
  let user: string
  beforeAll(async () => {
    stage = await setStage()
    user = (await stage.call('POST', '/v2/user', { client_user_id: 'ada' })).body.user_id
  })
  afterAll(() => stage.close())

  const openUser = async () => {
    const opened = await stage.open()
    await opened.show(`users/${user}`)
    const panel = (title: string) =>
      opened.page.locator('.panel', { has: opened.page.locator(`h2:text-is("${title}")`) })
    return { ...opened, panel }
  }

  async function signIn(): Promise<void> {
    const { sign_in_token } = (await stage.call('POST', `/v2/user/${user}/sign_in_token`)).body
    const { user_token } = JSON.parse(Buffer.from(sign_in_token, 'base64').toString())
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:junction:sign-in-token',
      subject_token: user_token,
    })
    vi.unstubAllGlobals()
    const answer = await fetch(`${stage.url}/auth/v1/token`, { method: 'POST', body: form })
    expect(answer).toAnswer(200)
  }

  async function upload(): Promise<void> {
    await stage.call('POST', `/v2/link/provider/manual/${PROVIDER}`, { user_id: user }, SDK)
    const range = { range_start: '2026-02-08T15:00:00Z', range_end: '2026-03-08T15:00:00Z' }
    const stagePath = `/v2/user/${user}/sdk_start_historical_stage/${PROVIDER}`
    await stage.call('POST', stagePath, { ...range, backfill_type: 'sleep' }, SDK)
    const at = '2026-03-08T14:00:00Z'
    const sample = { value: 60, start_date: at, end_date: at, unit: 'bpm' }
    const body = {
      stage: 'historical',
      start_date: range.range_start,
      end_date: range.range_end,
      time_zone: 'Europe/Berlin',
      provider: PROVIDER,
      data: [sample, { ...sample, start_date: '2026-03-08T13:00:00Z' }],
    }
    expect(await stage.call('POST', `/v2/timeseries/${user}/heartrate`, body, SDK)).toAnswer(200)
    const report = {
      sync_progress: { backfill_types: {} },
      device_info: { os_version: '26.1', model: 'iPhone17,1', app_version: '4.2' },
    }
    const progressPath = `/v2/user/${user}/sdk_sync_progress/${PROVIDER}`
    expect(await stage.call('POST', progressPath, report, SDK)).toAnswer(200)
  }

  async function openCheckout(): Promise<void> {
    const tests = await stage.call('GET', '/v3/lab_tests?collection_method=walk_in_test')
    const quote = await stage.call('POST', '/checkout/v1/quote', {
      order_set: { lab_test_ids: [tests.body.at(-1).id] },
      modality: 'walk_in_test',
      priority: false,
      us_state: 'AZ',
    })
    const { status } = await stage.call('POST', '/checkout/v1/session', {
      quote_id: quote.body.id,
      user_id: user,
      payment: {
        channel: 'stripe',
        method: 'checkout_session',
        success_url: 'https://app.test/done',
        cancel_url: null,
      },
      patient_details: patient,
      patient_address: address,
    })
    expect(status).toBe(200)
  }

  it('has no panel for phones and checkout before there is one', async () => {
    const { panel } = await openUser()
    expect(await panel('Connections').count()).toBe(1)
    expect([await panel('Phones').count(), await panel('Checkout').count()]).toEqual([0, 0])
  })

  it('shows who the person is, and makes it another', async () => {
    const { page, panel, trouble } = await openUser()
    const person = panel('Person')
    await person.getByLabel('Persona').selectOption('type-2-diabetes')
    await person.getByText('female, born').waitFor()
    await person.getByText('type 2 diabetes').waitFor()
    const rows = await person.locator('tbody tr').allTextContents()
    expect(rows.some((row) => row.startsWith('type 2 diabetes') && row.includes('ongoing'))).toBe(true)
    expect(rows.some((row) => row.startsWith('antihypertensive'))).toBe(true)
    expect(await seriousFlaws(page)).toEqual([])
    await picture(page, 'person')
    expect(trouble).toEqual([])
  })

  it('shows what phones have uploaded, and makes them sign in again', async () => {
    await signIn()
    await upload()
    const { page, panel, trouble } = await openUser()
    const phones = panel('Phones')
    await phones.getByText('1 app signed in').waitFor()
    expect(await phones.locator('.tag').first().textContent()).toBe('active')
    expect(await phones.locator('.facts').textContent()).toContain('iPhone17,1, 26.1, 4.2')
    const rows = await phones.locator('tbody tr').allTextContents()
    expect(rows).toEqual(['heartrate2nowcomplete', 'sleep0incomplete'])
    expect(await seriousFlaws(page)).toEqual([])
    await picture(page, 'phones')
    await phones.getByRole('button', { name: 'Revoke' }).click()
    await phones.getByText('0 apps signed in').waitFor()
    expect(trouble).toEqual([])
  })

  it('shows a checkout session, which is paid there and leads to its order', async () => {
    await openCheckout()
    const { page, panel, trouble } = await openUser()
    const checkout = panel('Checkout')
    await checkout.getByText('unpaid').waitFor()
    expect(await checkout.textContent()).toMatch(
      /\$\d+\.\d\d.*walk-in: lab test fee \$\d+\.\d\d, draw fee \$10\.00/,
    )
    expect(await checkout.getByRole('link', { name: 'Payment page' }).getAttribute('href')).toContain(
      '/checkout/pay?token=',
    )
    expect(await seriousFlaws(page)).toEqual([])
    await picture(page, 'checkout')
    await checkout.getByRole('button', { name: 'Pay', exact: true }).click()
    await checkout.getByText('paid', { exact: true }).waitFor()
    expect(await checkout.getByRole('button').count()).toBe(0)
    await checkout.getByRole('link').click()
    await page.waitForSelector('.life')
    await panel('Checkout').getByText('paid', { exact: true }).waitFor()
    expect(trouble).toEqual([])
  })

  it('fits a narrow screen with both', async () => {
    const { page, show } = await stage.open('/_petri/', { viewport: { width: 360, height: 740 } })
    await show(`users/${user}`)
    await page.waitForSelector('h2:text-is("Phones")')
    expect(await overhang(page)).toBe(0)
  })
})
