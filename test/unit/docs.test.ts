import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.md') ? [`docs/${name}`] : [],
  ),
]

/** A page without its code, which may look like anything. */
const prose = (page: string) => read(page).replace(/^```[\s\S]*?^```$/gm, '')

/** The anchors of a page, as GitHub makes them from its headings. */
function anchorsOf(page: string): string[] {
  const counts = new Map<string, number>()
  return [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

describe.each(pages)('%s', (page) => {
  it('links to files and headings that are there', () => {
    const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(target).includes(anchor)
    })
    expect(broken).toEqual([])
  })

  it('has tables whose rows have as many cells as their head', () => {
    const cells = (row: string) => row.replaceAll('\\|', '').split('|').length
    const tables = prose(page).match(/(?:^\|.*\n)+/gm) ?? []
    const broken = tables.flatMap((table) => {
      const [head = '', ...rows] = table.trimEnd().split('\n')
      return rows.filter((row) => cells(row) !== cells(head))
    })
    expect(broken).toEqual([])
  })
})
/** The sentences of a page, without code, tables and headings. Inline code counts as one word. */
function sentencesOf(page: string): string[] {
  const text = prose(page)
    .replace(/<!--[\s\S]*?-->|^[|#].*$/gm, '')
    .replace(/`[^`]*`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']')
  return text.split(/\n\s*\n|\n\s*(?:[-*]|\d+\.) |(?<=[.!?][)*_"”]*)\s/)
}

const WORDS = 30

describe.each(pages)('the sentences of %s', (page) => {
  it(`have at most ${WORDS} words`, () => {
    const words = (sentence: string) =>
      sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
    expect(sentencesOf(page).filter((sentence) => words(sentence) > WORDS)).toEqual([])
  })

  it('use the terms of the field', () => {
    const riddles =
      /\bunread\b|\bnothing reads?\b|\btold of\b|\bbrings? about\b|\bstruck\b|\bgoes on by itself\b|\bis so\b/gi
    expect(sentencesOf(page).join(' ').match(riddles) ?? []).toEqual([])
  })
})

describe('the contents of the documentation', () => {
  const listed = JSON.parse(read('site/.vitepress/contents.json')).flatMap(
    (part: { pages: Record<string, string> }) => Object.keys(part.pages).map((page) => `${page}.md`),
  )

  it('list each page once, and of a folder its README', () => {
    const own = pages.filter((page) => !/^docs\/.+\//.test(page) || page.endsWith('README.md'))
    expect(listed.toSorted()).toEqual(own.toSorted())
  })

  it('are the links of the README, and those of its folders the links of their README', () => {
    const linked = pages
      .filter((page) => page.endsWith('README.md'))
      .flatMap((page) =>
        [...prose(page).matchAll(/\]\(([\w/-]+\.md)[)#]/g)].map(([, target = '']) =>
          join(dirname(page), target),
        ),
      )
    expect(pages.filter((page) => page !== 'README.md' && !linked.includes(page))).toEqual([])
  })
})

it('the page of the official clients names the version that the tests run', () => {
  const { version } = JSON.parse(read('node_modules/@tryvital/vital-node/package.json'))
  expect(read('docs/testing.md')).toContain(`| JavaScript, \`@tryvital/vital-node\` | ${version} |`)
})

describe('the sources that comments name', () => {
  it('are headings of docs/contract', { tags: 'slow' }, () => {
    const files = ['src', 'scripts', 'test'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
        .map((file) => `${folder}/${file}`),
    )
    const dead = files.flatMap((file) =>
      [...read(file).matchAll(/(?<=Source[^\n]*)\b(docs\/)?contract\/([\w-]+\.\w+)(?:#([\w-]+))?/g)].flatMap(
        ([pointer, isOurs, page = '', anchor]) => {
          const target = `docs/contract/${page}`
          const isThere =
            isOurs &&
            existsSync(join(root, target)) &&
            (anchor === undefined || anchorsOf(target).includes(anchor))
          return isThere ? [] : [`${file}: ${pointer}`]
        },
      ),
    )
    expect(dead).toEqual([])
  })
})
