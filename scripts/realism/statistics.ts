import * as simple from 'simple-statistics'

type Statistic = (numbers: readonly number[]) => number

/** NaN, which the report shows as not measured, when there are fewer numbers than the statistic needs. */
const needing =
  (least: number, statistic: (numbers: number[]) => number): Statistic =>
  (numbers) =>
    numbers.length < least ? Number.NaN : statistic([...numbers])

export const mean = needing(1, simple.mean)
export const median = needing(1, simple.median)
export const deviation = needing(2, simple.sampleStandardDeviation)
export const largest = needing(1, simple.max)

export type Pair = readonly [x: number, y: number]

const ofPairs =
  (statistic: (x: number[], y: number[]) => number) =>
  (pairs: readonly Pair[]): number =>
    pairs.length < 3
      ? Number.NaN
      : statistic(
          pairs.map(([x]) => x),
          pairs.map(([, y]) => y),
        )

/** Spearman's rho. */
export const rho = ofPairs(simple.sampleRankCorrelation)
/** The share of items that pass a test. */
export const share = <Item>(items: readonly Item[], passes: (item: Item) => boolean): number =>
  items.length === 0 ? Number.NaN : items.filter(passes).length / items.length
