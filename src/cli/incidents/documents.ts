import { createReadStream, existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { JsonStreamError, readJsonDocuments } from '../../kernel/json-stream.ts'
import { whyUnreadable } from '../../kernel/reason.ts'
import { statFile } from '../../kernel/user-file.ts'
import { RecordError } from '../../scenarios/incidents/record.ts'
import { CliError } from '../config.ts'
import { printError } from '../context.ts'

/** Bytes that are read at a time. */
const CHUNK = 1024 * 1024
/** The bytes between two lines of progress. */
const PROGRESS = 16 * CHUNK
/** The longest document, in characters; a list may be longer. */
const MAX_LENGTH = 64 * CHUNK

/** Reads the documents of a file of JSON or JSON lines one by one; "-" is standard input. */
export async function readDocuments(path: string, onDocument: (document: unknown) => void): Promise<void> {
  const shown = path === '-' ? 'Standard input' : path
  if (path !== '-' && !existsSync(path)) throw new CliError(`There is no file ${path}.`)
  try {
    const isStdin = path === '-'
    const total = isStdin ? 0 : statFile(path).size
    const stream = isStdin ? process.stdin : createReadStream(path, { highWaterMark: CHUNK })
    await readJsonDocuments(withProgress(stream, path, total), { maxLength: MAX_LENGTH, onDocument })
  } catch (error) {
    if (error instanceof RecordError) throw new CliError(error.message)
    if (error instanceof JsonStreamError) {
      const from = error.line > 1 ? ` from line ${error.line} on` : ''
      const isTooLong = error.exceeded?.limit === 'length'
      throw new CliError(isTooLong ? `${error.message} in ${shown}.` : `${shown} is not JSON${from}.`)
    }
    throw new CliError(`${whyUnreadable(shown, error)}.`)
  }
}

async function* withProgress(stream: Readable, path: string, total: number): AsyncGenerator<Uint8Array> {
  let done = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const shown = Math.floor(done / PROGRESS)
    done += chunk.length
    yield chunk
    if (Math.floor(done / PROGRESS) === shown) continue
    const share = total > 0 ? `${Math.round((100 * done) / total)} %` : `${Math.round(done / 1e6)} MB`
    printError(`Read ${share} of ${path === '-' ? 'standard input' : path}`)
  }
}
