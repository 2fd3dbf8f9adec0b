import { runInSlices, sortInSteps } from '../../kernel/slices.ts'

/** Positions by a text that few orders share. The empty text is not indexed. */
export class PositionsByText {
  readonly #found = new Map<string, number | readonly number[]>()

  /** In ascending order. */
  find(text: string): readonly number[] {
    const found = this.#found.get(text) ?? []
    return typeof found === 'number' ? [found] : found
  }

  move(position: number, from: string | undefined, to: string): void {
    if (from === to) return
    if (from)
      this.#set(
        from,
        this.find(from).filter((other) => other !== position),
      )
    if (to)
      this.#set(
        to,
        [...this.find(to), position].sort((a, b) => a - b),
      )
  }

  /** A single position is stored as a number, which takes a third of the memory of a list. */
  #set(text: string, positions: readonly number[]): void {
    const [first, another] = positions
    if (first === undefined) this.#found.delete(text)
    else this.#found.set(text, another === undefined ? first : positions)
  }
}

/** Positions sorted by name, then ascending. Sorted in slices on first use, and updated from then on. */
export class NameOrder {
  readonly #names: readonly string[]
  #sorted: number[] | undefined
  #sorting: Promise<number[]> | undefined
  /** Positions that are inserted or removed while the rest is being sorted. */
  readonly #late = new Set<number>()

  constructor(names: readonly string[]) {
    this.#names = names
  }

  async sorted(): Promise<readonly number[]> {
    this.#sorting ??= runInSlices(this.#sort())
    return this.#sorted ?? this.#sorting
  }

  /** Inserts a position after its name was set. */
  insert(position: number): void {
    if (this.#sorted) this.#sorted.splice(this.#placeOf(this.#sorted, position), 0, position)
    else if (this.#sorting) this.#late.add(position)
  }

  /** Removes a position before its name changes. */
  remove(position: number): void {
    if (this.#sorted) this.#sorted.splice(this.#placeOf(this.#sorted, position), 1)
    else if (this.#sorting) this.#late.add(position)
  }

  *#sort(): Generator<void, number[]> {
    const names = [...this.#names]
    const all = yield* sortInSteps([...names.keys()], (a, b) => compare(names[a], names[b]) || a - b)
    this.#sorted = all.filter((position) => !this.#late.has(position))
    for (const position of this.#late) this.insert(position)
    this.#late.clear()
    return this.#sorted
  }

  /** The index of a position, or where it would be inserted. */
  #placeOf(sorted: readonly number[], position: number): number {
    const names = this.#names
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = sorted[middle] as number
      if ((compare(names[other], names[position]) || other - position) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** By code units. */
export const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0)

/** The same text, as one string for all that have it. */
export function once(shared: Map<string, string>, text: string): string {
  const known = shared.get(text)
  if (known === undefined) shared.set(text, text)
  return known ?? text
}
