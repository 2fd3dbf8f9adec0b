// Bundles the page into dist/page with hashed file names, and writes the figures for the check of its budgets.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { root } from './bundle.mjs'

/** Returns esbuild's metafile. */
export async function buildPage() {
  const out = join(root, 'dist/page')
  await mkdir(out, { recursive: true })
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { page: 'src/page/main.tsx', style: 'src/page/page.css' },
    outdir: 'dist/page',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
  })
  const built = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const named = (start, end) => [...built.keys()].find((name) => name.startsWith(start) && name.endsWith(end))
  const index = (await readFile(join(root, 'src/page/index.html'), 'utf8'))
    .replace('{{style}}', `ui/${named('style-', '.css')}`)
    .replace('{{script}}', `ui/${named('page-', '.js')}`)
  built.set('index.html', Buffer.from(index))
  built.set('icon.svg', await readFile(join(root, 'src/page/icon.svg')))
  for (const [name, contents] of built) await writeFile(join(out, name), contents)
  for (const [name, contents] of built) {
    if (/\.(js|css)$/.test(name)) await writeFile(join(out, `${name}.gz`), gzipSync(contents, { level: 9 }))
  }
  for (const name of await readdir(out)) {
    if (!built.has(name.replace(/\.gz$/, ''))) await rm(join(out, name))
  }
  return metafile
}
