// npm run types: compiles each snippet of the documentation as a program of its own, in strict TypeScript, against the types that are published.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './published-types.mjs'
import { blocksIn, render } from './rendered.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]

/** What the text around a snippet provides. A snippet's own declaration comes first. */
const provided = {
  petri: "declare const petri: import('petri-sandbox').LocalPetri",
  receiver: 'declare const receiver: (request: Request) => Response',
  body: 'declare const body: string',
  headers: 'declare const headers: Record<string, string>',
}

/** Pages whose snippets are run by tests of their own, as scripts of plain JavaScript. */
const scripts = ['docs/management.md', 'docs/cookbook.md']

/** The other snippets in TypeScript or JavaScript, but no files, whose name is in the paragraph before them. */
const snippets = pages
  .filter((page) => page.endsWith('.md') && !scripts.includes(page))
  .flatMap((page) =>
    blocksIn(render(readFileSync(join(root, page), 'utf8')))
      .filter(({ language, file }) => /^[jt]s$/.test(language) && !file)
      .map(({ text: code }, at) => ({ name: `${page.replace(/\W/g, '-')}-${at + 1}`, code })),
  )

if (snippets.length === 0) throw new Error('The documentation has no snippets.')

const folder = join(root, 'node_modules/.cache/petri/snippets')
rmSync(folder, { recursive: true, force: true })
const config = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    rootDir: root,
    paths: {
      'petri-sandbox': [join(root, 'dist/index.d.ts')],
      'petri-sandbox/vitest': [join(root, 'dist/vitest.d.mts')],
    },
    noUnusedLocals: false,
    verbatimModuleSyntax: false,
    incremental: false,
  },
  include: ['snippet.ts'],
  exclude: [],
}
for (const { name, code } of snippets) {
  const missing = Object.entries(provided).filter(
    ([word]) => RegExp(`\\b${word}\\b`).test(code) && !RegExp(`(?:const|let) ${word}\\b`).test(code),
  )
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(
    join(folder, name, 'snippet.ts'),
    [...missing.map(([, declaration]) => declaration), code, 'export {}'].join('\n'),
  )
  writeFileSync(join(folder, name, 'tsconfig.json'), JSON.stringify(config))
}
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const projects = snippets.map(({ name }) => name)
const { status } = spawnSync(process.execPath, [tsc, '-b', ...projects], { cwd: folder, stdio: 'inherit' })
process.exitCode = status ?? 1
