// Writes the published types: those of the package's entry and what it refers to. Types that are inferred from schemas
// are written out, so that they need neither the sources nor zod.
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './bundle.mjs'

const PUBLISHED = [
  'index',
  'client/explore',
  'client/inputs',
  'client/kit',
  'client/matchers',
  'client/responses',
  'vitest',
  'webhooks/signature',
]
/** The modules whose types are inferred. */
const INFERRED = ['client/inputs', 'client/responses']
/** The generated types of webhooks and names, which the entry and the kit import from outside of the sources. */
const GENERATED = ['events', 'names']
const work = join(root, 'node_modules/.cache/petri/types')

const inferred = await Promise.all(INFERRED.map(readModule))
await compile()
const structures = await readStructures()
for (const module of inferred) await readComments(module)
for (const path of PUBLISHED) {
  const types = await readFile(join(work, `out/src/${path}.d.ts`), 'utf8')
  const module = inferred.find((each) => each.path === path)
  const text = module ? withStructures(types, module) : types
  const folder = path.startsWith('client/') ? './' : './client/'
  await publish(path, text.replace(/(['"])(?:\.\.\/)+clients\/typescript\//g, `$1${folder}`))
}
await write(join(root, 'dist/index.d.mts'), "export * from './index.js'\n")
for (const name of GENERATED)
  await publish(`client/${name}`, await readFile(join(root, `clients/typescript/${name}.ts`), 'utf8'))

/** As types of CommonJS, like the code, except for those of vitest's fixtures. */
async function publish(path, text) {
  await write(join(root, `dist/${path}.d.${path === 'vitest' ? 'm' : ''}ts`), text)
}

/** A module, the names of its inferred types, and by name the comments on their fields. */
async function readModule(path) {
  const declared = await readFile(join(root, `src/${path}.ts`), 'utf8')
  const found = declared.matchAll(/^export type (\w+) = (?:Parsed<|Sent<|\w+\[|\(typeof )/gm)
  return { path, declared, names: [...found].map(([, name]) => name), comments: new Map() }
}

/** Compiles the entry, and constants whose types the compiler has to write out. */
async function compile() {
  const constants = inferred.flatMap(({ names }, at) =>
    names.map((name) => `export const ${name} = structureOf<types${at}.${name}>()`),
  )
  const source = [
    ...INFERRED.map(
      (path, at) => `import type * as types${at} from ${JSON.stringify(join(root, `src/${path}.ts`))}`,
    ),
    'type Structure<Type> = Type extends object ? { [Key in keyof Type]: Type[Key] } & {} : Type',
    'declare const structureOf: <Type>() => Structure<Type>',
    ...constants,
  ]
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      incremental: false,
      // `tsc --noEmit` checks the sources.
      noCheck: true,
      emitDeclarationOnly: true,
      declaration: true,
      noErrorTruncation: true,
      rootDir: root,
      outDir: join(work, 'out'),
    },
    include: [join(work, 'structures.ts'), join(root, 'src/index.ts'), join(root, 'src/vitest.ts')],
    exclude: [],
  }
  await write(join(work, 'structures.ts'), source.join('\n'))
  await write(join(work, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', work], { cwd: root, encoding: 'utf8' })
  // TS4xxx is about declarations that cannot be written; those of other modules are not published.
  const errors = stdout.split('\n').filter((line) => {
    const [, path, code] = /^(.+?)\(\d+,\d+\): error TS(\d+)/.exec(line) ?? []
    return path && (!/^4\d{3}$/.test(code) || PUBLISHED.some((module) => path === `src/${module}.ts`))
  })
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

async function readStructures() {
  const written = await readFile(join(work, 'out/node_modules/.cache/petri/types/structures.d.ts'), 'utf8')
  const found = written.matchAll(/^export declare const (\w+): ([\s\S]*?);$(?=\nexport|\n?$(?![\s\S]))/gm)
  return new Map([...found].map(([, name, structure]) => [name, structure.replace(/^ +/gm, '')]))
}

/** The comments on fields by type, from the module of its schema; where several fields have the same name, none. */
async function readComments({ declared, comments }) {
  for (const [, module, path] of declared.matchAll(/^import type \* as (\w+) from '\.\.\/(.+)'$/gm)) {
    const schemas = await readFile(join(root, 'src', path), 'utf8')
    const described = [
      ...[...schemas.matchAll(/\/\*\* (.+) \*\/\n +(\w+): /g)].map(([, text, field]) => [field, text]),
      ...[...schemas.matchAll(/^ +(\w+): [^\n]*(?:\n +\.[^\n]*)*?\.describe\(\s*(['"])(.+)\2/gm)].map(
        ([, field, , text]) => [field, text],
      ),
    ]
    const unique = described.filter(([field]) => schemas.match(RegExp(`\\b${field}: `, 'g')).length === 1)
    const types = [...declared.matchAll(RegExp(`^export type (\\w+) = .*\\b${module}\\.`, 'gm'))]
    for (const [, name] of types) comments.set(name, new Map(unique))
  }
  for (const [, name, whole] of declared.matchAll(/^export type (\w+) = (\w+)\[/gm))
    comments.set(name, comments.get(whole))
}

/** The declarations with their comments; a type that occurs in another is referred to by its name. */
function withStructures(types, { names, comments }) {
  const missing = names.filter((name) => !/^(\{\n|")/.test(structures.get(name) ?? ''))
  if (missing.length > 0) throw new Error(`The compiler does not write out ${missing.join(', ')}.`)
  const bySize = [...structures]
    .filter(([name]) => names.includes(name))
    .sort(([, a], [, b]) => b.length - a.length)
  return types
    .replace(/^\/\*\*[\s\S]*?\*\/\n(?=import)/, '')
    .replace(/^import (?!.*clients\/typescript).*\n/gm, '')
    .replace(/^export type (\w+) = [^;]*;$/gm, (line, name) => {
      if (!names.includes(name)) return line
      let structure = structures.get(name)
      for (const [other, part] of bySize)
        if (other !== name && part.length < structure.length) structure = structure.replaceAll(part, other)
      structure = structure.replace(/^(\w+)\??: /gm, (line, field) => {
        const comment = comments.get(name)?.get(field)
        return comment ? `/** ${comment} */\n${line}` : line
      })
      return `export type ${name} = ${indented(structure)};`
    })
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

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
