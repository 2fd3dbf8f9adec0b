/** The median of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The value that a share of sorted numbers does not exceed. */
export const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

/** The median of one field. */
export const medianOf = (rounds, field) => median(rounds.map((round) => round[field]))

/** The median over rounds of a field's ratio: both halves of a ratio come from the same round. */
export const medianRatio = (rounds, others, field) =>
  median(rounds.map((round, at) => round[field] / others[at][field]))
