import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pdfLimits } from '../../api/limits.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { startInterval, startTimer } from '../../kernel/pause.ts'
import type { PdfContent } from './pdf.ts'

/** The idle time in milliseconds after which the process ends. */
const IDLE_MS = 10_000

/** A file for the process to parse. */
export interface PdfTask {
  readonly bytes: Uint8Array
  readonly maxPages: number
}

type Limits = Readonly<Record<'readMs' | 'heapMiB', number>>

/**
 * Parses PDFs one after the other in a separate process: a crafted file can keep pdf.js busy forever or fill its
 * heap, and a thread with a full heap can end the whole process.
 */
export class PdfReader {
  readonly #limits: Limits
  #last: Promise<unknown> = Promise.resolve()
  #process: ChildProcess | undefined
  #stopIdle = () => {}

  constructor(limits: Limits = pdfLimits) {
    this.#limits = limits
  }

  read(task: PdfTask): Promise<PdfContent> {
    const content = this.#last.then(() => this.#read(task))
    this.#last = content.catch(() => {})
    return content
  }

  /** Ends the process; the file being parsed counts as too large. */
  async close(): Promise<void> {
    this.#stopIdle()
    const process = this.#process
    this.#process = undefined
    if (!process?.kill('SIGKILL')) return
    // Else a program that has nothing else to wait for ends here.
    process.ref()
    await once(process, 'exit')
  }

  async #read(task: PdfTask): Promise<PdfContent> {
    this.#stopIdle()
    const process = this.#process ?? this.#start()
    process.ref()
    process.channel?.ref()
    const content = await answerOf(process, task, this.#limits.readMs)
    process.unref()
    process.channel?.unref()
    if (content) this.#stopIdle = startInterval(IDLE_MS, () => this.close())
    else await this.close()
    return content ?? { failure: 'too_large' }
  }

  #start(): ChildProcess {
    const child = fork(join(packageFolder('dist'), 'chunks/pdf-reader.mjs'), [String(process.pid)], {
      execArgv: [],
      // As variables, because the single executable takes no options of Node. Nothing else of the environment is needed.
      // pdf.js leaves promises that are rejected when nobody handles them any more.
      env: { NODE_OPTIONS: `--unhandled-rejections=none --max-old-space-size=${this.#limits.heapMiB}` },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // The process may end before it has received its task.
    child.on('error', () => {})
    child.once('exit', () => {
      if (this.#process === child) this.#process = undefined
    })
    this.#process = child
    return child
  }
}

declare module '../../world/services.ts' {
  interface Services {
    readonly pdfReader: PdfReader
  }
}

/** The result of the process; undefined if it exceeds the time or the memory, is ended, or cannot be given the task. */
async function answerOf(
  process: ChildProcess,
  task: PdfTask,
  readMs: number,
): Promise<PdfContent | undefined> {
  const over = new AbortController()
  const { signal } = over
  const stopTimer = startTimer(readMs, () => over.abort())
  try {
    const answer = once(process, 'message', { signal })
    const end = once(process, 'exit', { signal })
    process.send(task)
    const [content] = await Promise.race([answer, end.then(() => [])])
    return content
  } catch {
    return undefined
  } finally {
    stopTimer()
    over.abort()
  }
}
