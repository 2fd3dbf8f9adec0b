/** The minimum length of the journal for compaction of an idle world, where it must also exceed half of the base. */
const QUIET_BYTES = 1024 * 1024
/**
 * The minimum length of the journal for compaction of a busy world, where it must also exceed twice the base:
 * compaction then costs less than half of the appended bytes.
 */
const BUSY_BYTES = 64 * QUIET_BYTES
/** The maximum size of a world that is compacted to one document when it is closed. */
const SMALL_BYTES = 8 * QUIET_BYTES

/** The lengths of a world's files in bytes. */
export interface Lengths {
  readonly base: number
  /** The length of the journals that the base does not include. */
  readonly journals: number
}

export const isDueWhenQuiet = ({ base, journals }: Lengths): boolean =>
  journals > Math.max(QUIET_BYTES, base / 2)

export const isDueUnderLoad = ({ base, journals }: Lengths): boolean =>
  journals > Math.max(BUSY_BYTES, 2 * base)

export const isDueAtExit = ({ base, journals }: Lengths): boolean =>
  journals > 0 && journals + base < SMALL_BYTES

/** The length of the journals from which compaction is tried again after a failure. */
export const retryLength = ({ journals }: Lengths): number => journals + BUSY_BYTES
