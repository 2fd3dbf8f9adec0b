import { existsSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startPetri, stop } from '../support/cli.ts'
import { address, patient } from '../support/orders.ts'
import { type Answer, hasBrowser, KEY, type OpenPage, type Stage, setStage, until } from './browser.ts'

const ORDERS = 10_000
const EVENTS = 2000
/** The most tries while the best is too slow: others' load only adds to a time. */
const MAX_TRIES = 10
/** Rounds of an advance alone and watched; a ratio is that of the best of each. */
const ROUNDS = 3
const MAX_HEAP_BYTES = 60e6

/** The first measurement below the limit, or the least of many. */
async function least(limit: number, measure: () => Promise<number>, tries = 1): Promise<number> {
  let found = Number.POSITIVE_INFINITY
  for (let nth = 0; nth < tries || (nth < MAX_TRIES && found >= limit); nth++)
    found = Math.min(found, await measure())
  return found
}

/** Bytes that are in use after garbage was collected. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

/** Milliseconds of processor time that a process has taken so far, all its threads together. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

const hasProc = existsSync('/proc/self/stat')
const MS_PER_TICK = 10

/** What says that a view shows what it is for. */
const places = [
  ['users', 'table.rows tbody tr'],
  ['webhooks', '.list a'],
  ['requests', '.list a'],
  ['scenarios', '.list a'],
  ['faults', 'main form'],
  ['coverage', '.cell'],
  ['snapshots', '.empty'],
  ['api', '.list a'],
  ['settings', '.switches li'],
  ['orders', 'table.rows tbody tr'],
] as const

/** Run before the page: remembers tasks over 50 ms, answers to keys and clicks, and when a row was there first. */
const RECORD = `
  globalThis.tasks = []
  globalThis.answers = []
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) tasks.push(duration) }).observe({ type: 'longtask' })
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) answers.push(duration) }).observe({ type: 'event', durationThreshold: 16 })
  new MutationObserver(() => {
    if (globalThis.firstRowAt === undefined && document.querySelector('table.rows tbody tr')) globalThis.firstRowAt = performance.now()
  }).observe(document, { childList: true, subtree: true })`

/** A task of 100 ms, which shows that tasks are remembered. */
const BUSY_TASK = `
  tasks.length = 0
  setTimeout(() => { for (const since = performance.now(); performance.now() < since + 100; ); })`

