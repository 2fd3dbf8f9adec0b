// Completes the published types: writes out those that are inferred from schemas, so that they need neither the sources
// nor zod, and copies all of them to where `require` looks for them, in a folder whose files are CommonJS.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './bundle.mjs'

const INFERRED = 'client/responses'
const work = join(root, 'node_modules/.cache/petri/types')

const declared = await readFile(join(root, `dist/types/${INFERRED}.d.ts`), 'utf8')
const names = [...declared.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name)
const structures = await resolveTypes(names)
await writeFile(join(root, `dist/types/${INFERRED}.d.ts`), publishedTypes())

const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
for (const path of files.filter((file) => file.endsWith('.d.ts'))) {
  await cp(join(root, path), join(root, path.replace('dist/types/', 'dist/cjs/')))
}

/** The structure of each type, as the compiler writes that of a constant whose type it infers. */
async function resolveTypes(names) {
  const constants = names.map((name) => `export const ${name} = structureOf<types.${name}>()`)
  const source = [
    `import type * as types from ${JSON.stringify(join(root, `src/${INFERRED}.ts`))}`,
    'type Structure<Type> = Type extends object ? { [Key in keyof Type]: Type[Key] } & {} : Type',
    'declare const structureOf: <Type>() => Structure<Type>',
    ...constants,
  ].join('\n')
  const config = {
    extends: join(root, 'tsconfig.types.json'),
    compilerOptions: { rootDir: root, outDir: join(work, 'out'), noErrorTruncation: true },
    include: [join(work, 'structures.ts'), join(root, 'src/world-parts.ts')],
    exclude: [],
  }
  await mkdir(work, { recursive: true })
  await writeFile(join(work, 'structures.ts'), source)
  await writeFile(join(work, 'tsconfig.json'), JSON.stringify(config))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', work], {
    stdio: 'inherit',
  })
  const written = await readFile(join(work, 'out/node_modules/.cache/petri/types/structures.d.ts'), 'utf8')
  const found = written.matchAll(/^export declare const (\w+): ([\s\S]*?);$(?=\nexport|\n?$(?![\s\S]))/gm)
  return new Map([...found].map(([, name, structure]) => [name, withoutIndents(structure)]))
}

/** The declarations with their comments; a type that occurs in another is referred to by its name. */
function publishedTypes() {
  const unresolved = names.filter((name) => !/^\{\n/.test(structures.get(name) ?? ''))
  if (unresolved.length > 0) throw new Error(`The compiler does not write out ${unresolved.join(', ')}.`)
  const bySize = [...structures].sort(([, a], [, b]) => b.length - a.length)
  return declared.replace(/^import .*\n/gm, '').replace(/^export type (\w+) = [^;]*;$/gm, (_, name) => {
    let structure = structures.get(name)
    for (const [other, part] of bySize)
      if (other !== name && part.length < structure.length) structure = structure.replaceAll(part, other)
    return `export type ${name} = ${indented(structure)};`
  })
}

function withoutIndents(text) {
  return text.replace(/^ +/gm, '')
}

/** By the depth of braces; no literal in a type has one. */
function indented(text) {
  let depth = 0
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('}')) depth--
    const indent = '    '.repeat(depth)
    if (line.endsWith('{')) depth++
    return `${indent}${line}`
  })
  return lines.join('\n')
}
