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

it('CONTRIBUTING has a line for each entry at the top of the repository', () => {
  const section = read('CONTRIBUTING.md').split('## What is where')[1]?.split('\n## ')[0] ?? ''
  const named = [...section.matchAll(/`([\w.-]+)`(?=.*\|)/g)].map(([, name]) => name)
  const ignored = new Set([
    '.git',
    ...read('.gitignore')
      .split('\n')
      .map((line) => line.replaceAll('/', '')),
  ])
  const settings = /^(\..+(ignore|attributes|rc)|LICENSE|package-lock\.json|CONTRIBUTING\.md)$/
  const entries = readdirSync(root).filter((name) => !ignored.has(name) && !settings.test(name))
  expect(entries.filter((name) => !named.includes(name))).toEqual([])
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
