import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root } from '../support/root.ts'

const manifest = JSON.parse(read('package.json'))
const folders = ['.ci', '.github', 'docs', 'examples', 'scenarios', 'scripts', 'seeds', 'skills', 'src']
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

  it('cannot be published from the clone, whose manifest names what runs and what builds apart', () => {
    expect(manifest.private).toBe(true)
    // npm runs `prepare` where the package is installed from git; scripts at an install or a pack would not run everywhere.
    expect(manifest.scripts.prepare).toBe('npm run build')
    for (const name of ['prepack', 'prepublishOnly', 'preinstall', 'install', 'postinstall'])
      expect(manifest.scripts).not.toHaveProperty(name)
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m)
    const imported = files
      .filter((file) => /^src\/.*\.tsx?$/.test(file) || file === 'scripts/openapi-document.ts')
      // Without template literals, which hold the imports of generated tests.
      .flatMap((file) => [
        ...read(file)
          .replaceAll(/`[^`]*`/g, '')
          .matchAll(/(?:from|import\(?) ?'((?:@[\w-]+\/)?[\w-]+)[^']*'/g),
      ])
      .map(([, name = '']) => name)
      // vitest is a peer of the published package, for those who import its fixtures.
      .filter((name) => !name.startsWith('node') && name !== 'vitest')
    // The bundler is there so that `npm start` can build without the tools of tests.
    expect(Object.keys(manifest.dependencies).toSorted()).toEqual(
      [...new Set([...imported, 'esbuild'])].toSorted(),
    )
    expect(Object.keys(manifest.devDependencies).filter((name) => imported.includes(name))).toEqual([])
  })

  it('says where it comes from, with an address that whoever publishes it replaces', () => {
    for (const field of ['author', 'bugs', 'homepage', 'keywords', 'license', 'publishConfig', 'repository'])
      expect(manifest).toHaveProperty(field)
  })
})

describe('the pictures of the documentation', () => {
  it('show the page as it is; npm run pictures takes them again', async () => {
    const { hashOf } = await import(join(root, 'scripts/built.mjs'))
    expect(readFileSync(join(root, 'docs/pictures/page.sha256'), 'utf8').trim()).toBe(hashOf(['src/page']))
  })
})

describe('what is bundled', async () => {
  // A script without types.
  const notices = await import(join(root, 'scripts/notices.mjs'))
  const { billOfMaterials, bundledPackages, thirdPartyNotices } = notices
  const bundle = (...paths: string[]) => ({
    outputs: {
      'dist/a.js': { inputs: Object.fromEntries(paths.map((path) => [path, { bytesInOutput: 1 }])) },
    },
  })
  const found = (path: string) => bundledPackages(bundle(path))

  it('is named once, with its licence and the projects inside of it', async () => {
    const packages = await bundledPackages(
      bundle('src/index.ts', 'node_modules/unpdf/dist/pdfjs.mjs', 'node_modules/unpdf/dist/index.mjs'),
    )
    expect(packages.map((found: { name: string; license: string }) => [found.name, found.license])).toEqual([
      ['pdfjs-dist', 'Apache-2.0'],
      ['unpdf', 'MIT'],
    ])
    const text = thirdPartyNotices(packages)
    expect(text).toMatch(/^pdfjs-dist \d+\.\d+\.\d+ \(Apache-2\.0\) in unpdf\n\npdf\.js, Copyright Mozilla/m)
    expect(text).toContain('Apache License')
  })

  it('brings the copyright comments of its files, which the bundle leaves out', async () => {
    const text = thirdPartyNotices(await found('node_modules/hyparquet-writer/src/snappy.js'))
    expect(text).toContain('Zhipeng Jia')
    expect(thirdPartyNotices(await found('node_modules/hyparquet-writer/src/index.js'))).not.toContain(
      'Zhipeng',
    )
  })

  it('is not what esbuild has left out', async () => {
    const outputs = { 'dist/a.js': { inputs: { 'node_modules/zod/index.js': { bytesInOutput: 0 } } } }
    expect(await bundledPackages({ outputs })).toEqual([])
  })

  it('is in a bill of materials', async () => {
    const packages = await found('node_modules/@hono/node-server/dist/index.mjs')
    const [{ version }] = packages
    expect(billOfMaterials(packages, manifest)).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { type: 'application', name: 'petri-sandbox', version: manifest.version } },
      components: [
        {
          type: 'library',
          group: '@hono',
          name: 'node-server',
          version,
          licenses: [{ license: { id: 'MIT' } }],
          purl: `pkg:npm/%40hono/node-server@${version}`,
        },
      ],
      dependencies: [
        {
          ref: `pkg:npm/petri-sandbox@${manifest.version}`,
          dependsOn: [`pkg:npm/%40hono/node-server@${version}`],
        },
        { ref: `pkg:npm/%40hono/node-server@${version}` },
      ],
    })
  })
})
