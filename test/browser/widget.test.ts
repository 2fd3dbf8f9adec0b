import { createServer, type Server } from 'node:http'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listening } from '../support/listening.ts'
import { hasBrowser, type Stage, setStage } from './browser.ts'

// A page of the user's, on another port, that loads the widget and calls the routes of a link token.

const html = (petri: string) => `<!doctype html><title>Mine</title><body>
<script src="${petri}/initialize.js"></script>
<script>
  window.told = []
  const tell = (name) => (...values) => window.told.push([name, ...values])
  window.handler = Vital.create({ onLoad: tell('load'), onSuccess: tell('success'), onError: tell('error'), onExit: tell('exit') })
</script>`

/** A React app of the user's with the published package, unchanged. */
const app = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { useVitalLink } from '@tryvital/vital-link'
window.told = []
const tell = (name) => (...values) => window.told.push([name, ...values])
const callbacks = { onLoad: tell('load'), onSuccess: tell('success'), onError: tell('error'), onExit: tell('exit') }
const App = () => {
  window.link = useVitalLink({ env: 'sandbox', ...callbacks })
  return null
}
const root = createRoot(document.getElementById('app'))
root.render(createElement(App))
window.unmount = () => root.unmount()
`

const PACKAGE_SCRIPT = 'https://link.tryvital.io/initialize.js'

/** The page of the app; `head` comes before its script. */
const appHtml = (head = '') => `<!doctype html><title>Mine</title>${head}<body><div id="app"></div>
<script src="/app.js"></script>`

const bundle = async () => {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}

let stage: Stage
let server: Server
let mine: string
let page: Page
let token: string

beforeAll(async () => {
  let petri = ''
  const script = hasBrowser ? await bundle() : ''
  const pages: Record<string, () => string> = {
    '/': () => html(petri),
    '/app': () => appHtml(),
    '/app-with-script': () =>
      appHtml(`<script src="${petri}/initialize.js"></script>
<script type="text/plain" src="${PACKAGE_SCRIPT}"></script>`),
    '/app.js': () => script,
  }
  server = createServer(({ url = '/' }, response) =>
    response
      .setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html')
      .end(pages[url]?.()),
  )
  mine = await listening(server)
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
const frame = () => page.frameLocator('iframe')

let named = 0
const newLinkToken = async () => {
  const user = await stage.call('POST', '/v2/user', { client_user_id: `user-${++named}` })
  token = (await stage.call('POST', '/v2/link/token', { user_id: user.body.user_id })).body.link_token
}

describe.runIf(hasBrowser)('the widget on a page of another origin', () => {
  beforeEach(async () => {
    await newLinkToken()
    page = (await stage.open(mine)).page
  })
  afterEach(() => page.close())

  const open = () => page.evaluate(`window.handler.open(${JSON.stringify(token)})`)

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
    const ask = (path: string, headers: Record<string, string>, more: RequestInit = {}) =>
      page.evaluate(([url, sent]) => fetch(url, sent).then(({ status }) => status, String), [
        `${stage.url}${path}`,
        { headers, ...more },
      ] as const)
    expect(await ask('/v2/link/providers', { 'x-vital-link-token': token })).toBe(200)
    expect(await ask('/v2/link/providers', { 'x-vital-link-token': 'lt_wrong' })).toBe(401)
    const checked = { 'x-vital-link-token': token, 'content-type': 'application/json' }
    const check = { method: 'POST', body: JSON.stringify({ token }) }
    expect(await ask('/v2/link/token/isValid', checked, check)).toBe(200)
    expect(await ask('/v2/link/providers', { 'x-vital-api-key': 'sk_us_browser' })).toMatch(/TypeError/)
    expect(await ask('/v2/user', { 'x-vital-api-key': 'sk_us_browser' })).toMatch(/TypeError/)
    expect(await ask('/_petri/world', { 'x-vital-api-key': 'sk_us_browser' })).toMatch(/TypeError/)
  })
})

describe.runIf(hasBrowser)('the published package, unchanged', () => {
  beforeEach(newLinkToken)
  afterEach(() => page.close())

  const isReady = () => page.waitForFunction('window.link?.ready && !window.link.error')
  const open = () => page.evaluate(`window.link.open(${JSON.stringify(token)})`)
  const connect = async () => {
    await frame().getByRole('link', { name: 'Fitbit' }).click()
    await frame().getByRole('button', { name: 'Allow' }).click()
    await page.waitForFunction('window.told.some(([name]) => name === "success")')
  }

  it('opens, connects and closes with the script of a tag in the page, and asks nothing of other hosts', async () => {
    const opened = await stage.open(`${mine}/app-with-script`)
    page = opened.page
    await isReady()
    await open()
    await connect()
    expect((await told()).map(([name]) => name)).toEqual(['load', 'success'])
    expect(await frames()).toBe(0)
    await newLinkToken()
    await open()
    await page.evaluate('window.link.exit({ force: true })')
    expect((await told()).at(-1)?.[0]).toBe('exit')
    await open()
    await page.evaluate('window.unmount()')
    expect(await frames()).toBe(0)
    expect(opened.trouble.filter((line) => line.includes('tryvital'))).toEqual([])
  })

  it('opens, connects and closes where its host leads to Petri', async () => {
    page = (await stage.open('about:blank')).page
    await page.route('https://link.tryvital.io/**', async (route) => {
      const url = route.request().url().replace('https://link.tryvital.io', stage.url)
      await route.fulfill({ response: await route.fetch({ url }) })
    })
    await page.goto(`${mine}/app`)
    await isReady()
    await open()
    await connect()
    expect(await frames()).toBe(0)
    await newLinkToken()
    await open()
    await frame().getByRole('link', { name: 'Close' }).click()
    await page.waitForFunction('window.told.at(-1)[0] === "exit"')
    expect(await frames()).toBe(0)
  })
})
