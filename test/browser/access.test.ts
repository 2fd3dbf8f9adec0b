import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listening } from '../support/listening.ts'
import { hasBrowser, KEY, type Stage, setStage } from './browser.ts'

const TOKEN = 'a-control-token'

describe.skipIf(!hasBrowser)('who may see the page', { timeout: 60_000 }, () => {
  let stage: Stage
  const logged: string[] = []
  beforeEach(async () => {
    stage = await setStage({ controlToken: TOKEN, reportBug: (error) => logged.push(String(error)) })
  })
  afterEach(() => stage.close())

  it('is asked for a key where there is a control token, and told when it opens nothing', async () => {
    const { page } = await stage.open()
    await page.waitForSelector('.unlock')
    await page.fill('.unlock input', 'wrong')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.unlock :text("This opens no world.")')
    await page.fill('.unlock input', TOKEN)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.brand')
    await page.reload()
    await page.waitForSelector('.brand')
  })

  it.each([
    ['key', KEY],
    ['token', TOKEN],
  ])('opens with a %s behind the #, which goes nowhere else', async (name, secret) => {
    const { page, trouble, settled, show } = await stage.open('about:blank')
    const sent: string[] = []
    page.on('request', (request) => {
      sent.push(request.url(), request.headers().referer ?? '', request.postData() ?? '')
    })
    await page.goto(`${stage.url}/_petri/#${name}=${secret}`)
    await page.waitForSelector('.brand')
    await settled()
    expect(page.url()).not.toContain(secret)
    await show('settings')
    await show('requests')
    expect(sent.join('\n')).not.toContain(secret)
    expect(await page.context().cookies()).toEqual([])
    expect(await page.evaluate('Object.values(localStorage).join()')).not.toContain(secret)
    expect(await page.evaluate('document.body.innerText')).not.toContain(secret)
    const journal = await stage.call('GET', '/_petri/requests?limit=500')
    expect(JSON.stringify(journal.body)).not.toContain(secret)
    expect(logged.join('\n')).not.toContain(secret)
    // A key alone may not list the worlds, which the browser writes down.
    expect(trouble.filter((line) => !line.includes('status of 401'))).toEqual([])
  })

  it('is nobody on another port: nothing can be read, changed or framed', async () => {
    const foreign = createServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/html' })
      outgoing.end(`<iframe src="${stage.url}/_petri/"></iframe>`)
    })
    const { page } = await stage.open('about:blank')
    await page.goto(await listening(foreign))
    const before = (await stage.call('GET', '/_petri/clock')).body
    const tries = [
      `fetch('${stage.url}/_petri/world', { headers: { 'x-service-api-key': '${KEY}' } })`,
      `fetch('${stage.url}/v2/user', { headers: { 'x-service-api-key': '${KEY}', 'x-petri-aside': '1' } })`,
      `fetch('${stage.url}/_petri/clock/advance', { method: 'POST', body: '{"by":"1d"}', headers: { 'x-service-api-key': '${KEY}' } })`,
      `fetch('${stage.url}/_petri/worlds', { method: 'POST', mode: 'no-cors', body: '{}' }).then(({ type }) => type === 'opaque' ? Promise.reject() : type)`,
    ]
    for (const each of tries) {
      expect(await page.evaluate(`${each}.then(() => 'read', () => 'refused')`)).toBe('refused')
    }
    expect((await stage.call('GET', '/_petri/clock')).body).toEqual(before)
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect((await stage.call('GET', '/_petri/worlds', undefined, headers)).body.data).toHaveLength(1)
    expect(page.frames()[1]?.url()).toContain('chrome-error')
    foreign.close()
  })

  it('is asked for no key at an address of this machine without a token', async () => {
    const open = await setStage()
    const { page } = await open.open()
    await page.waitForSelector('.brand')
    await open.close()
  })
})
