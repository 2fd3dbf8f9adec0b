import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root } from '../support/root.ts'

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.md') ? [`docs/${name}`] : [],
  ),
]

const filesIn = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
      .filter(
        (file) =>
          /\.(md|tsx?|m?js|json|ya?ml|py|go|java|sh|toml|xml)$/.test(file) && !file.includes('node_modules'),
      ),
  )

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

/** Whether there is no such page, from the root of the repository, or no such heading in it. */
function isDead(link: string): boolean {
  const [page = '', anchor] = link.split('#')
  return !existsSync(join(root, page)) || (anchor !== undefined && !anchorsOf(page).includes(anchor))
}

describe.each([...pages, ...filesIn('clients', 'skills').filter((file) => file.endsWith('.md'))])(
  '%s',
  (page) => {
    it('links to files and headings that are there', () => {
      const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
      const broken = links.filter((link) => {
        if (/^https?:/.test(link)) return false
        return isDead(link.startsWith('#') ? page + link : join(dirname(page), link))
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
  },
)

describe('the contents of the documentation', () => {
  const listed = JSON.parse(read('site/.vitepress/contents.json')).flatMap(
    (part: { pages: Record<string, string> }) => Object.keys(part.pages).map((page) => `${page}.md`),
  )

  it('list each page once, and of a folder its README', () => {
    // The changelog has a link at the top of the site, and AGENTS.md says the same as CONTRIBUTING.md to coding agents.
    const elsewhere = ['CHANGELOG.md', 'AGENTS.md']
    const own = pages.filter((page) => !/^docs\/.+\//.test(page) || page.endsWith('README.md'))
    expect([...listed, ...elsewhere].toSorted()).toEqual(own.toSorted())
    expect(listed.length).toBeLessThanOrEqual(32)
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

it('the documentation keeps its size', () => {
  const wordsOf = (...files: string[]) => files.map(read).join('\n').split(/\s+/).filter(Boolean).length
  const below = (folder: string) => pages.filter((page) => page.startsWith(folder))
  expect(wordsOf(...below('docs/'))).toBeLessThanOrEqual(66_000)
  expect(wordsOf(...below('docs/evidence/'))).toBeLessThanOrEqual(8000)
  expect(wordsOf('docs/cli.md')).toBeLessThanOrEqual(2500)
  expect(wordsOf('CHANGELOG.md')).toBeLessThanOrEqual(900)
  expect(read('CHANGELOG.md').split('\n').length).toBeLessThanOrEqual(81)
})

it('the page of the official clients names the version that the tests run', () => {
  const { version } = JSON.parse(read('node_modules/@tryvital/vital-node/package.json'))
  expect(read('docs/testing.md')).toContain(`| JavaScript, \`@tryvital/vital-node\` | ${version} |`)
})

it('CONTRIBUTING has a line for each entry at the top of the repository', () => {
  const section = read('CONTRIBUTING.md').split('## What is where')[1]?.split('\n## ')[0] ?? ''
  const named = [...section.matchAll(/`([\w.-]+)`(?=.*\|)/g)].map(([, name]) => name)
  // A newcomer may have followed README in this folder, and so have files of their own.
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const settings = /^(\..+(ignore|attributes|rc)|LICENSE|package-lock\.json|CONTRIBUTING\.md|)$/
  const entries = new Set(
    tracked.map((file) => file.replace(/\/.*/, '')).filter((name) => !settings.test(name)),
  )
  expect([...entries].filter((name) => !named.includes(name))).toEqual([])
})

it('docs/architecture.md has a line for each folder of src', () => {
  const section = read('docs/architecture.md').split('## Folders')[1]?.split('\n## ')[0] ?? ''
  const named = [...section.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w.-]+)`/g)].map(([, name]) => name),
  )
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(folders.filter((name) => !named.includes(name))).toEqual([])
})

describe('a page that is named', () => {
  it('in code, messages, help, tests, examples and clients is there, with its heading', {
    tags: 'slow',
  }, () => {
    const folders = ['src', 'scripts', 'bench', 'test', 'clients', 'packaging', 'examples', 'templates']
    const named = /\b(?:docs\/[\w/-]+|SUPPORTED|CONTRIBUTING)\.md(?:#[\w-]+)?/g
    const dead = filesIn(...folders, 'skills', '.ci', '.github').flatMap((file) =>
      (read(file).match(named) ?? [])
        // A test asks for a page that is missing.
        .filter((link) => link !== 'docs/nothing.md' && isDead(link))
        .map((link) => `${file}: ${link}`),
    )
    expect(dead).toEqual([])
  })

  it('as the source of a rule is one of docs/contract', { tags: 'slow' }, () => {
    const dead = filesIn('src', 'scripts', 'test').flatMap((file) =>
      [...read(file).matchAll(/Source[^\n]*/g)]
        .flatMap(([line]) => [...line.matchAll(/\b(docs\/)?contract\/[\w-]+\.\w+/g)])
        .flatMap(([pointer, isOurs]) => (isOurs ? [] : [`${file}: ${pointer}`])),
    )
    expect(dead).toEqual([])
  })

  it('by an old name on the site leads to a page, with its heading', () => {
    const moved: Record<string, string> = JSON.parse(read('site/redirects.json'))
    const dead = Object.entries(moved).filter(
      ([from, to]) => existsSync(join(root, `${from}.md`)) || isDead(to.replace(/(?=#|$)/, '.md')),
    )
    expect(dead).toEqual([])
  })
})
