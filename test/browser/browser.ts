import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { inject, onTestFinished, TestRunner } from 'vitest'
import { type Listening, listen } from '../../src/listen.ts'
import { createPetri, type Petri, type PetriOptions } from '../../src/petri.ts'
import type { World } from '../../src/world/world.ts'

/** Whether there is a browser to test in. */
export const hasBrowser = inject('browsers').length > 0

export const KEY = 'sk_us_browser'
export const START = Date.parse('2026-03-08T15:00:00Z')

export interface OpenPage {
  readonly page: Page
  /** What went wrong in it, or left its origin. */
  readonly trouble: string[]
  /** Resolves once nothing is asked any more, the stream aside, and that was drawn. */
  settled(): Promise<void>
  /** Goes to a view, such as `orders`, and waits until it has settled. */
  show(place: string): Promise<void>
}

export interface Stage {
  readonly url: string
  readonly world: () => World
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Opens a page, which is closed when the running test ends; otherwise with the stage. */
  open(path?: string, options?: BrowserContextOptions): Promise<OpenPage>
  /** Stops Petri and leaves its pages open. */
  stop(): Promise<void>
  /** Starts Petri again, at the same address. */
  startAgain(changed?: Partial<PetriOptions>): Promise<void>
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

const connection: { browser?: Promise<Browser> } = {}

/** The browser that all tests of a worker share. */
const openBrowser = (): Promise<Browser> => {
  const browsers = inject('browsers')
  const own = browsers[Number(process.env.VITEST_POOL_ID ?? 1) % browsers.length]
  connection.browser ??= chromium.connect(own ?? '')
  return connection.browser
}

/** A Petri at a port of its own, and pages of one browser that look at it. */
export async function setStage(options: Partial<PetriOptions> = {}): Promise<Stage> {
  const startPetri = (changed: Partial<PetriOptions> = {}) =>
    createPetri({
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
      ...changed,
    })
  let petri: Petri = await startPetri()
  let server: Listening = await listen(petri.app, { host: '127.0.0.1', port: 0 })
  const { url } = server
  const contexts: { close(): Promise<void> }[] = []
  const stop = async () => {
    await server.close()
    await petri.close()
  }
  return {
    url,
    world: () => petri.worlds.byKey(KEY) as World,
    stop,
    async startAgain(changed) {
      petri = await startPetri(changed)
      server = await listen(petri.app, { host: '127.0.0.1', port: Number(new URL(url).port) })
    },
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
        // Wide enough for the activity beside the view.
        viewport: { width: 1640, height: 940 },
        permissions: ['clipboard-read', 'clipboard-write'],
        ...pageOptions,
      })
      contexts.push(context)
      if (TestRunner.getCurrentTest()) onTestFinished(() => context.close())
      return openPage(await context.newPage(), url, path)
    },
    async close() {
      for (const context of contexts) await context.close()
      await stop()
    },
  }
}

async function openPage(page: Page, url: string, path: string): Promise<OpenPage> {
  const trouble: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text())
  })
  page.on('pageerror', (error) => trouble.push(String(error)))
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(url) || /^(blob|data):/.test(request.url())
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
  const show = async (place: string) => {
    await page.goto(`${url}/_petri/#/${place}`)
    await page.waitForSelector('main h1, main .empty')
    await settled()
  }
  await page.goto(path.startsWith('/') ? `${url}${path}` : path)
  return { page, trouble, settled, show }
}

/** Pictures for whoever looks at them, and for the documentation where that is asked for. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: !name.startsWith('page-') })
}

const axeSource = () => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21aa']

/** Rules whose result depends on the colours; the others are the same in light and dark. */
export const COLOURS = ['color-contrast', 'link-in-text-block']

/** What keeps people from using what is shown, as axe finds it: the serious and the critical. */
export async function seriousFlaws(page: Page, rules = EVERYTHING): Promise<string[]> {
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(axeSource())
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], preload: false, runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  )
}

/** Resolves once an expression is true in the page. */
export async function until(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate(expression))) await page.evaluate(TWO_FRAMES)
}

/** By how many pixels what is shown is wider than its window. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')
