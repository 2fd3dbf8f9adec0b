import { Worker } from 'node:worker_threads'
import { pdfLimits } from '../../api/limits.ts'
import { readPdf } from './pdf.ts'
import type { PdfTask } from './pdf-reader.ts'

const [, , parent] = process.argv
endWithParent(Number(parent))
const allow = limitArrays()
// Without it, pdf.js decompresses into arrays that are counted.
Reflect.deleteProperty(globalThis, 'DecompressionStream')

process.on('message', async ({ bytes, maxPages }: PdfTask) => {
  allow(pdfLimits.arrayBytes + 2 * bytes.length)
  process.send?.(await readPdf(Buffer.from(bytes), maxPages))
})

/** Ends this process if Petri was killed while it parses; it would be too busy to notice otherwise. */
function endWithParent(pid: number): void {
  const watch = `setInterval(() => process.ppid === ${pid} || process.kill(process.pid, 'SIGKILL'), 1000)`
  new Worker(watch, { eval: true }).unref()
}

type Source = number | ArrayLike<number> | ArrayBuffer

/**
 * Counts the memory of pdf.js's arrays, which are outside the heap. Returns a function that sets the number of bytes
 * allowed from then on.
 */
function limitArrays(): (bytes: number) => void {
  let left = 0
  const count = (bytes: number) => {
    left -= bytes
    // pdf.js would catch an error and continue.
    if (left < 0) process.exit()
  }
  for (const name of ['Uint8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32'] as const) {
    globalThis[`${name}Array`] = new Proxy(globalThis[`${name}Array`], {
      construct(type: typeof Uint8Array, [source, ...rest]: [Source, ...unknown[]], target) {
        const length = typeof source === 'object' && 'length' in source ? source.length : source
        if (typeof length === 'number') count(length * type.BYTES_PER_ELEMENT)
        return Reflect.construct(type, [source, ...rest], target)
      },
    }) as never
  }
  return (bytes) => {
    left = bytes
  }
}
