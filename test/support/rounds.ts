/** How often a test repeats what depends on drawn cases or on a moment: `usual` times, or TEST_ROUNDS times as often. */
export const rounds = (usual: number): number => usual * Number(process.env.TEST_ROUNDS ?? 1)

/** Picks one of `size` calls, in turn, or every call if TEST_ROUNDS is set: for tests that try each operation with each attack. */
export function sampler(size: number): () => boolean {
  let calls = 0
  return () => process.env.TEST_ROUNDS !== undefined || calls++ % size === 0
}

/** One of `size` of these cases, in turn, or all if TEST_ROUNDS is set: for tests that play each scenario or status to its end. */
export function sampled<Case>(cases: readonly Case[], size = 4): Case[] {
  const isTried = sampler(size)
  return cases.filter(isTried)
}
