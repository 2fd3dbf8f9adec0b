// npm run types: compiles the snippets of the documentation in strict TypeScript, against the sources.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
      .map(({ text: code }, at) => ({ name: `${page.replace(/\W/g, '-')}-${at + 1}.ts`, code })),
  )

if (snippets.length === 0) throw new Error('The documentation has no snippets.')

const folder = join(root, 'node_modules/.cache/petri/snippets')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const { name, code } of snippets) {
  const missing = Object.entries(provided).filter(
    ([word]) => RegExp(`\\b${word}\\b`).test(code) && !RegExp(`(?:const|let) ${word}\\b`).test(code),
  )
  writeFileSync(
    join(folder, name),
    [...missing.map(([, declaration]) => declaration), code, 'export {}'].join('\n'),
  )
}
const compilerOptions = {
  rootDir: root,
  paths: {
    'petri-sandbox': [join(root, 'src/index.ts')],
    'petri-sandbox/vitest': [join(root, 'src/vitest.ts')],
  },
  noUnusedLocals: false,
  verbatimModuleSyntax: false,
  // Of what has not changed since the last run, nothing is checked again.
  incremental: true,
  tsBuildInfoFile: join(root, 'node_modules/.cache/petri/snippets.tsbuildinfo'),
}
const config = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions,
  include: ['*.ts'],
  exclude: [],
}
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, stdio: 'inherit' })
process.exitCode = status ?? 1
