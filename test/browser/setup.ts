import { existsSync } from 'node:fs'
import { type BrowserServer, chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of this run listens; empty without one. */
    browser: string
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The browser to test in, or none, and the line that says so. */
export function findBrowser({ CHROMIUM, BROWSER_TESTS }: Environment): { path?: string; words: string } {
  const candidates = CHROMIUM === undefined ? ['/usr/bin/chromium', '/usr/bin/google-chrome'] : [CHROMIUM]
  const path = candidates.find((each) => existsSync(each))
  if (path) return { path, words: `browser tests run in ${path}` }
  const none = 'no Chromium was found (apt-get install chromium, or set CHROMIUM)'
  if (BROWSER_TESTS === 'required') throw new Error(`BROWSER_TESTS=required, and ${none}`)
  return { words: `browser tests are left out: ${none}` }
}

const running: { server?: BrowserServer } = {}

/** Starts one browser for all tests. */
export async function setup({ provide }: TestProject): Promise<void> {
  const { path, words } = findBrowser(process.env)
  console.log(words)
  if (!path) return provide('browser', '')
  running.server = await chromium.launchServer({
    executablePath: path,
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
  provide('browser', running.server.wsEndpoint())
}

export const teardown = () => running.server?.close()
