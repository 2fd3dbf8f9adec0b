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
export const smallest = needing(1, simple.min)
export const largest = needing(1, simple.max)
export const geometricMean = needing(1, (numbers) => Math.exp(simple.mean(numbers.map(Math.log))))

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
export const correlation = ofPairs(simple.sampleCorrelation)
/** The change of y per unit of x by least squares. */
export const slope = (pairs: readonly Pair[]): number =>
  pairs.length < 3 ? Number.NaN : simple.linearRegression(pairs.map(([x, y]) => [x, y])).m

/** The share of items that pass a test. */
export const share = <Item>(items: readonly Item[], passes: (item: Item) => boolean): number =>
  items.length === 0 ? Number.NaN : items.filter(passes).length / items.length

/** The share of the most frequent item. */
export function shareOfMostFrequent(items: readonly unknown[]): number {
  const counts = new Map<unknown, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return items.length === 0 ? Number.NaN : Math.max(...counts.values()) / items.length
}

/** Lag-1 autocorrelation of a series with gaps, corrected for the bias of a series of this length. */
export function lagOne(series: readonly (number | undefined)[]): number {
  const known = series.filter((value) => value !== undefined)
  const pairs = series.flatMap((value, at): Pair[] => {
    const next = series[at + 1]
    return value === undefined || next === undefined ? [] : [[value, next]]
  })
  if (pairs.length < 5) return Number.NaN
  const middle = mean(known)
  const variance = mean(known.map((value) => (value - middle) ** 2))
  const covariance = mean(pairs.map(([value, next]) => (value - middle) * (next - middle)))
  return variance === 0 ? Number.NaN : covariance / variance + 1 / known.length
}
