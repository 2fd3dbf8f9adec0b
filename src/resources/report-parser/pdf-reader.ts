import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { pdfLimits } from '../../api/limits.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { startInterval, startTimer } from '../../kernel/pause.ts'
import type { PdfContent } from './pdf.ts'

/** True milliseconds without a PDF after which the thread ends. */
const IDLE_MS = 10_000

/** What the thread is asked to read. */
export interface PdfTask {
  readonly bytes: Uint8Array
  readonly maxPages: number
}

/** Reads PDFs, one after the other, in a thread of its own, as a crafted one keeps pdf.js busy without an end. */
export class PdfReader {
  readonly #readMs: number
  #last: Promise<unknown> = Promise.resolve()
  #worker: Worker | undefined
  #stopIdle = () => {}

  constructor(readMs: number = pdfLimits.readMs) {
    this.#readMs = readMs
  }

  read(task: PdfTask): Promise<PdfContent> {
    const content = this.#last.then(() => this.#read(task))
    this.#last = content.catch(() => {})
    return content
  }

  /** Ends the thread; what it is reading counts as too large. */
  async close(): Promise<void> {
    this.#stopIdle()
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #read(task: PdfTask): Promise<PdfContent> {
    this.#stopIdle()
    const worker = this.#worker ?? this.#start()
    worker.ref()
    const content = await answerOf(worker, task, this.#readMs)
    worker.unref()
    if (content) this.#stopIdle = startInterval(IDLE_MS, () => this.close())
    else await this.close()
    return content ?? { failure: 'too_large' }
  }

  #start(): Worker {
    const worker = new Worker(join(packageFolder('dist'), 'chunks/pdf-reader.mjs'), {
      // pdf.js leaves promises behind that are rejected when nobody waits for them any more.
      execArgv: ['--unhandled-rejections=none'],
      resourceLimits: { maxOldGenerationSizeMb: pdfLimits.heapMiB },
    })
    // It may run out of memory while it is being ended, and nobody waits for its answer any more.
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    this.#worker = worker
    return worker
  }
}

/** What the thread answers, or undefined when it does not in time, takes too much memory or is ended. */
async function answerOf(worker: Worker, task: PdfTask, readMs: number): Promise<PdfContent | undefined> {
  const over = new AbortController()
  const { signal } = over
  const stopTimer = startTimer(readMs, () => over.abort())
  try {
    const answer = once(worker, 'message', { signal })
    const end = once(worker, 'exit', { signal })
    worker.postMessage(task)
    const [content] = await Promise.race([answer, end.then(() => [])])
    return content
  } catch (error) {
    if (signal.aborted || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      return undefined
    throw error
  } finally {
    stopTimer()
    over.abort()
  }
}
