// npm run site: builds the documentation as a website into site/dist, and checks its links.
// SITE_BASE is its path on the server, "/" by default.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, root } from './bundle.mjs'
import { blocksIn, render } from './rendered.mjs'
import { deadLinks } from './site/dead-links.mjs'

const site = join(root, 'site')
const pages = join(site, 'pages')
const dist = join(site, 'dist')
/** Served with the pages as they are: what pages refer to. */
const FILES = ['examples', 'scenarios', 'seeds', 'LICENSE']
/** The file of a page in the site, by its path without `.md`. */
const fileOf = (page) => `${page.replace(/README$/, 'index')}.html`

const contents = await writePages()
const npm = (...args) =>
  execFileSync('npm', args, { cwd: site, stdio: 'inherit', shell: process.platform === 'win32' })
npm('ci', '--no-audit', '--no-fund')
npm('exec', '--', 'vitepress', 'build')
await addMarkdown(contents)
await addRedirects()
await checkBlocks(contents)
const dead = await deadLinks(dist, process.env.SITE_BASE ?? '/')
if (dead.length > 0) {
  console.error(['Links to nothing:', ...dead].join('\n'))
  process.exit(1)
}
console.log('The site is in site/dist. To look at it: npx --prefix site vitepress preview site')

/** Puts together what VitePress reads. Returns the parts of the sidebar. */
async function writePages() {
  await rm(pages, { recursive: true, force: true })
  await rm(dist, { recursive: true, force: true })
  for (const name of await readdir(root))
    if (name.endsWith('.md')) await cp(join(root, name), join(pages, name))
  await cp(join(root, 'docs'), join(pages, 'docs'), { recursive: true })
  for (const name of FILES) await cp(join(root, name), join(pages, 'public', name), { recursive: true })
  const outfile = join(root, 'node_modules/.cache/petri/site.mjs')
  await bundle({
    entryPoints: ['scripts/site/main.ts'],
    outfile,
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  })
  const { generatedParts } = await import(pathToFileURL(outfile).href)
  const parts = await generatedParts()
  for (const [path, text] of parts.flatMap(({ files }) => Object.entries(files))) {
    await mkdir(dirname(join(pages, path)), { recursive: true })
    await writeFile(join(pages, path), text)
  }
  await linkNames(Object.assign({}, ...parts.map(({ links }) => links)))
  const written = JSON.parse(await readFile(join(site, '.vitepress/contents.json'), 'utf8'))
  const all = [...written, ...parts.map(({ text, pages: titles }) => ({ text, pages: titles }))]
  await writeFile(join(pages, 'contents.json'), JSON.stringify(all, null, 2))
  return all
}

/** Leads from the tables of scenarios and operations to what the site says of each. */
async function linkNames(links) {
  for (const [path, up] of [
    ['SUPPORTED.md', ''],
    ['docs/scenarios.md', '../'],
  ]) {
    const text = await readFile(join(pages, path), 'utf8')
    const linked = text.replace(/^\| (`?)([\w-]+)\1 \|/gm, (cell, _, name) =>
      links[name] ? cell.replace(name, `[${name}](${up}${links[name]})`).replaceAll('`', '') : cell,
    )
    await writeFile(join(pages, path), linked)
  }
}

/** Pages that have moved, by their old paths. */
async function addRedirects() {
  const base = process.env.SITE_BASE ?? '/'
  const moved = JSON.parse(await readFile(join(site, 'redirects.json'), 'utf8'))
  for (const [from, to] of Object.entries(moved)) {
    const file = join(dist, fileOf(from))
    const [page, heading] = to.split('#')
    const url = `${base}${fileOf(page)}${heading ? `#${heading}` : ''}`
    await mkdir(dirname(file), { recursive: true })
    await writeFile(
      file,
      `<!doctype html><meta http-equiv="refresh" content="0; url=${url}"><a href="${url}">This page has moved.</a>\n`,
    )
  }
}

/** The site shows the code that the tests of the pages run, under the same names of files. */
async function checkBlocks(parts) {
  const shown = (html) => blocksIn(html).map(({ text, file }) => `${file ?? ''}\n${text.trimEnd()}`)
  for (const page of parts.flatMap(({ pages: titles }) => Object.keys(titles))) {
    const built = await readFile(join(dist, fileOf(page)), 'utf8')
    const tested = shown(render(await readFile(join(pages, `${page}.md`), 'utf8')))
    const wrong = tested.findIndex((block, at) => block !== shown(built)[at])
    if (wrong >= 0) throw new Error(`${page}: the site does not show block ${wrong + 1}:\n${tested[wrong]}`)
  }
}

/** Each page as Markdown next to its HTML, the list of all for language models, and all in one text. */
async function addMarkdown(parts) {
  const sources = (await readdir(pages, { recursive: true })).filter(
    (name) => /\.(md|svg)$/.test(name) && !name.startsWith('public'),
  )
  for (const name of sources) await cp(join(pages, name), join(dist, name))
  const [head] = (await readFile(join(root, 'docs/llms.txt'), 'utf8')).split(/^## /m)
  const sections = parts.map(({ text, pages: titles }) =>
    [`## ${text}`, '', ...Object.entries(titles).map(([page, title]) => `- [${title}](${page}.md)`), ''].join(
      '\n',
    ),
  )
  await writeFile(join(dist, 'llms.txt'), [head.trimEnd(), '', ...sections].join('\n'))
  const listed = parts.flatMap(({ pages: titles }) => Object.keys(titles))
  const texts = await Promise.all(listed.map((page) => readFile(join(pages, `${page}.md`), 'utf8')))
  await writeFile(join(dist, 'llms-full.txt'), texts.join('\n'))
}
