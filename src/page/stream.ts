import { CallError, elapsed, later, pause, readStream, type StreamEvent } from './api.ts'

export type Connection = 'live' | 'waiting' | 'off'

export interface StreamOptions {
  /** Tabs with the same name share a stream. */
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
 * Follows the events of a world with one stream for all tabs: browsers open only six connections to a server. The tab that
 * holds the lock reads, and passes on what it reads. Without locks, as on insecure addresses, each visible tab reads itself.
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

/** Reads until it is aborted; resumes after a lost connection. */
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
    // The stream of a world that is replaced ends after a while, and the next is opened at once.
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

/** Passes on the first items after a pause at once, and those that follow in batches. */
function inBatches<Item>(act: (items: readonly Item[]) => void): (items: readonly Item[]) => void {
  let waiting: Item[] = []
  let isPlanned = false
  let dueAt = 0
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

/** From the first of many calls to the reading, in milliseconds. */
const QUIET_MS = 60
/** The shortest and the longest pause between two readings, in milliseconds. */
const PAUSE_MS = 300
const MAX_PAUSE_MS = 3000

/** Runs soon after the first of many calls, and not again before a pause, so that many events cause few reads. */
export function coalesce(act: () => Promise<unknown>): () => void {
  let isPlanned = false
  let isRunning = false
  let isWanted = false
  let dueAt = 0
  const run = async () => {
    isPlanned = false
    isRunning = true
    isWanted = false
    const startedAt = elapsed()
    await act().catch(() => undefined)
    // Slow reads are repeated less often, so that watching takes a tenth of the time at most.
    const tookMs = elapsed() - startedAt
    dueAt = elapsed() + Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS, 10 * tookMs))
    isRunning = false
    if (isWanted) plan()
  }
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    later(Math.max(QUIET_MS, dueAt - elapsed()), () => void run())
  }
  return () => {
    if (isRunning) isWanted = true
    else plan()
  }
}
