import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasBrowser, type Stage, setStage } from './browser.ts'

// A page of the user's, on another port, that loads the widget and calls the routes of a link token.

const html = (petri: string) => `<!doctype html><title>Mine</title><body>
<script src="${petri}/initialize.js"></script>
<script>
  window.told = []
  const tell = (name) => (...values) => window.told.push([name, ...values])
  window.handler = Vital.create({ onLoad: tell('load'), onSuccess: tell('success'), onError: tell('error'), onExit: tell('exit') })
</script>`

let stage: Stage
let server: Server
let mine: string
let page: Page
let token: string

beforeAll(async () => {
  let petri = ''
  server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html(petri)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  mine = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (!hasBrowser) return
  stage = await setStage({ linkOrigins: [mine], baseUrl: () => petri })
  petri = stage.url
})
afterAll(async () => {
  server.close()
  await stage?.close()
})

const told = () => page.evaluate('window.told') as Promise<[string, Record<string, unknown>?][]>
const frames = () => page.locator('iframe').count()

describe.runIf(hasBrowser)('the widget on a page of another origin', () => {
  let named = 0
  beforeEach(async () => {
    const user = await stage.call('POST', '/v2/user', { client_user_id: `user-${++named}` })
    token = (await stage.call('POST', '/v2/link/token', { user_id: user.body.user_id })).body.link_token
    page = (await stage.open(mine)).page
  })
  afterEach(() => page.close())

  const open = () => page.evaluate(`window.handler.open(${JSON.stringify(token)})`)
  const frame = () => page.frameLocator('iframe')

  it('connects a provider, and tells the page', async () => {
    await open()
    await frame().getByRole('link', { name: 'Fitbit' }).click()
    await frame().getByRole('button', { name: 'Allow' }).click()
    await page.waitForFunction('window.told.some(([name]) => name === "success")')
    const [loaded, [, metadata] = []] = await told()
    expect(loaded?.[0]).toBe('load')
    expect(metadata).toMatchObject({
      userId: expect.any(String),
      provider_slug: 'fitbit',
      connected: [{ name: 'Fitbit', providerSlug: 'fitbit', source: { slug: 'fitbit' } }],
    })
    expect(await frames()).toBe(0)
    const { body } = await stage.call('GET', `/v2/user/${metadata?.userId}`)
    expect(body.connected_sources).toMatchObject([{ source: { slug: 'fitbit' } }])
  })

  it('tells an error, and an exit by its button', async () => {
    await open()
    await frame().getByRole('link', { name: 'Fitbit' }).click()
    await frame().getByRole('button', { name: 'Deny' }).click()
    await page.waitForFunction('window.told.some(([name]) => name === "error")')
    expect((await told()).at(-1)?.[1]).toMatchObject({ error_type: expect.any(String) })
    await page.getByRole('button', { name: 'Close' }).click()
    expect((await told()).at(-1)?.[0]).toBe('exit')
    expect(await frames()).toBe(0)
  })

  it('closes from within, by exit and by destroy, and tells an exit only once', async () => {
    await open()
    await frame().getByRole('link', { name: 'Close' }).click()
    await page.waitForFunction('window.told.some(([name]) => name === "exit")')
    await page.evaluate('window.handler.exit({ force: true })')
    const exits = (await told()).filter(([name]) => name === 'exit')
    expect([exits.length, await frames()]).toEqual([1, 0])
    await open()
    await page.evaluate('window.handler.exit({ force: true })')
    expect((await told()).at(-1)).toEqual(['exit', { force: true }])
    await open()
    await page.evaluate('window.handler.destroy()')
    expect(await frames()).toBe(0)
  })

  it('does not believe messages of other windows', async () => {
    await open()
    await page.waitForFunction('window.told.length === 1')
    await page.evaluate(`window.postMessage({ type: 'petri:link', event: 'success', data: {} }, '*')`)
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    expect((await told()).map(([name]) => name)).toEqual(['load'])
  })

  it('leaves the routes of a link token open to the page, and no others', async () => {
    const ask = (path: string, headers: Record<string, string>) =>
      page.evaluate(
        ([url, sent]) =>
          fetch(url as string, { headers: sent as Record<string, string> }).then(
            ({ status }) => status,
            String,
          ),
        [`${stage.url}${path}`, headers] as const,
      )
    expect(await ask('/v2/link/providers', { 'x-vital-link-token': token })).toBe(200)
    expect(await ask('/v2/link/providers', { 'x-vital-link-token': 'lt_wrong' })).toBe(401)
    expect(await ask('/v2/link/providers', { 'x-vital-api-key': 'sk_us_browser' })).toMatch(/TypeError/)
    expect(await ask('/v2/user', { 'x-vital-api-key': 'sk_us_browser' })).toMatch(/TypeError/)
    expect(await ask('/_petri/world', { 'x-vital-api-key': 'sk_us_browser' })).toMatch(/TypeError/)
  })
})