describe.skipIf(!hasBrowser)('the page with much to show', { timeout: 240_000 }, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage({ transport: async () => ({ status: 204, headers: {}, body: '' }) })
    const { body: user } = await stage.call('POST', '/v2/user', { client_user_id: 'ada' })
    const [{ id: lab_test_id }] = (await stage.call('GET', '/v3/lab_tests?collection_method=testkit')).body
    placing.body = { user_id: user.user_id, lab_test_id, patient_details: patient, patient_address: address }
    await place(3000)
  }, 240_000)
  afterAll(() => stage.close())

  const placing: { body: object } = { body: {} }
  const place = async (count: number) => {
    for (let at = 0; at < count; at++) {
      const { status } = await stage.call('POST', '/v3/order', placing.body)
      if (status !== 200) throw new Error(`order ${at}: ${status}`)
    }
  }

  async function recorded(url = `${stage.url}/_petri/`): Promise<OpenPage> {
    const opened = await stage.open('about:blank')
    await opened.page.addInitScript(RECORD)
    await opened.page.goto(url)
    return opened
  }

  it('paints at once, and has its first rows within 1.5 s of 3,000 orders', async () => {
    let [paint, rows] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let nth = 0; nth < MAX_TRIES && (paint >= 500 || rows >= 1500); nth++) {
      const { page } = await recorded()
      await until(page, 'globalThis.firstRowAt !== undefined')
      const took = (await page.evaluate(
        "[performance.getEntriesByName('first-contentful-paint')[0].startTime, globalThis.firstRowAt]",
      )) as [number, number]
      paint = Math.min(paint, took[0])
      rows = Math.min(rows, took[1])
    }
    console.log(`first paint ${Math.round(paint)} ms, first rows ${Math.round(rows)} ms`)
    expect(paint).toBeLessThan(500)
    expect(rows).toBeLessThan(1500)
  })

  it('shows a new order within a second, and what is wrong with a scenario within half of one', async () => {
    const { page, show } = await stage.open()
    await page.waitForSelector('.dot.live')
    const shown = await least(1000, async () => {
      const since = performance.now()
      const { body } = await stage.call('POST', '/v3/order', placing.body)
      await page.waitForSelector(`a[href="#/orders/${body.order.id}"]`)
      return performance.now() - since
    })
    await show('scenarios?new=1')
    await page.waitForSelector('.editor .cm-content')
    const [issue, sources] = [
      "document.querySelector('.issues li')?.textContent ?? ''",
      ['name: [\n', 'nam: a\n'],
    ]
    let tries = 0
    const marked = await least(500, async () => {
      const before = await page.evaluate(issue)
      await page.locator('.editor .cm-content').click()
      await page.keyboard.press('Control+a')
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(sources[tries++ % 2])})`)
      const since = performance.now()
      await page.keyboard.press('Control+v')
      await until(page, `(${issue}) !== ${JSON.stringify(before)}`)
      return performance.now() - since
    })
    console.log(
      `a new order: shown in ${Math.round(shown)} ms; a scenario: marked in ${Math.round(marked)} ms`,
    )
    expect(shown).toBeLessThan(1000)
    expect(marked).toBeLessThan(500)
  })

  it('shows each view within a second and answers within 100 ms at 10,000 orders', async () => {
    await place(ORDERS - EVENTS - (await stage.call('GET', '/_petri/orders')).body.total)
    // Last, because the log keeps the latest.
    await stage.call('POST', '/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9/' })
    await place(EVENTS)
    const [{ id }] = (await stage.call('GET', '/_petri/webhooks/endpoints')).body.data
    await stage.call('PATCH', `/_petri/webhooks/endpoints/${id}`, { disabled: true })
    expect((await stage.call('GET', '/_petri/orders')).body.total).toBe(ORDERS)
    const { page, settled } = await recorded()
    await page.waitForSelector('table.rows tbody tr')
    await settled()
    const [slow, late]: [string[], string[]] = [[], []]
    for (const [place, selector] of places) {
      const shown = await least(1000, async () => {
        await page.evaluate("location.hash = '#/nothing'")
        await page.waitForSelector('h1:has-text("Nothing is here")')
        const took = await page.evaluate(timeToShow(place, selector))
        await settled()
        return took as number
      })
      const answered = await least(100, () => timeToAnswer(page, settled))
      console.log(`${place}: shown in ${Math.round(shown)} ms, answers in ${answered} ms`)
      if (shown > 1000) slow.push(place)
      if (answered > 100) late.push(place)
    }
    expect([slow, late]).toEqual([[], []])
    // What the page keeps of all views it has shown, and that more would be seen.
    expect(await heapOf(page)).toBeLessThan(MAX_HEAP_BYTES)
    await page.evaluate('globalThis.ballast = Array.from({ length: 8e6 }, (_, at) => at + 0.5)')
    expect(await heapOf(page)).toBeGreaterThan(MAX_HEAP_BYTES)
  })

  it.skipIf(!hasProc)(
    'costs an advance less than half as much again, and stays quick and small',
    async () => {
      vi.unstubAllGlobals()
      const { child, ready } = await startPetri(['--frozen', '--api-key', KEY])
      const ask = async (method: string, path: string, body?: unknown) => {
        const response = await fetch(`${ready.url}${path}`, {
          method,
          headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const answer: Answer['body'] = await response.json()
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
        return answer
      }
      const spent = { alone: [] as number[], watched: [] as number[] }
      const heaps: number[] = []
      const walls = { alone: [] as number[], watched: [] as number[] }
      const advance = async (kind: 'alone' | 'watched') => {
        const [since, sinceWall] = [processorTime(child.pid ?? 0), performance.now()]
        const { effects, effects_dropped = 0 } = await ask('POST', '/_petri/clock/advance', { by: '4h' })
        spent[kind].push(processorTime(child.pid ?? 0) - since)
        walls[kind].push(performance.now() - sinceWall)
        expect(effects.length + effects_dropped).toBe(2 * ORDERS)
      }
      try {
        // What has happened since the orders were placed belongs to no advance that is measured.
        await stage.call('POST', '/_petri/clock/advance', { by: '1s' })
        await ask('PUT', '/_petri/state', (await stage.call('GET', '/_petri/state')).body)
        await ask('PUT', '/_petri/snapshots/placed')
        const longest = await least(
          200,
          async () => {
            await advance('alone')
            await ask('POST', '/_petri/snapshots/placed/restore')
            const { page, settled } = await recorded(`${ready.url}/_petri/`)
            await page.waitForSelector('.dot.live')
            await settled()
            await page.evaluate('tasks.length = 0')
            await advance('watched')
            await settled()
            const { counts } = await ask('GET', '/_petri/orders')
            const most = Math.max(...(Object.values(counts) as number[])).toLocaleString('en')
            await page.waitForSelector(`.phase .head b:text-is("${most}")`)
            const task = await page.evaluate('Math.max(0, ...tasks)')
            heaps.push(await heapOf(page))
            await page.evaluate(BUSY_TASK)
            await until(page, 'tasks.length > 0')
            await page.context().close()
            await ask('POST', '/_petri/snapshots/placed/restore')
            return task as number
          },
          ROUNDS,
        )
        // Alone before and after each, because a process gets faster while its code is compiled. The machine has good and bad
        // seconds: the best round counts.
        await advance('alone')
        const { alone, watched } = spent
        const usual = watched.map((_, round) => ((alone[round] ?? 0) + (alone[round + 1] ?? 0)) / 2)
        const ratio = Math.min(...watched.map((time, round) => time / (usual[round] ?? 0)))
        const list = (times: number[]) => times.map(Math.round).join(', ')
        console.log(
          `advance of ${2 * ORDERS} effects, processor time: alone ${list(spent.alone)} ms, watched ${list(spent.watched)} ms, × ${ratio.toFixed(2)}; wall time: alone ${list(walls.alone)} ms, watched ${list(walls.watched)} ms; longest task ${longest} ms; heap ${list(heaps.map((bytes) => bytes / 1e6))} MB`,
        )
        expect(ratio).toBeLessThan(1.5)
        expect(longest).toBeLessThan(200)
        expect(Math.max(...heaps)).toBeLessThan(MAX_HEAP_BYTES)
      } finally {
        await stop(child)
      }
    },
  )

  /** Milliseconds from going to a view until it shows what it is for. */
  const timeToShow = (place: string, selector: string) => `(async () => {
    const since = performance.now()
    location.hash = '#/${place}'
    const isShown = () => !document.querySelector('h1')?.textContent.includes('Nothing') && document.querySelector(${JSON.stringify(selector)})
    while (!isShown()) await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - since
  })()`

  /** Milliseconds from a key to the picture that answers it; 16 stands for all that is shorter. */
  async function timeToAnswer(page: Page, settled: () => Promise<void>): Promise<number> {
    await page.evaluate('answers.length = 0')
    if ((await page.locator('main input[type=search]').count()) > 0) {
      await page.keyboard.press('/')
      await page.keyboard.type('a')
      await settled()
      await page.keyboard.press('Backspace')
      await page.evaluate('document.activeElement.blur()')
    } else {
      await page.keyboard.press('?')
      await page.waitForSelector('dialog')
      await page.keyboard.press('Escape')
    }
    await settled()
    return page.evaluate('Math.max(16, ...answers)')
  }
})
