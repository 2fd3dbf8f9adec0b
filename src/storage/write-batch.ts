/** All that is put in one turn of the event loop, written together when it ends. */
export interface WriteBatch {
  readonly written: Promise<void>
  /** Settles `written`; with an error, nothing of the batch was written. */
  readonly end: (error?: unknown) => void
  /** A reply waits for it. */
  isAwaited: boolean
}

export function newBatch(): WriteBatch {
  let end: WriteBatch['end'] = () => undefined
  const written = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error))
  })
  // Nobody has to wait for it.
  written.catch(() => undefined)
  return { written, end, isAwaited: false }
}
