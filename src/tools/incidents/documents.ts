import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isObject } from '../../kernel/json.ts'
import { JsonStreamError, readJsonDocuments } from '../../kernel/json-stream.ts'
import { whyUnreadable } from '../../kernel/reason.ts'
import { shownName, statFile } from '../../kernel/user-file.ts'
import { aroundJson, jsonIn } from '../../scenarios/incidents/log.ts'
import { RecordError } from '../../scenarios/incidents/record.ts'
import { printError } from '../../terminal/context.ts'
import { CliError } from '../../terminal/errors.ts'

/** Bytes that are read at a time. */
const CHUNK = 1024 * 1024
/** The bytes between two lines of progress. */
const PROGRESS = 16 * CHUNK
/** The longest document, in characters; a list may be longer. */
const MAX_LENGTH = 64 * CHUNK

type OnDocument = (document: unknown) => void

/** Where a webhook can be found, for messages. */
export const ACCEPTED =
  'Accepted are orders, results and webhooks as JSON or JSON lines, and logs or CSV whose lines hold JSON with "event_type"'

/** The parts of a file without a document, in sentences. */
interface LeftOut {
  /** Lines without JSON. */
  readonly skipped: readonly string[]
  /** Lines with a webhook that cannot be read. */
  readonly unread: readonly string[]
}

/** Reads the documents of a file of JSON or JSON lines, and from the first line that is not JSON, the objects within lines. */
export async function readLog(path: string, onDocument: OnDocument): Promise<LeftOut> {
  const shown = shownName(path)
  const source = await openSource(path)
  let broken: JsonStreamError
  try {
    await readJson(source, onDocument)
    return { skipped: [], unread: [] }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw explained(shown, error)
    broken = error
  }
  try {
    const { found, without, incomplete } = await readLines(source, broken.line, onDocument)
    const [first] = without
    if (found === 0 && broken.line === 1 && incomplete[0] !== undefined)
      throw new CliError(`The JSON of ${shown} is incomplete in ${incomplete[0]}. ${ACCEPTED}.`)
    if (found === 0 && broken.line === 1) {
      if (isTooLong(broken)) throw new CliError(`${broken.message} in ${shown}.`)
      throw new CliError(
        `${shown} is not JSON, and no line of it holds JSON; the first is ${first}. ${ACCEPTED}.`,
      )
    }
    const [noun, start] = without.length === 1 ? ['line', ''] : ['lines', 'the first is ']
    const skipped = `Left out ${without.length} ${noun} of ${shown} without JSON: ${start}${first}.`
    return {
      skipped: first === undefined ? [] : [skipped],
      unread: incomplete.map((place) => `Could not read the webhook of ${shown} in ${place}.`),
    }
  } catch (error) {
    throw error instanceof CliError ? error : explained(shown, error)
  }
}

const isTooLong = ({ exceeded }: JsonStreamError) => exceeded?.limit === 'length'

/** The characters of a line that are shown. */
const MAX_SHOWN = 60

async function readLines(
  { open }: Source,
  from: number,
  onDocument: OnDocument,
): Promise<{ found: number; without: string[]; incomplete: string[] }> {
  const without: string[] = []
  const incomplete: string[] = []
  let found = 0
  let line = 0
  for await (const text of createInterface({ input: open() })) {
    line++
    if (line < from || text.trim() === '') continue
    const documents = jsonIn(text)
    const place = `line ${line}, ${JSON.stringify(text.slice(0, MAX_SHOWN))}`
    // The objects within a webhook that was cut off say nothing.
    if (text.includes('event_type') && !JSON.stringify(documents).includes('event_type')) {
      incomplete.push(place)
      continue
    }
    if (documents.length === 0) without.push(place)
    found += documents.length
    for (const document of documents) {
      const isWebhook = isObject(document) && typeof document.event_type === 'string'
      onDocument(isWebhook ? { ...aroundJson(text), payload: document } : document)
    }
  }
  return { found, without, incomplete }
}

interface Source {
  /** Each call reads from the start. */
  readonly open: () => Readable
  readonly path: string
  readonly size: number
}

/** Standard input is read at once, because it cannot be read twice. */
async function openSource(path: string): Promise<Source> {
  if (path === '-') {
    const whole = await buffer(process.stdin)
    return { path, size: whole.length, open: () => Readable.from([whole]) }
  }
  if (!existsSync(path)) throw new CliError(`There is no file ${path}.`)
  try {
    return { path, size: statFile(path).size, open: () => createReadStream(path, { highWaterMark: CHUNK }) }
  } catch (error) {
    throw explained(path, error)
  }
}

const readJson = ({ open, path, size }: Source, onDocument: OnDocument) =>
  readJsonDocuments(withProgress(open(), path, size), { maxLength: MAX_LENGTH, onDocument })

const explained = (shown: string, error: unknown) =>
  new CliError(error instanceof RecordError ? error.message : `${whyUnreadable(shown, error)}.`)

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
