/** When all is quiet, the base is rewritten once the journal is longer than this and than half of it. */
const QUIET_BYTES = 1024 * 1024
/** Under load, once it is longer than this and than twice the base: rewriting costs less than half of what was appended. */
const BUSY_BYTES = 64 * QUIET_BYTES
/** A world up to this size is left as one document at exit. */
const SMALL_BYTES = 8 * QUIET_BYTES

/** Lengths of a world's files in bytes, and whether its base should be rewritten. */
export interface Lengths {
  readonly base: number
  /** Of the journals that the base does not include. */
  readonly journals: number
}

export const isDueWhenQuiet = ({ base, journals }: Lengths): boolean =>
  journals > Math.max(QUIET_BYTES, base / 2)

export const isDueUnderLoad = ({ base, journals }: Lengths): boolean =>
  journals > Math.max(BUSY_BYTES, 2 * base)

export const isDueAtExit = ({ base, journals }: Lengths): boolean =>
  journals > 0 && journals + base < SMALL_BYTES

/** How long the journals must be before another try, after a rewriting that failed. */
export const retryLength = ({ journals }: Lengths): number => journals + BUSY_BYTES
