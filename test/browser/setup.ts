import { existsSync } from 'node:fs'
import type { BrowserServer } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browsers of this run listen, one for each worker; none without one. */
    browsers: readonly string[]
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The first draws no window, and opens a page in half the time. */
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']

/** The browser to test in, or none, and the line that says so. */
export function findBrowser({ CHROMIUM, BROWSER_TESTS }: Environment): { path?: string; words: string } {
  const candidates = CHROMIUM === undefined ? browsers : [CHROMIUM]
  const path = candidates.find((each) => existsSync(each))
  if (path) return { path, words: `browser tests run in ${path}` }
  const none = 'no Chromium was found (apt-get install chromium, or set CHROMIUM)'
  if (BROWSER_TESTS === 'required') throw new Error(`BROWSER_TESTS=required, and ${none}`)
  return { words: `browser tests are left out: ${none}` }
}

/** As many as vitest.config.ts has. */
const WORKERS = 2
const running: BrowserServer[] = []

/** Starts a browser for each worker, because a browser has one clipboard. */
export async function setup({ provide }: TestProject): Promise<void> {
  const { path, words } = findBrowser(process.env)
  console.log(words)
  for (let at = 0; path && at < WORKERS; at++) running.push(await launch(path))
  provide(
    'browsers',
    running.map((server) => server.wsEndpoint()),
  )
}

async function launch(executablePath: string): Promise<BrowserServer> {
  // Loaded here, because a test that needs no browser asks for one, too.
  const { chromium } = await import('playwright-core')
  return chromium.launchServer({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--enable-precise-memory-info',
    ],
  })
}

export const teardown = () => Promise.all(running.splice(0).map((server) => server.close()))
