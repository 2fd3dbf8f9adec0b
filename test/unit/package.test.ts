import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json'))
const folders = ['.ci', '.github', 'docs', 'examples', 'scenarios', 'scripts', 'seeds', 'src']
const files = [
  'Dockerfile',
  'README.md',
  'CONTRIBUTING.md',
  'SUPPORTED.md',
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.png'))
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length)),
  ),
]

describe('the package', () => {
  it('is petri-sandbox, with the commands petri and petri-sandbox', () => {
    expect(manifest.name).toBe('petri-sandbox')
    expect(manifest.bin).toEqual({ petri: 'dist/cli/main.js', 'petri-sandbox': 'dist/cli/main.js' })
  })

  it('is called by its own name, and no line to copy installs or runs another package', () => {
    // `petri` is the package of somebody else: outside of an installation npx would download and run it.
    const foreign =
      /\bnpx (?:-\S+ )*petri(?![\w-])|\bnpm (?:install|i|exec|uninstall) (?:-\S+ )*petri(?![\w-])|@[\w-]+\/petri\b|(?:from|require\(|import\() ?['"]petri['"]/g
    const found = files.flatMap((file) =>
      [...read(file).matchAll(foreign)].map(([line]) => `${file}: ${line}`),
    )
    expect(found).toEqual([])
  })
})
