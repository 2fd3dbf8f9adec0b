import { clamp } from './compare.ts'

/** The cumulative distribution of the standard normal distribution; to 1e-7. Source: Abramowitz and Stegun 7.1.26. */
export function normalShare(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  const half = (tail * Math.exp(-x * x)) / 2
  return z < 0 ? half : 1 - half
}

/** The quantile of the standard normal distribution; to 0.0005. Source: Abramowitz and Stegun 26.2.23. */
export function normalQuantile(share: number): number {
  const tail = clamp(Math.min(share, 1 - share), 1e-12, 0.5)
  const t = Math.sqrt(-2 * Math.log(tail))
  const z =
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t * t) /
      (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t)
  return share < 0.5 ? -z : z
}

/** A draw from a normal distribution truncated to `low` and `high`; `chance` is in [0, 1). */
export function normalWithin(chance: number, mean: number, sd: number, low: number, high: number): number {
  if (high <= low) return low
  const from = normalShare((low - mean) / sd)
  const to = normalShare((high - mean) / sd)
  const drawn = mean + sd * normalQuantile(from + (to - from) * chance)
  return clamp(drawn, low, high)
}
