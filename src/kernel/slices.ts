import Queue from 'yocto-queue'
import { stopwatch } from './clock.ts'
import { inNextTurn } from './pause.ts'
import { badRequest } from './problem.ts'

/** The maximum duration of a slice in milliseconds, after which the event loop gets a turn. */
const SLICE_MS = 8
/** The maximum duration of a call's first slice while others are waiting, because many calls may arrive in one turn. */
const FIRST_MS = 1

/** Work that waits for its next slice. */
const waiting = new Queue<() => void>()

/** Runs one slice in each turn of the event loop, so that short requests wait for at most one slice. */
function giveSlice(): void {
  waiting.dequeue()?.()
  if (waiting.size > 0) inNextTurn(giveSlice)
}

/** Divides long work into slices: `if (slices.isOver) await slices.next()` between its steps. */
export class Slices {
  #endsAt = stopwatch() + (waiting.size > 0 ? FIRST_MS : SLICE_MS)

  get isOver(): boolean {
    return stopwatch() >= this.#endsAt
  }

  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.size === 0) inNextTurn(giveSlice)
      waiting.enqueue(resolve)
    })
    this.#endsAt = stopwatch() + SLICE_MS
  }
}

/** Runs a generator in slices; throws when `signal` is aborted because the client has disconnected. */
export async function runInSlices<Result>(
  steps: Generator<void, Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const slices = new Slices()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (!slices.isOver) continue
    await slices.next()
    if (signal?.aborted) steps.return(undefined as never)
    assertConnected(signal)
  }
}

/** Ends long work whose client has disconnected. */
export function assertConnected(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw badRequest('The client has disconnected.')
}

/** The items that pass a test, filtered in slices. */
export async function filterInSlices<Item>(
  items: Iterable<Item>,
  passes: (item: Item) => boolean,
): Promise<Item[]> {
  const found: Item[] = []
  const slices = new Slices()
  for (const item of items) {
    if (passes(item)) found.push(item)
    if (slices.isOver) await slices.next()
  }
  return found
}

/** Returns a function that runs acts one after the other, each at the beginning of a slice. */
export function oneAfterAnother(): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const done = last.then(() => new Slices().next()).then(act)
    last = done.catch(() => undefined)
    return done
  }
}

/** The maximum number of items that are sorted at once; larger lists are sorted in parts, which are then merged. */
const SORTED_AT_ONCE = 2000

/** A stable sort that yields between its steps. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, Item[]> {
  if (items.length <= SORTED_AT_ONCE) return [...items].sort(compare)
  const middle = items.length >> 1
  const left = yield* sortInSteps(items.slice(0, middle), compare)
  const right = yield* sortInSteps(items.slice(middle), compare)
  const merged: Item[] = []
  let l = 0
  let r = 0
  while (l < left.length && r < right.length) {
    const a = left[l] as Item
    const b = right[r] as Item
    const isLeft = compare(a, b) <= 0
    merged.push(isLeft ? a : b)
    if (isLeft) l++
    else r++
    yield
  }
  return [...merged, ...left.slice(l), ...right.slice(r)]
}

/** Runs all steps of a generator at once. */
export function runAtOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
