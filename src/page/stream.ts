import { CallError, elapsed, later, pause, readStream, type StreamEvent } from './api.ts'

export type Connection = 'live' | 'waiting' | 'off'

export interface StreamOptions {
  /** What the tabs that share a stream have in common. */
  readonly name: string
  onEvents(events: readonly StreamEvent[]): void
  onConnection(connection: Connection): void
}

type Shared =
  | { readonly events: readonly StreamEvent[] }
  | { readonly connection: Connection }
  | { readonly ask: true }

const RETRY_MS = 1000

/**
 * Follows what happens in a world with one stream for all tabs: browsers keep only six connections to a server. The tab that
 * holds the lock reads, and passes on what it reads. Without locks, as under a foreign address, each visible tab reads itself.
 */
export function followStream({ onEvents, ...rest }: StreamOptions): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const options = {
    ...rest,
    onEvents: inBatches<StreamEvent>((events) => {
      if (!signal.aborted) onEvents(events)
    }),
  }
  if (!('locks' in navigator)) void readWhileVisible(options, signal)
  else shareStream(options, signal)
  return () => ending.abort()
}

function shareStream(options: StreamOptions, signal: AbortSignal): void {
  const channel = new BroadcastChannel(`petri/${options.name}`)
  let connection: Connection | undefined
  channel.onmessage = ({ data }: MessageEvent<Shared>) => {
    if ('events' in data) options.onEvents(data.events)
    else if ('connection' in data) options.onConnection(data.connection)
    else if (connection) channel.postMessage({ connection })
  }
  signal.addEventListener('abort', () => channel.close())
  channel.postMessage({ ask: true })
  const leading: StreamOptions = {
    name: options.name,
    onEvents(events) {
      options.onEvents(events)
      if (!signal.aborted) channel.postMessage({ events })
    },
    onConnection(state) {
      connection = state
      options.onConnection(state)
      if (!signal.aborted) channel.postMessage({ connection: state })
    },
  }
  navigator.locks
    .request(`petri/${options.name}`, { signal }, () => readOn(leading, signal))
    .catch(() => undefined)
}

/** Reads until it is told to end; goes on where it was when the connection was lost. */
async function readOn({ onEvents, onConnection }: StreamOptions, signal: AbortSignal): Promise<void> {
  let lastId: string | undefined
  while (!signal.aborted) {
    const openedAt = elapsed()
    try {
      await readStream(lastId, signal, (events) => {
        onConnection('live')
        lastId = events.findLast(({ id }) => id !== undefined)?.id ?? lastId
        onEvents(events)
      })
    } catch (error) {
      if (error instanceof CallError && error.status === 401) return onConnection('off')
    }
    if (signal.aborted) return
    onConnection('waiting')
    // A stream that ended, as that of a world does which is replaced, is followed by the next at once.
    if (elapsed() - openedAt < RETRY_MS) await pause(RETRY_MS)
  }
}

async function readWhileVisible(options: StreamOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const shown = new AbortController()
    const stop = () => document.visibilityState === 'hidden' && shown.abort()
    document.addEventListener('visibilitychange', stop, { signal })
    signal.addEventListener('abort', () => shown.abort(), { once: true })
    if (document.visibilityState === 'visible') await readOn(options, shown.signal)
    document.removeEventListener('visibilitychange', stop)
    if (document.visibilityState === 'hidden') await becomingVisible(signal)
    else await pause(RETRY_MS)
  }
}

const becomingVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Milliseconds between two batches. */
const BATCH_MS = 100

/** Hands over at once what comes after a pause, and what follows it in batches. */
function inBatches<Item>(act: (items: readonly Item[]) => void): (items: readonly Item[]) => void {
  let [waiting, isPlanned, dueAt]: [Item[], boolean, number] = [[], false, 0]
  const flush = () => {
    const batch = waiting
    waiting = []
    isPlanned = false
    dueAt = elapsed() + BATCH_MS
    act(batch)
  }
  return (items) => {
    waiting = waiting.concat(items)
    if (isPlanned) return
    if (elapsed() >= dueAt) return flush()
    isPlanned = true
    later(dueAt - elapsed(), flush)
  }
}

/** The longest pause between two readings, in milliseconds. */
const MAX_PAUSE_MS = 3000

/** Calls back soon after the first of many calls, and not again before it is due, so that much news leads to few reads. */
export function coalesce(act: () => Promise<unknown>, { quietMs = 60, pauseMs = 300 } = {}): () => void {
  let [isPlanned, isRunning, isWanted, dueAt] = [false, false, false, 0]
  const run = async () => {
    isPlanned = false
    isRunning = true
    isWanted = false
    const startedAt = elapsed()
    await act().catch(() => undefined)
    // What takes long to read is read less often, so that watching costs a tenth of the time at most.
    const tookMs = elapsed() - startedAt
    dueAt = elapsed() + Math.min(MAX_PAUSE_MS, Math.max(pauseMs, 10 * tookMs))
    isRunning = false
    if (isWanted) plan()
  }
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    later(Math.max(quietMs, dueAt - elapsed()), () => void run())
  }
  return () => {
    if (isRunning) isWanted = true
    else plan()
  }
}
