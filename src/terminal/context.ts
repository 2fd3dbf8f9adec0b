import { AsyncLocalStorage } from 'node:async_hooks'
import { mapTexts } from '../kernel/json.ts'
import { pause } from '../kernel/pause.ts'
import type { Environment } from '../kernel/platform.ts'

/** A stream that a command writes to. */
export interface Output {
  readonly isTTY?: boolean
  /** Width of a terminal in characters. */
  readonly columns?: number
  /** The number of bytes that are waiting to be read. */
  readonly writableLength?: number
  /** Returns false if the next text should wait for `drain`. */
  write(text: string): unknown
  once?(event: 'drain', listener: () => void): unknown
}

/** The environment and the output streams of a command. */
export interface CliContext {
  readonly environment: Environment
  readonly stdout: Output
  readonly stderr: Output
  /** Resolves after milliseconds. */
  readonly wait?: (waitMs: number) => Promise<void>
}

/** The context of this process. */
export const processContext: CliContext = {
  environment: process.env,
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
}

const contexts = new AsyncLocalStorage<CliContext>()

/** The context of the command that is running. */
export const currentContext = (): CliContext => contexts.getStore() ?? processContext

/** Runs a command with a context. */
export const runInContext = <Result>(context: CliContext, run: () => Promise<Result>): Promise<Result> =>
  // Without a store, Node 20 has no hooks to run for each promise.
  context === processContext ? run() : contexts.run(context, run)

/** Resolves after milliseconds. */
export const wait = (waitMs: number): Promise<void> => (currentContext().wait ?? pause)(waitMs)

const ESC = '\u001b'
/** Control characters but line breaks and tabs; those of `paint` are found first. */
const CONTROLS = new RegExp(`${ESC}\\[(?:1|2|22|31|32|33|39)m|(?![\\n\\t])\\p{Cc}`, 'gu')

/** The beginning of a line that GitHub Actions would run as a command. */
const WORKFLOW_COMMAND = /^(\s*)(::|##\[)/gm

/** Escapes what could change the terminal or be run by a CI, as in JSON. Colours of `paint` stay. */
export const escapeControls = (text: string): string =>
  text
    .replace(CONTROLS, (found) => (found.length > 1 ? found : escaped(found)))
    .replace(WORKFLOW_COMMAND, (_, space, mark) => `${space}${escaped(mark)}${mark.slice(1)}`)

/** Escapes line breaks too, so that a text of another program stays in its line. */
export const escapeLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, escaped)

/** Escapes all control characters in the texts of a reply, colours included. */
export const escapeReply = <Value>(reply: Value): Value =>
  mapTexts(reply, (text) => text.replace(/(?![\n\t])\p{Cc}/gu, escaped)) as Value

const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Writes a line to standard output. */
export const print = (text: string): void => void currentContext().stdout.write(`${escapeControls(text)}\n`)

/** Writes the text of a file to standard output: as it is, or to a terminal without control characters. */
export function printFile(text: string): void {
  const { stdout } = currentContext()
  stdout.write(stdout.isTTY ? escapeControls(text) : text)
}

/** Writes a stream to standard output, as fast as it is read there. */
export async function printStream(stream: AsyncIterable<Uint8Array>): Promise<void> {
  const { stdout } = currentContext()
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    if (stdout.write(decoder.decode(bytes, { stream: true })) === false && stdout.once)
      await new Promise<void>((resolve) => stdout.once?.('drain', resolve))
  }
  print('')
}

/** Writes a line to standard error. */
export const printError = (text: string): void =>
  void currentContext().stderr.write(`${escapeControls(text)}\n`)
