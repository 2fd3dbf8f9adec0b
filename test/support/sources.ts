import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../../src/', import.meta.url))

/** Every source file, by its path under `src/`. */
export const sourceFiles = (): string[] =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file))
    .sort()

/** A source file without its comments. */
export const codeOf = (file: string): string =>
  readFileSync(`${src}${file}`, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')

const COMMENT = /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm

/** The comments of the files under a path of `src/`. */
export const commentsOf = (path: string): string[] =>
  filesUnder(path).flatMap((file) =>
    [...readFileSync(`${src}${file}`, 'utf8').matchAll(COMMENT)].map(([comment]) =>
      comment.replace(/\/\*\*?|\*\/|^\s*(?:\/\/|\*)/gm, ''),
    ),
  )

/** The texts of several words in the files under a path of `src/`. A value within one is `code`. */
export const stringsOf = (path: string): string[] =>
  filesUnder(path).flatMap((file) =>
    [...codeOf(file).matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|>[^<>{}]*<(?=\/)/g)]
      .map(([text]) => text.slice(1, -1).replace(/\$\{[^}]*\}|\\?`[^`]*`/g, 'code'))
      .filter((text) => /\w \w+ \w/.test(text)),
  )

const filesUnder = (path: string) =>
  sourceFiles().filter((file) => file === path || file.startsWith(`${path}/`))
