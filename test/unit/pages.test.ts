import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Change } from '../../src/storage/change.ts'
import { JoinedText, type Tables, textOf } from '../../src/storage/entry.ts'
import { Page, Pages, RecycledPages, StoredText } from '../../src/storage/memory-page.ts'
import { RowPages } from '../../src/storage/row-pages.ts'

describe('a page', () => {
  it('gives back what was laid down in it, in whatever letters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 20 }), (texts) => {
        const pages = new Pages(() => undefined)
        const kept = texts.map((text) => pages.keep([text]))
        expect(kept.map(({ text }) => text)).toEqual(texts)
        expect(kept.map(({ length }) => length)).toEqual(texts.map((text) => Buffer.byteLength(text)))
      }),
    )
  })

  it('takes a text longer than itself by being as long as that', () => {
    const long = 'é'.repeat(300_000)
    expect(new Pages(() => undefined).keep([long]).text).toBe(long)
  })

  it('is sparse once less than half of it is needed, and empty when nothing is', () => {
    const page = new Page(Buffer.alloc(100), 0)
    const [first, second] = [page.keep(['12', '34']), page.keep(['56789'])]
    expect(page.isSparse).toBe(false)
    second.forget()
    expect([page.isSparse, page.isEmpty]).toEqual([true, false])
    first.forget()
    expect(page.isEmpty).toBe(true)
  })
})

it('pages that are used again never hand out what is still needed', () => {
  const pages = new RecycledPages()
  const kept: { readonly text: string; readonly stored: StoredText }[] = []
  for (let at = 0; at < 5000; at++) {
    const text = `${at} `.repeat(200)
    kept.push({ text, stored: pages.keep([text]) })
    if (kept.length > 500) kept.shift()?.stored.forget()
  }
  expect(kept.every(({ text, stored }) => stored.text === text)).toBe(true)
})

describe('the pages of rows', () => {
  const open = () => {
    const tables: Tables = new Map([['things', new Map()]])
    const rows = tables.get('things') as Map<string, string | StoredText>
    const pages = new RowPages(tables)
    const put = (id: string, text: string) => {
      const before = rows.get(id)
      if (before instanceof StoredText) before.forget()
      rows.set(id, text)
      const lines = pages.lay([new Change('things', id, text)])
      pages.tidy()
      return Buffer.concat(lines).toString()
    }
    return { tables, rows, pages, put }
  }

  it('answer the lines as they go to the file, and leave the rows where those lie', () => {
    const { rows, put } = open()
    expect(put('a "b"', '{"x":1}')).toBe('["things","a \\"b\\"",{"x":1}]\n')
    const entry = rows.get('a "b"')
    expect(entry).toBeInstanceOf(StoredText)
    expect(textOf(entry as StoredText)).toBe('{"x":1}')
  })

  it('take a row in parts, and the deletion of one', () => {
    const { tables, pages } = open()
    const parts = new JoinedText(['{"x":', '1', '}'])
    tables.get('things')?.set('a', parts)
    const changes = [new Change('things', 'b', null), new Change('things', 'a', parts)]
    expect(Buffer.concat(pages.lay(changes)).toString()).toBe('["things","b"]\n["things","a",{"x":1}]\n')
    expect(textOf(tables.get('things')?.get('a') ?? '')).toBe('{"x":1}')
  })

  it('leave alone what was put since', () => {
    const { rows, pages } = open()
    rows.set('a', '{"x":2}')
    pages.lay([new Change('things', 'a', '{"x":1}')])
    expect(rows.get('a')).toBe('{"x":2}')
  })

  it('are those of one table each: what passes leaves nothing behind among what stays', () => {
    const tables: Tables = new Map(['things', 'news'].map((name) => [name, new Map()]))
    const pages = new RowPages(tables)
    const put = (table: string, id: string, text: string) => {
      tables.get(table)?.set(id, text)
      return pages.lay([new Change(table, id, text)])
    }
    const entry = (table: string, id: string) => tables.get(table)?.get(id) as StoredText
    for (let at = 0; at < 100; at++) {
      const laid = [put('things', `${at}`, '{"stays":1}'), put('news', `${at}`, '{"passes":1}')].flat()
      expect(Buffer.concat(laid).toString()).toBe(
        `["things","${at}",{"stays":1}]\n["news","${at}",{"passes":1}]\n`,
      )
      expect(entry('things', `${at}`).page).not.toBe(entry('news', `${at}`).page)
    }
    const before = entry('things', '0').page
    for (let at = 0; at < 100; at++) {
      entry('news', `${at}`).forget()
      tables.get('news')?.delete(`${at}`)
      pages.tidy()
    }
    expect(entry('things', '0').page).toBe(before)
    expect(textOf(entry('things', '99'))).toBe('{"stays":1}')
  })

  it('keep every row, in its order, and little else, however often rows are replaced', () => {
    const { rows, put } = open()
    const bytes = () => {
      const seen = new Set<Page>()
      for (const entry of rows.values()) if (entry instanceof StoredText) seen.add(entry.page)
      return [...seen].reduce((sum, { bytes }) => sum + bytes.length, 0)
    }
    const row = (id: number, version: number) => JSON.stringify({ id, version, filler: 'x'.repeat(400) })
    for (let id = 0; id < 500; id++) put(`row ${id}`, row(id, 0))
    for (let version = 1; version <= 20; version++) {
      for (let id = 0; id < 500; id += 3) put(`row ${id}`, row(id, version))
    }
    expect([...rows.keys()]).toEqual(Array.from({ length: 500 }, (_, id) => `row ${id}`))
    for (let id = 0; id < 500; id++) {
      const { version } = JSON.parse(textOf(rows.get(`row ${id}`) ?? '')) as { version: number }
      expect(version).toBe(id % 3 === 0 ? 20 : 0)
    }
    expect(bytes()).toBeLessThan(4 * 500 * 450)
  })
})
