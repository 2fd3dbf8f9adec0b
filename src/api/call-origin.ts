/** What the user does on the page is recorded, and marked as such. */
export const pageOrigin = 'page'

/** Commands whose calls are not recorded and do not count: they compare or copy a service, whichever it is. */
const uncounted = ['verify', 'record'] as const

export type CommandOrigin = (typeof uncounted)[number]

/** Whether calls of this origin are neither recorded nor counted. Their replies are those of any other call. */
export const isUncountedOrigin = (origin: string | undefined): boolean =>
  uncounted.some((command) => command === origin)
