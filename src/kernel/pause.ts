/** True time, for what is told to take so long whatever the world's clock says. */

/** Resolves after so many milliseconds. */
export const pause = (waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, waitMs)
  })

/** Does something after so many milliseconds, unless the answered function is called before. */
export function afterwards(waitMs: number, act: () => void): () => void {
  const timer = setTimeout(act, waitMs)
  return () => clearTimeout(timer)
}

/** Does something every so many milliseconds, until the answered function is called. */
export function repeatedly(intervalMs: number, act: () => void): () => void {
  const timer = setInterval(act, intervalMs).unref()
  return () => clearInterval(timer)
}
