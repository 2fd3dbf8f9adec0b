import type { Size } from './people.ts'

export const parts = ['labs', 'wearables', 'personas'] as const
export type Part = (typeof parts)[number]

/** A statistic with the band it has to be in. */
export interface Row<Data> {
  readonly name: string
  readonly measure: (data: Data) => number
  /** Inclusive; a row has at least one bound. */
  readonly low?: number
  readonly high?: number
  /** What the band is derived from. */
  readonly source: string
}

export interface Result {
  readonly name: string
  readonly source: string
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Rows that are measured on the same data. */
export interface Section {
  readonly part: Part
  readonly title: string
  readonly names: readonly string[]
  /** Collects the data and measures the rows with these names. */
  run(size: Size, names: ReadonlySet<string>): Promise<readonly Result[]>
}

export function section<Data>(
  part: Part,
  title: string,
  collect: (size: Size) => Promise<Data>,
  rows: readonly Row<Data>[],
): Section {
  return {
    part,
    title,
    names: rows.map(({ name }) => name),
    async run(size, names) {
      const wanted = rows.filter(({ name }) => names.has(name))
      if (wanted.length === 0) return []
      const data = await collect(size)
      return wanted.map(({ name, source, low = -Infinity, high = Infinity, measure }) => ({
        name,
        source,
        low,
        high,
        value: measure(data),
      }))
    },
  }
}
