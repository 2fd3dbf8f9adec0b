import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './bundle.mjs'

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/

/** Other projects inside of packages, which have no folder of their own. */
const VENDORED = [
  {
    inside: 'unpdf',
    name: 'pdfjs-dist',
    license: 'Apache-2.0',
    about: 'pdf.js, Copyright Mozilla Foundation',
    // Petri's own licence is the same.
    text: await readFile(join(root, 'LICENSE'), 'utf8'),
  },
  {
    inside: 'undici',
    name: 'llhttp',
    license: 'MIT',
    about: 'Copyright Fedor Indutny, 2018.',
    text: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  },
]

/** The packages that esbuild has bundled, and what these contain, with their licences. Throws if one has none. */
export async function bundledPackages({ outputs }) {
  const files = new Map()
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = PACKAGE.exec(path)?.[0]
      if (folder && bytesInOutput > 0) files.set(folder, [...(files.get(folder) ?? []), path])
    }
  }
  const packages = []
  // One after the other: all files at once are more than 1024, which a container may open.
  for (const [folder, paths] of files) packages.push(...(await readPackage(folder, new Set(paths))))
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function readPackage(folder, paths) {
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
  const { name, version, license } = manifest
  const files = (await readdir(join(root, folder))).filter((file) =>
    /^(licen[cs]e|notice|copying)/i.test(file),
  )
  if (files.length === 0 && !license) throw new Error(`${name} comes without a licence`)
  const texts = await Promise.all(files.sort().map((file) => readFile(join(root, folder, file), 'utf8')))
  const comments = await Promise.all([...paths].map(copyrightComments))
  const vendored = VENDORED.filter(({ inside }) => inside === name).map((project) => ({
    ...project,
    version: manifest.devDependencies?.[project.name]?.replace(/^\D+/, ''),
    texts: [project.about, project.text],
  }))
  return [{ name, version, license, texts: [...texts, ...new Set(comments.flat())] }, ...vendored]
}

/** The comments in which a file names its own authors; the bundles are without comments. */
async function copyrightComments(path) {
  const code = await readFile(join(root, path), 'utf8')
  const comments = code.match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? []
  return comments
    .filter((comment) => /copyright (\(c\) )?(19|20)\d\d|copyright \(c\)/i.test(comment))
    .map((comment) => comment.replace(/^[ \t]*(\/\*+|\*\/|\*|\/\/) ?|\s*\*\/$/gm, '').trim())
}

export function thirdPartyNotices(packages) {
  const notices = packages.map(({ name, version, license, inside, texts }) => {
    const title = [name, version, `(${license})`, inside && `in ${inside}`].filter(Boolean).join(' ')
    return `${'-'.repeat(80)}\n${title}\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`
  })
  return `Petri contains the following packages.\n\n${notices.join('\n')}`
}

/** A software bill of materials in CycloneDX, the same for the same build. Source: cyclonedx.org, 1.6, JSON. */
export function billOfMaterials(packages, manifest) {
  const component = ({ name, version, license }) => {
    const [group, ...rest] = name.split('/')
    const purl = `pkg:npm/${name.replace('@', '%40')}${version ? `@${version}` : ''}`
    return {
      type: 'library',
      'bom-ref': purl,
      ...(rest.length > 0 && { group }),
      name: rest[0] ?? name,
      ...(version && { version }),
      licenses: [{ license: { id: license } }],
      purl,
    }
  }
  const petri = { ...component(manifest), type: 'application' }
  const components = packages.map(component)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: petri },
    components,
    dependencies: [
      { ref: petri['bom-ref'], dependsOn: components.map((bundled) => bundled['bom-ref']) },
      ...components.map((bundled) => ({ ref: bundled['bom-ref'] })),
    ],
  }
}
