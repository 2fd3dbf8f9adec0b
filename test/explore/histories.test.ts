import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { happyHistory } from '../../src/explore/compile.ts'
import { readHistory, writeHistory } from '../../src/explore/history-file.ts'
import { parts } from '../../src/explore/parts.ts'

describe('a history', () => {
  it('is the same once it was written and read', () => {
    const history = happyHistory()
    expect(readHistory(writeHistory(history), 'explored')).toEqual(history)
  })

  it.each([
    ['an unknown status', 'lst', /lst.*Did you mean "lost"/],
    ['a move that the lifecycle does not have', 'completed', /cannot become completed/],
  ])('is refused with %s in one of its orders', (_, status, message) => {
    const order = { at: '1d', user: 1, method: 'testkit', steps: [{ after: '1h', status }] }
    const history = { seed: 'a', now: '2026-01-05T09:00:00Z', orders: [order] }
    const file = { name: 'mine', summary: 'Two orders.', method: 'testkit', steps: [], history }
    expect(() => readHistory(JSON.stringify(file), 'mine.yaml')).toThrow(message)
  })

  it('consists of parts whose reasons are written down', () => {
    for (const { source } of Object.values(parts)) {
      const [file = '', heading] = source.split('#')
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replace(/ /g, '-'),
      )
      if (heading !== undefined) expect(headings).toContain(heading)
    }
  })
})
