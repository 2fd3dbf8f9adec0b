import type { Column } from './column.ts'

const PERFECT_SECONDS = 8 * 3600

/** A score of every night: the provider's where it tells one, else from how long and how soundly was slept. */
export const sleepScore: Column = {
  kind: 'number',
  read({ score, total, efficiency }) {
    if (typeof score === 'number') return score
    if (typeof total !== 'number' || typeof efficiency !== 'number') return null
    const length = Math.min(1, total / PERFECT_SECONDS)
    return Math.round(60 * length + 0.4 * efficiency)
  },
}
