/** What tells one summary from another. */
export interface Summary {
  /** In event types and availability. */
  readonly resource: string
}

/** One line a summary. */
export const summaryTable: readonly Summary[] = [{ resource: 'activity' }]
