import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { parseJson } from '../kernel/json.ts'
import type { Files } from './files.ts'

/** What was known of the worlds of a folder. It is only a cache: what is in the folders of the worlds decides. */
export interface IndexFile {
  /** What was written last; undefined if it cannot be read. */
  read(): unknown
  write(content: object): void
  /** A text that changes with the files of a world; undefined if they cannot be listed. */
  stateOf(teamId: string): string | undefined
}

/** Begins the first line, which ends with the checksum of the second. */
const HEAD = 'petri index 2'

export function indexFile(path: string, files: Files, folderOf: (teamId: string) => string): IndexFile {
  return {
    read: () =>
      orUndefined(() => {
        // Reading a pipe in its place would wait for its other end.
        const [head, content = ''] = statSync(path).isFile() ? readFileSync(path, 'utf8').split('\n') : []
        return head === headOf(content) ? parseJson(content) : undefined
      }),
    write(content) {
      const text = JSON.stringify(content)
      files.write(`${path}.tmp`, `${headOf(text)}\n${text}\n`)
      files.rename(`${path}.tmp`, path)
    },
    stateOf: (teamId) =>
      orUndefined(() => {
        const folder = folderOf(teamId)
        const states = readdirSync(folder).map((name) => {
          const { size, mtimeMs } = statSync(join(folder, name))
          return `${name} ${size} ${mtimeMs}`
        })
        return states.sort().join(', ')
      }),
  }
}

const headOf = (content: string) => `${HEAD} ${zlib.crc32(content)}`

/** After any error, the worlds themselves are read, which tells what is wrong. */
function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
