/** All changes of one turn of the event loop, which are written together at its end. */
export interface WriteBatch {
  readonly written: Promise<void>
  /** Settles `written`; with an error if nothing of the batch was written. */
  readonly end: (error?: unknown) => void
  /** Whether a reply waits for it. */
  isAwaited: boolean
}

export function newBatch(): WriteBatch {
  let end: WriteBatch['end'] = () => undefined
  const written = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error))
  })
  // Prevents an unhandled rejection if nobody waits for it.
  written.catch(() => undefined)
  return { written, end, isAwaited: false }
}
