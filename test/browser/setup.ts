import { existsSync } from 'node:fs'
import { type BrowserServer, chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of this run listens; empty without one. */
    browser: string
  }
}

const { CHROMIUM, BROWSER_TESTS } = process.env
const candidates = CHROMIUM === undefined ? ['/usr/bin/chromium', '/usr/bin/google-chrome'] : [CHROMIUM]
const path = candidates.find((each) => existsSync(each))

const running: { server?: BrowserServer } = {}

/** Starts one browser for all tests. */
export async function setup({ provide }: TestProject): Promise<void> {
  if (!path && BROWSER_TESTS === 'required') {
    throw new Error('BROWSER_TESTS=required, and no Chromium was found: apt-get install chromium')
  }
  console.log(
    path
      ? `browser tests run in ${path}`
      : 'browser tests are left out: no Chromium was found (apt-get install chromium, or set CHROMIUM)',
  )
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
