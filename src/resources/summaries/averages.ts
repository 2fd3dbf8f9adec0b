import { MINUTE_MS } from '../../kernel/instant.ts'
import type { Sample } from '../timeseries/service.ts'

/** The maximum weight of a sample, in milliseconds. */
const MAX_MS = 15 * MINUTE_MS

/** The mean of samples (oldest first), each weighted by the time until the next. */
export function meanOverTime(samples: readonly Sample[]): number {
  let [sum, time] = [0, 0]
  for (const [at, { start, value }] of samples.entries()) {
    const next = samples[at + 1] ?? samples[at - 1]
    const lasts = next ? Math.min(Math.abs(next.start - start), MAX_MS) : MAX_MS
    sum += Number(value) * lasts
    time += lasts
  }
  return time > 0 ? sum / time : Number(samples[0]?.value)
}
