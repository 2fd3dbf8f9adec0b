import { existsSync, mkdirSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { listen } from '../../src/listen.ts'
import { createPetri, type PetriOptions } from '../../src/petri.ts'
import type { World } from '../../src/world/world.ts'

/** The first browser there is; undefined without one. */
export const browserPath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
)

if (process.env.BROWSER_TESTS === 'required' && !browserPath) {
  throw new Error('BROWSER_TESTS=required, and no Chromium was found: apt-get install chromium')
}
console.log(
  browserPath
    ? `browser tests run in ${browserPath}`
    : 'browser tests are left out: no Chromium was found (apt-get install chromium, or set CHROMIUM)',
)

export const KEY = 'sk_us_browser'
export const START = Date.parse('2026-03-08T15:00:00Z')

export interface OpenPage {
  readonly page: Page
  /** What went wrong in it, or left its origin. */
  readonly trouble: string[]
  /** Resolves once nothing is asked any more, the stream aside, and that was drawn. */
  settled(): Promise<void>
}

export interface Stage {
  readonly url: string
  readonly world: () => World
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  open(path?: string, options?: BrowserContextOptions): Promise<OpenPage>
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any
}

/** Run in the page: resolves when what is there now was drawn. */
const TWO_FRAMES =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(1))))'

let browser: Promise<Browser> | undefined

const openBrowser = () => {
  browser ??= chromium.launch({
    executablePath: browserPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  return browser
}

export const closeBrowser = async () => (await browser)?.close()

/** A Petri at a port of its own, and pages of one browser that look at it. */
export async function setStage(options: Partial<PetriOptions> = {}): Promise<Stage> {
  const petri = await createPetri({
    firstWorld: {
      name: 'Petri',
      apiKey: KEY,
      seed: '1',
      frozen: true,
      now: START,
      pace: 8640,
      scenario: 'happy-path',
      webhookUrl: null,
    },
    ...options,
  })
  const server = await listen(petri.app, { host: '127.0.0.1', port: 0 })
  const close: (() => Promise<void>)[] = []
  return {
    url: server.url,
    world: () => petri.worlds.byKey(KEY) as World,
    async call(method, path, body, headers = {}) {
      const response = await petri.app.request(path, {
        method,
        headers: { 'x-service-api-key': KEY, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    },
    async open(path = '/_petri/', pageOptions = {}) {
      const context = await (await openBrowser()).newContext({
        viewport: { width: 1500, height: 940 },
        ...pageOptions,
      })
      close.push(() => context.close())
      const page = await context.newPage()
      const trouble: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text())
      })
      page.on('pageerror', (error) => trouble.push(String(error)))
      page.on('request', (request) => {
        const isOwn = request.url().startsWith(server.url) || /^(blob|data):/.test(request.url())
        if (!isOwn) trouble.push(`left the origin: ${request.url()}`)
      })
      const asked = new Set<unknown>()
      page.on('request', (request) => {
        if (!request.url().endsWith('/_petri/events')) asked.add(request)
      })
      page.on('requestfinished', (request) => asked.delete(request))
      page.on('requestfailed', (request) => asked.delete(request))
      const drawn = () => page.evaluate(TWO_FRAMES)
      const settled = async () => {
        do await drawn()
        while (asked.size > 0)
        await drawn()
      }
      await page.goto(`${server.url}${path}`)
      return { page, trouble, settled }
    },
    async close() {
      for (const end of close) await end()
      await server.close()
      await petri.close()
    },
  }
}

/** Pictures for whoever looks at them, and for the documentation where that is asked for. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}
